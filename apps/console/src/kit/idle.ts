// Schedules work for when the browser is idle.

const LATEST_MS = 4_000;
const GUESS_MS = 1_000;

/** Loads what will probably be needed next, unless the user asked the browser to save data. */
export function prefetchWhenIdle(load: () => unknown): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!connection?.saveData) whenIdle(load);
}

export function whenIdle(run: () => unknown): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: LATEST_MS });
  else setTimeout(run, GUESS_MS);
}
