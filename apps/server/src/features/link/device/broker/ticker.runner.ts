// Periodic work: never two runs at once, and a failure does not end it.
import type { Log } from "../../../../platform/log.ts";

/** Runs `work` every `everyMs`, never two at once; `stop` resolves when none is running. */
export function startTicking(
  everyMs: number,
  work: () => Promise<void>,
  log: Log,
): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error) => log.warn({ err: error }, "periodic work failed"))
      .finally(() => {
        running = null;
      });
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
