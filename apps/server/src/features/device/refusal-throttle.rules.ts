// Decides which refused connects and dropped reports get a line in a cabinet's log: one of a kind in ten minutes.

const EVERY_MS = 10 * 60_000;
/** Beyond it the longest unheard are forgotten. */
const MAX_KEYS = 10_000;

/** Lets one of a kind through in ten minutes; `now` is milliseconds by a clock that does not jump back. */
export class RefusalThrottle {
  readonly #kinds = new Map<string, { letAt: number; held: number }>();

  /** How many this one stands for, itself included; null when it is held back. */
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
