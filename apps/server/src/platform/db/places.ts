// Places for work that only some callers may do at once: a wait for one in turn, with an end.
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../errors.ts";
import { Admission, type Leave, type Share } from "./admission.rules.ts";
import { NoConnection } from "./postgres-client.ts";

/** Calls wait less than the server's own work, so that a statement of five seconds still ends within the handler's deadline (promise O3). */
const CALL_PATIENCE_MS = 3_000;
/** A refusal takes this long: a client that repeats at once would otherwise keep the server busy with refusals. */
const REFUSE_AFTER_MS = 500;
const RETRY_AFTER_SECONDS = 1;

/** User of a place. */
export interface PlaceUser {
  share: Share;
  /** Aborted when the caller has gone: it leaves the queue. */
  signal?: AbortSignal | undefined;
}

/** The caller has closed the connection before the answer. */
export class CallerGone extends Error {
  readonly code = "CALLER_GONE";
}

export class Places {
  readonly #admission: Admission;
  readonly #patienceMs: number;
  readonly #callPatienceMs: number;

  /** `patienceMs` is that of the server's own work, `callPatienceMs` that of calls. */
  constructor(count: number, patienceMs: number, callPatienceMs = CALL_PATIENCE_MS) {
    this.#admission = new Admission(count);
    this.#patienceMs = patienceMs;
    this.#callPatienceMs = callPatienceMs;
  }

  get waiting(): number {
    return this.#admission.waiting;
  }

  /**
   * Runs `work` in a place. Throws `RATE_LIMITED` when the caller's share is used up, `NoConnection` when the server is busy,
   * `CallerGone` when the caller is.
   */
  async use<Result>(user: PlaceUser, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.#enter(user);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async #enter({ share, signal }: PlaceUser): Promise<Leave> {
    if (signal?.aborted) throw new CallerGone();
    const granted = Promise.withResolvers<void>();
    let isIn = false;
    const leave = this.#admission.enter(share, () => {
      isIn = true;
      granted.resolve();
    });
    if (leave === "full" && share.load !== "stranger") {
      throw new NoConnection("too many calls wait for a place");
    }
    if (typeof leave === "string") {
      await sleep(REFUSE_AFTER_MS, undefined, { signal }).catch(() => {});
      throw signal?.aborted ? new CallerGone() : shareUsedUp();
    }
    if (isIn) return leave;
    const timer = setTimeout(
      () => granted.reject(this.#lateRefusal(share)),
      share.isBounded ? Math.min(this.#patienceMs, this.#callPatienceMs) : this.#patienceMs,
    );
    const give = () => granted.reject(new CallerGone());
    signal?.addEventListener("abort", give, { once: true });
    try {
      await granted.promise;
      return leave;
    } catch (error) {
      leave();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", give);
    }
  }

  #lateRefusal(share: Share): Error {
    const isStranger = share.load === "stranger";
    return isStranger || (share.isBounded && this.#admission.isShareUsedUp(share))
      ? shareUsedUp()
      : new NoConnection("no place free in time");
  }
}

function shareUsedUp(): Refusal {
  return new Refusal("RATE_LIMITED", { seconds: RETRY_AFTER_SECONDS });
}
