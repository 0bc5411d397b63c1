// Connect rate limit: 15 per minute, then a ban of five minutes (protocol §2).

const MAX_CONNECTS = 15;
const WINDOW_MS = 60_000;
const BAN_MS = 5 * 60_000;
/** Enough for a large fleet; beyond it the least recently counted keys are evicted. */
const MAX_KEYS = 50_000;

interface Attempts {
  windowStart: number;
  count: number;
  bannedUntil: number;
}

/** Counts connects by key; `now` is milliseconds of a monotonic clock. */
export class ConnectRate {
  readonly #attempts = new Map<string, Attempts>();

  isBanned(key: string, now: number): boolean {
    return (this.#attempts.get(key)?.bannedUntil ?? 0) > now;
  }

  /** Forgets one connect of a client that lost its connection through no fault of its own. */
  giveBack(key: string): void {
    const known = this.#attempts.get(key);
    if (!known || known.count === 0) return;
    known.count--;
    known.bannedUntil = 0;
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
