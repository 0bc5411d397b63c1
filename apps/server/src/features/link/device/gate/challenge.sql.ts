// Challenges (nonces) in the database: issued, used once, deleted after they expire.
import type { Database, Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";

/**
 * Issues challenges: those that are requested while a statement runs share the next one, because a whole fleet may come
 * back at once, and because anybody may ask.
 */
export class Challenges {
  readonly #database: Database;
  readonly #ttlSeconds: number;
  #next: { nonces: string[]; inserted: Promise<number> } | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, ttlSeconds: number) {
    this.#database = database;
    this.#ttlSeconds = ttlSeconds;
  }

  /** Returns the database's time in unix milliseconds. */
  issue(nonce: string): Promise<number> {
    if (!this.#next) {
      const nonces: string[] = [];
      const inserted = this.#last.then(() => {
        this.#next = null;
        return this.#insert(nonces);
      });
      this.#next = { nonces, inserted };
      this.#last = inserted.catch(() => {});
    }
    this.#next.nonces.push(nonce);
    return this.#next.inserted;
  }

  /** Without synchronous commit: a crash may lose the rows, and the cabinets then request others. */
  async #insert(nonces: string[]): Promise<number> {
    const [row] = await this.#database.unscoped<{ serverTime: number }>(sql`
      with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
      insert into device_challenge (nonce, expires_at)
      select unnest(${nonces}::text[]), now() + make_interval(secs => ${this.#ttlSeconds})
      from relaxed
      returning floor(extract(epoch from now()) * 1000)::bigint as server_time`);
    return row?.serverTime ?? 0;
  }
}

/** Consumes a challenge: true at most once, and only before it expires. */
export async function useChallenge(db: Db, nonce: string): Promise<boolean> {
  const used = await db.run(sql`
    delete from device_challenge where nonce = ${nonce} and expires_at > now()`);
  return used === 1;
}

export async function deleteStaleChallenges(db: Db): Promise<void> {
  await db.run(sql`delete from device_challenge where expires_at <= now()`);
}
