// When a broken push channel is tried again.

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Doubles up to half a minute; `random` (0–1) keeps many consoles from coming back together. */
export function reconnectDelayMs(failures: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(full * (0.5 + random / 2));
}
