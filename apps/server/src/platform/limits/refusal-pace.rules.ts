// How long a refusal waits: who is refused often waits for each of them, so that refused work costs the caller.
import { networkOf } from "../http/network.rules.ts";

interface Pace {
  /** Refusals at once, without a wait. */
  burst: number;
  /** Refusals a second after that. */
  perSecond: number;
}

/** The longest wait: clients give up after ten seconds. */
export const LONGEST_WAIT_MS = 3_000;

/** Many people may share an address; programs of one account make many calls. */
export const PACES = {
  address: { burst: 500, perSecond: 25 },
  account: { burst: 1_000, perSecond: 100 },
} as const satisfies Record<string, Pace>;
/** A home line's /56 and a company's /48 have many addresses. */
const TIMES_OF_WIDE = { 56: 4, 48: 16 } as const;

const MOST_KEYS = 50_000;

/** By one key: the time at which all refusals so far have been waited for, the burst included. */
export class RefusalPace {
  readonly #paces: Record<keyof typeof PACES, Pace>;
  readonly #paidAt = new Map<string, number>();

  constructor(paces: Record<keyof typeof PACES, Pace> = PACES) {
    this.#paces = paces;
  }

  /** Counts a refusal of an account; returns its wait in milliseconds. Times are of `performance.now()`. */
  ofAccount(account: string, now: number): number {
    return this.#count(account, this.#paces.account, now);
  }

  /** Counts a refusal of a caller who has proven nothing. */
  ofAddress(address: string, now: number): number {
    const own = networkOf(address);
    const pace = this.#paces.address;
    const waits = [this.#count(own, pace, now)];
    for (const bits of [56, 48] as const) {
      const wide = networkOf(address, bits);
      if (wide === own) continue;
      const burst = pace.burst * TIMES_OF_WIDE[bits];
      const perSecond = pace.perSecond * TIMES_OF_WIDE[bits];
      waits.push(this.#count(wide, { burst, perSecond }, now));
    }
    return Math.max(...waits);
  }

  #count(key: string, { burst, perSecond }: Pace, now: number): number {
    const step = 1_000 / perSecond;
    const paidAt = Math.max(now, this.#paidAt.get(key) ?? 0) + step;
    const wait = Math.max(0, paidAt - now - burst * step);
    this.#paidAt.delete(key);
    this.#paidAt.set(key, paidAt - Math.max(0, wait - LONGEST_WAIT_MS));
    const [oldest = key] = this.#paidAt.keys();
    if (this.#paidAt.size > MOST_KEYS) this.#paidAt.delete(oldest);
    return Math.min(wait, LONGEST_WAIT_MS);
  }
}
