// The connections of one process to PostgreSQL, shared fairly between its callers.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { Refusal } from "../errors.ts";
import { observePool } from "../metrics.ts";
import type { Press } from "../press.gate.ts";
import { Admission, type Leave, type Share } from "./admission.rules.ts";
import { checkOut, NoConnection, openPool, type PoolUse } from "./postgres-client.ts";
import { codeOf, DISK_FULL } from "./sql-state.ts";

/** How long the server's own work waits for a connection. */
const PATIENCE_MS = 5_000;
/** Calls wait less, so that a statement of five seconds still ends within the handler's deadline (promise O3). */
const CALL_PATIENCE_MS = 3_000;
/** A refusal takes this long: a client that repeats at once would otherwise keep the server busy with refusals. */
const REFUSE_AFTER_MS = 500;
const RETRY_AFTER_SECONDS = 1;
/** The database counts as full for this long after it refused to write. */
const FULL_FOR_MS = 30_000;

/** User of a connection. */
export interface Caller {
  share: Share;
  /** Aborted when the caller has gone: it leaves the queue, and its reading query is cancelled. */
  signal?: AbortSignal;
  /** Press behind the call; null: the call is not `pressed`. */
  press?: Press | null;
  /** Told by each attempt of a call whether an earlier request has given its answer. */
  noteReplay?: (isReplayed: boolean) => void;
}

/** The caller has closed the connection before the answer. */
export class CallerGone extends Error {
  readonly code = "CALLER_GONE";
}

export class Connections {
  readonly pool: pg.Pool;
  readonly #patienceMs: number;
  readonly #admission: Admission;
  readonly #stopObserving: () => void;
  #fullUntil = 0;

  constructor(use: PoolUse) {
    this.#patienceMs = use.connectWithinMs ?? PATIENCE_MS;
    this.pool = openPool(use);
    this.#admission = new Admission(use.max);
    const { pool } = this;
    const waitingForPlace = () => this.#admission.waiting;
    this.#stopObserving = observePool({
      get totalCount() {
        return pool.totalCount;
      },
      get idleCount() {
        return pool.idleCount;
      },
      get waitingCount() {
        return waitingForPlace() + pool.waitingCount;
      },
    });
  }

  /**
   * Waits for a place and runs `work` with a connection; `work` releases the connection. Throws `RATE_LIMITED` when the
   * caller's share is used up, `NoConnection` when the server is busy, `CallerGone` when the caller is.
   */
  async use<Result>(
    caller: Caller,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const leave = await this.#enter(caller);
    try {
      return await work(await checkOut(this.pool));
    } catch (error) {
      const { cause } = error as Error;
      if (codeOf(cause) === DISK_FULL) this.#fullUntil = performance.now() + FULL_FOR_MS;
      throw error;
    } finally {
      leave();
    }
  }

  /** True if the database's disk was full a moment ago: small writes may still find room. */
  get isDiskFull(): boolean {
    return performance.now() < this.#fullUntil;
  }

  async #enter({ share, signal }: Caller): Promise<Leave> {
    if (signal?.aborted) throw new CallerGone();
    const granted = Promise.withResolvers<void>();
    let isIn = false;
    const leave = this.#admission.enter(share, () => {
      isIn = true;
      granted.resolve();
    });
    if (leave === "full") throw new NoConnection("too many calls wait for a connection");
    if (leave === "share-used-up") {
      await sleep(REFUSE_AFTER_MS, undefined, { signal }).catch(() => {});
      throw signal?.aborted ? new CallerGone() : shareUsedUp();
    }
    if (isIn) return leave;
    const timer = setTimeout(
      () => granted.reject(this.#lateRefusal(share)),
      share.isBounded ? Math.min(this.#patienceMs, CALL_PATIENCE_MS) : this.#patienceMs,
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
      : new NoConnection("no connection free in time");
  }

  async close(): Promise<void> {
    this.#stopObserving();
    await this.pool.end();
  }
}

function shareUsedUp(): Refusal {
  return new Refusal("RATE_LIMITED", { seconds: RETRY_AFTER_SECONDS });
}
