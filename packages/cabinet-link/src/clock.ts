// Estimate of server time on the cabinet: never behind the true time, so a late command always
// looks late.

/** Worst drift of the cabinet's quartz; the clock makes up for a slow one to stay an upper bound. */
const DRIFT = 100e-6;

/**
 * The server stamped `serverTime` after the birth left at `sentMono`. Counting from that earliest
 * instant gives an upper bound of server time, whatever the latency of birth and hello. Times in
 * milliseconds; `mono` from one monotonic clock.
 */
export interface SyncedClock {
  readonly serverTime: number;
  readonly sentMono: number;
  /** Time between birth and hello: largest lead of the clock over the true time. */
  readonly uncertaintyMs: number;
}

/** Synchronises the clock by an accepted hello. */
export function syncClock(serverTime: number, sentMono: number, receivedMono: number): SyncedClock {
  return { serverTime, sentMono, uncertaintyMs: receivedMono - sentMono };
}

/** Upper bound of server time at `mono`, in unix milliseconds. */
export function serverTimeAt(clock: SyncedClock, mono: number): number {
  return clock.serverTime + (mono - clock.sentMono) / (1 - DRIFT);
}
