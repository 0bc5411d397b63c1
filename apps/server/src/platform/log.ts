// Structured logs: request ids in, secrets and phone numbers out (promise L1).
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";

export type Log = Logger;

const phone = /(?<!\d)((?:\+?86|0086)?1[3-9]\d)\d{4}(\d{4})(?!\d)/g;

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
      hooks: { streamWrite: maskPhones },
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
