// Runs work when woken and at intervals: one turn at a time, and a failure does not end it.
import type { Log } from "../log.ts";

export interface Turns {
  /** Begins a turn; during one, another follows it. */
  wake(): void;
  /** No turn begins any more; resolves when none is running. */
  stop(): Promise<void>;
}

/** The interval skips its beat while a turn is running. */
export function startTurns(
  log: Log,
  everyMs: number,
  work: () => Promise<void>,
  failure = "periodic work failed",
): Turns {
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;

  async function run(): Promise<void> {
    while (isWoken && !isStopped) {
      isWoken = false;
      await work().catch((error) => log.warn({ err: error }, failure));
    }
    running = null;
  }
  function wake(): void {
    if (isStopped) return;
    isWoken = true;
    running ??= run();
  }
  const timer = setInterval(() => {
    if (!running) wake();
  }, everyMs);
  return {
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
