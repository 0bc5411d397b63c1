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

const pages = Promise.withResolvers<void>();
/** Tells that the pages which are probably opened next are there, or are not loaded ahead. */
export const endPagePrefetch = pages.resolve;

/** Runs when the browser is idle after that: opening a page comes before what only completes one. */
export function whenPagesAreThere(run: () => unknown): void {
  pages.promise.then(() => whenIdle(run));
}

export function whenIdle(run: () => unknown): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: LATEST_MS });
  else setTimeout(run, GUESS_MS);
}
