// Limits a cabinet's log lines for refused connects and dropped reports to one per cause in ten minutes.

const EVERY_MS = 10 * 60_000;
/** Beyond it the keys that passed longest ago are evicted. */
const MAX_KEYS = 10_000;

/** Lets one occurrence per key pass in ten minutes; `now` is milliseconds of a monotonic clock. */
export class RefusalRateLimit {
  readonly #kinds = new Map<string, { letAt: number; held: number }>();

  /** Number of occurrences that this one stands for, itself included; null when it is suppressed. */
  admit(key: string, now: number): number | null {
    const known = this.#kinds.get(key);
    if (known && now - known.letAt < EVERY_MS) {
      known.held++;
      return null;
    }
    this.#kinds.delete(key);
    this.#kinds.set(key, { letAt: now, held: 0 });
    if (this.#kinds.size > MAX_KEYS) {
      for (const oldest of this.#kinds.keys()) {
        this.#kinds.delete(oldest);
        break;
      }
    }
    return (known?.held ?? 0) + 1;
  }
}
