// Reconnect backoff and patience of the live channel.

import { LIVE_PING_MS } from "@cabinet/contract/live/live.rules.ts";

/** Ping period of servers that do not name theirs. */
const OLD_PING_MS = 15_000;

/** A channel that is silent for longer is dead: two pings may be missing, not three. */
export function silenceMs(pingHeader: string | null): number {
  return 2.5 * (pingHeader === null ? OLD_PING_MS : Number(pingHeader) || LIVE_PING_MS);
}

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
