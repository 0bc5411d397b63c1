// How often one may connect: 15 times a minute, then not at all for five minutes (protocol §2).

const MAX_CONNECTS = 15;
const WINDOW_MS = 60_000;
const BAN_MS = 5 * 60_000;
/** Enough for a large fleet; beyond it the longest unheard are forgotten. */
const MAX_KEYS = 50_000;

interface Attempts {
  windowStart: number;
  count: number;
  bannedUntil: number;
}

/** Counts connects by key; `now` is milliseconds by any clock that does not jump back. */
export class ConnectRate {
  readonly #attempts = new Map<string, Attempts>();

  isBanned(key: string, now: number): boolean {
    return (this.#attempts.get(key)?.bannedUntil ?? 0) > now;
  }

  count(key: string, now: number): void {
    const known = this.#attempts.get(key);
    const isInWindow = known && now - known.windowStart < WINDOW_MS;
    const attempts = isInWindow ? known : { windowStart: now, count: 0, bannedUntil: 0 };
    attempts.count++;
    if (attempts.count >= MAX_CONNECTS) attempts.bannedUntil = now + BAN_MS;
    this.#attempts.delete(key);
    this.#attempts.set(key, attempts);
    if (this.#attempts.size > MAX_KEYS) {
      for (const oldest of this.#attempts.keys()) {
        this.#attempts.delete(oldest);
        break;
      }
    }
  }
}
