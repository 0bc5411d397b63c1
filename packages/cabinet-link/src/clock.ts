// The cabinet's idea of server time: never behind the truth, so a late command always looks late.

/**
 * The server stamped `serverTime` some time after the birth left at `sentMono`. Counting from that
 * earliest instant gives an upper bound of server time, however long birth and hello travelled.
 * All times in milliseconds; `mono` by one monotonic clock.
 */
export interface SyncedClock {
  /** Add to `mono` to get server time. */
  readonly offsetMs: number;
  /** When it was synced, by the monotonic clock. */
  readonly syncedMono: number;
  /** Between birth and hello: how far ahead of the truth the clock may be. */
  readonly uncertaintyMs: number;
}

/** The clock that an accepted hello gives. */
export function syncClock(serverTime: number, sentMono: number, receivedMono: number): SyncedClock {
  return {
    offsetMs: serverTime - sentMono,
    syncedMono: receivedMono,
    uncertaintyMs: receivedMono - sentMono,
  };
}

/** Server time in unix milliseconds at `mono`: at least the true one. */
export function serverTimeAt(clock: SyncedClock, mono: number): number {
  return clock.offsetMs + mono;
}
