// The cabinet's idea of server time: never behind the truth, so a late command always looks late.

/** Quartz in the street may be this slow; the clock is counted as much faster to make up for it. */
const DRIFT = 100e-6;

/**
 * The server stamped `serverTime` some time after the birth left at `sentMono`. Counting from that
 * earliest instant gives an upper bound of server time, however long birth and hello travelled.
 * All times in milliseconds; `mono` by one monotonic clock.
 */
export interface SyncedClock {
  readonly serverTime: number;
  readonly sentMono: number;
  /** Between birth and hello: how far ahead of the truth the clock may be. */
  readonly uncertaintyMs: number;
}

/** The clock that an accepted hello gives. */
export function syncClock(serverTime: number, sentMono: number, receivedMono: number): SyncedClock {
  return { serverTime, sentMono, uncertaintyMs: receivedMono - sentMono };
}

/** Server time in unix milliseconds at `mono`: at least the true one. */
export function serverTimeAt(clock: SyncedClock, mono: number): number {
  return clock.serverTime + (mono - clock.sentMono) * (1 + DRIFT);
}
