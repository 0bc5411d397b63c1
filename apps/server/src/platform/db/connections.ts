// The connections of one process to PostgreSQL, shared fairly between its callers.
import type pg from "pg";
import { observePool } from "../metrics.ts";
import type { Press } from "../press.gate.ts";
import { Places, type PlaceUser } from "./places.ts";
import { checkOut, openPool, type PoolUse } from "./postgres-client.ts";
import { codeOf, DISK_FULL } from "./sql-state.ts";

/** How long the server's own work waits for a connection. */
const PATIENCE_MS = 5_000;
/** The database counts as full for this long after it refused to write. */
const FULL_FOR_MS = 30_000;

/** User of a connection: when it has gone, its reading query is cancelled, too. */
export interface Caller extends PlaceUser {
  /** Press behind the call; null: the call is not `pressed`. */
  press?: Press | null;
  /** Told by each attempt of a call whether an earlier request has given its answer. */
  noteReplay?: (isReplayed: boolean) => void;
}

export class Connections {
  readonly pool: pg.Pool;
  readonly #places: Places;
  readonly #stopObserving: () => void;
  #fullUntil = 0;

  constructor(use: PoolUse) {
    this.pool = openPool(use);
    this.#places = new Places(use.max, use.connectWithinMs ?? PATIENCE_MS);
    const { pool } = this;
    const waitingForPlace = () => this.#places.waiting;
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
    return this.#places.use(caller, async () => {
      try {
        return await work(await checkOut(this.pool));
      } catch (error) {
        const { cause } = error as Error;
        if (codeOf(cause) === DISK_FULL) this.#fullUntil = performance.now() + FULL_FOR_MS;
        throw error;
      }
    });
  }

  /** True if the database's disk was full a moment ago: small writes may still find room. */
  get isDiskFull(): boolean {
    return performance.now() < this.#fullUntil;
  }

  async close(): Promise<void> {
    this.#stopObserving();
    await this.pool.end();
  }
}
