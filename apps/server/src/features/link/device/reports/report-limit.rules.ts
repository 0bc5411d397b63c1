// Rate limit of stored reports per cabinet: token buckets that no healthy cabinet empties.

/** A reconnect may bring some hundreds of queued reports and a snapshot at once, twice in a row. */
export const REPORT_BURST = 1_000;
/** Far above the rate of a large cabinet in its busiest hour. */
export const REPORTS_PER_SECOND = 5;
/** Burst of one tenant in seconds of its rate: a whole fleet reconnects at once. */
export const TENANT_BURST_SECONDS = 10;
/** Enough for a large fleet; beyond it the least recently used are evicted. */
const MAX_KEYS = 50_000;

export interface BucketSize {
  burst: number;
  perSecond: number;
}

export class TokenBuckets {
  readonly #size: BucketSize;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(size: BucketSize) {
    this.#size = size;
  }

  /** False when this key has no token left; `now` is milliseconds of a monotonic clock. */
  take(key: string, now: number): boolean {
    const { burst, perSecond } = this.#size;
    const known = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const refilled = known.tokens + ((now - known.at) / 1_000) * perSecond;
    const tokens = Math.min(burst, refilled);
    const isTaken = tokens >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isTaken ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > MAX_KEYS) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest);
        break;
      }
    }
    return isTaken;
  }

  /** Undoes one `take`, for a report that was not processed. */
  giveBack(key: string): void {
    const known = this.#buckets.get(key);
    if (known) known.tokens = Math.min(this.#size.burst, known.tokens + 1);
  }
}

/** Events that doors, goods and firmware jobs depend on. */
const ESSENTIAL_EVENT = /"type"\s*:\s*"(?:DOOR_|ITEM_|JOB")/;

/**
 * Bucket of a report: routine or essential, so that a faulty sensor cannot use up the tokens of acks, snapshots and
 * door events. Reads the payload before the signature check: a forged one affects only this cabinet's own buckets.
 */
export function bucketOf(sn: string, kind: string, payload: Uint8Array): string {
  return `${sn} ${isRoutine(kind, payload) ? "routine" : "essential"}`;
}

/** Heartbeats and sensor events: nothing that a door, an order or a firmware job waits for. */
export function isRoutine(kind: string, payload: Uint8Array): boolean {
  const isEssential = () => ESSENTIAL_EVENT.test(Buffer.from(payload).toString("latin1"));
  return kind === "hb" || (kind === "evt" && !isEssential());
}
