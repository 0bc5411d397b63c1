// Reconnect backoff of the live channel.

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * Exponential backoff, capped at 30 s; `random` (0–1) adds jitter, so that many consoles do not
 * reconnect at once.
 */
export function reconnectDelayMs(failures: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(full * (0.5 + random / 2));
}
