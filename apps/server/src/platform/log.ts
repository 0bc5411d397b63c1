// Structured logs with request ids, with secrets and phone numbers masked (promise L1).
import { maskPhones } from "@cabinet/contract/kit/phone.rules.ts";
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { isOutage } from "./db/postgres-client.ts";

export type Log = Logger;

/** pino's number of the level. */
const WARN = 40;

export function createLog(level: string, destination?: { write(line: string): void }): Log {
  return pino(
    {
      level,
      redact: {
        paths: ["password", "token", "secret", "*.password", "*.token", "*.secret", "req.headers"],
        censor: "[已隐藏]",
      },
      hooks: {
        streamWrite: maskPhones,
        // An outage fails everything at once: one line each is enough, and no stack shows its cause.
        logMethod(args, method, level) {
          const [facts, message] = args as unknown as [unknown, string?];
          const { err, ...others } = (facts ?? {}) as { err?: unknown };
          if (level < WARN || !isOutage(err)) method.apply(this, args);
          else this.warn({ ...others, why: err.message }, message);
        },
      },
    },
    destination ?? standardError(),
  );
}

/**
 * Pretty lines on a terminal, JSON otherwise. Synchronous: buffered output is flushed at exit and blocks for ever when
 * the pipe has no reader.
 */
function standardError() {
  return process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" })
    : pino.destination({ dest: 2, sync: true });
}
