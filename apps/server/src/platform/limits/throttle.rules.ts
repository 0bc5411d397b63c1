// Pure rules of backoff: how long failures block.

export const FAILURES_BEFORE_BLOCK = 5;
const FIRST_BLOCK_SECONDS = 30;
export const LONGEST_BLOCK_SECONDS = 15 * 60;

/** Promise A2: nothing for the first failures, then doubling up to a quarter of an hour. */
export function blockSeconds(failures: number, before = FAILURES_BEFORE_BLOCK): number {
  if (failures < before) return 0;
  const doublings = Math.min(failures - before, 20);
  return Math.min(FIRST_BLOCK_SECONDS * 2 ** doublings, LONGEST_BLOCK_SECONDS);
}
