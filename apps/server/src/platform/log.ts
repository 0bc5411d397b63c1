// Structured logs with request ids, with secrets and phone numbers masked (promise L1).
import { fstatSync } from "node:fs";
import { maskPhones } from "@cabinet/contract/kit/phone.rules.ts";
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { isOutage } from "./db/postgres-client.ts";

export type Log = Logger;

/** pino's number of the level. */
const WARN = 40;

/** Priorities of syslog by pino's level; below these, 7 (debug). */
const PRIORITIES = [
  [60, 2],
  [50, 3],
  [WARN, 4],
  [30, 6],
] as const;

/** systemd's journal takes the priority of a line from its prefix: `journalctl -p warning` then finds it. */
function withPriority(line: string): string {
  const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
  return `<${PRIORITIES.find(([least]) => level >= least)?.[1] ?? 7}>${line}`;
}

/** The variable alone may be inherited from a terminal's service: it names the file that is the journal. */
function isStandardErrorJournal(): boolean {
  const { JOURNAL_STREAM } = process.env;
  if (!JOURNAL_STREAM) return false;
  const { dev, ino } = fstatSync(2);
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

interface LogOptions {
  destination?: { write(line: string): void };
  isJournal?: boolean;
}

const REPEAT_MS = 1_000;

/**
 * Writes the first line of a key at once, and then one a second while others come, with their number. An outage fails
 * each report, job and connection: hundreds of lines would hide what else happened.
 */
function onePerSecond(): (key: string, write: (repeated: number) => void) => void {
  const open = new Map<string, { count: number; write: (repeated: number) => void }>();
  function begin(key: string): void {
    const second = { count: 0, write: (_: number) => {} };
    open.set(key, second);
    setTimeout(() => {
      open.delete(key);
      if (second.count === 0) return;
      second.write(second.count);
      begin(key);
    }, REPEAT_MS).unref();
  }
  return (key, write) => {
    const second = open.get(key);
    if (second) {
      second.count++;
      second.write = write;
      return;
    }
    write(0);
    begin(key);
  };
}

/** Writes to standard error; to systemd's journal with priorities. */
export function createLog(
  level: string,
  { destination, isJournal = isStandardErrorJournal() }: LogOptions = {},
): Log {
  const limit = onePerSecond();
  return pino(
    {
      level,
      redact: {
        paths: ["password", "token", "secret", "*.password", "*.token", "*.secret", "req.headers"],
        censor: "[已隐藏]",
      },
      hooks: {
        streamWrite: isJournal ? (line) => withPriority(maskPhones(line)) : maskPhones,
        // An outage fails everything at once: no stack shows its cause.
        logMethod(args, method, level) {
          const [facts, message] = args as unknown as [unknown, string?];
          const { err, ...others } = (facts ?? {}) as { err?: unknown };
          if (level < WARN || !isOutage(err)) {
            method.apply(this, args);
            return;
          }
          const why = err.message;
          limit(`${message}: ${why}`, (repeated) =>
            this.warn({ ...others, why, ...(repeated > 0 && { repeated }) }, message),
          );
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
