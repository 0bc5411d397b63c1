// Schedules work for when the browser is idle.

const LATEST_MS = 4_000;
const GUESS_MS = 1_000;

export function whenIdle(run: () => unknown): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: LATEST_MS });
  else setTimeout(run, GUESS_MS);
}
