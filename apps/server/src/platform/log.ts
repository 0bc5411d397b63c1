// Structured logs: request ids in, secrets and phone numbers out (promise L1).
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { isOutage } from "./postgres-client.ts";

export type Log = Logger;

const phone = /(?<!\d)((?:\+?86|0086)?1[3-9]\d)\d{4}(\d{4})(?!\d)/g;

/** pino's number of the level. */
const WARN = 40;

/** `13812345678` becomes `138****5678`, wherever it stands. */
export function maskPhones(line: string): string {
  return line.replace(phone, "$1****$2");
}

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
        // An outage fails everything at once: a line each says enough, and no stack leads to its cause.
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
 * A line a person can read at a terminal, JSON for whatever collects logs elsewhere.
 * Written at once: what is kept back is written at the exit, for ever where nobody reads any more.
 */
function standardError() {
  return process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" })
    : pino.destination({ dest: 2, sync: true });
}
