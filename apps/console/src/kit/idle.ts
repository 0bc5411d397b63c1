// Schedules work for when the browser is idle.

const LATEST_MS = 4_000;
const GUESS_MS = 1_000;

/** Loads what will probably be needed next, unless the user asked the browser to save data. Resolves when this has ended. */
export async function prefetchWhenIdle(load: () => unknown): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  await new Promise<void>((resolve) => whenIdle(resolve));
  await load();
}

const pagePrefetch = Promise.withResolvers<void>();

/** Called when the pages that are probably opened next are loaded, or will not be loaded ahead. */
export const endPagePrefetch = pagePrefetch.resolve;

export const whenPagePrefetchEnded = pagePrefetch.promise;

/** Schedules what only completes a page: opening the next page comes first. */
export function whenIdleAfterPagePrefetch(run: () => unknown): void {
  whenPagePrefetchEnded.then(() => whenIdle(run));
}

export function whenIdle(run: () => unknown): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: LATEST_MS });
  else setTimeout(run, GUESS_MS);
}
