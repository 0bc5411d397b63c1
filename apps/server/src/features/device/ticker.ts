// Work that comes round: one at a time, and a failure does not end it.
import type { Log } from "../../platform/log.ts";

/** Does `work` each `everyMs`, never two at once; resolves its `stop` when none is running. */
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
