// Challenges in the database: given out, used once, forgotten after their time.
import { type Database, type Db, sql } from "../../platform/db.ts";

/**
 * Returns the database's time in unix milliseconds. One statement and its own transaction: a whole
 * fleet asks at once. A crash may forget it: the cabinet asks again.
 */
export async function insertChallenge(
  database: Database,
  nonce: string,
  ttlSeconds: number,
): Promise<number> {
  const [row] = await database.unscoped<{ serverTime: number }>(sql`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    insert into device_challenge (nonce, expires_at)
    select ${nonce}, now() + make_interval(secs => ${ttlSeconds}) from relaxed
    returning floor(extract(epoch from now()) * 1000)::bigint as "serverTime"`);
  return row?.serverTime ?? 0;
}

/** True once for each challenge that is still good. */
export async function useChallenge(db: Db, nonce: string): Promise<boolean> {
  const used = await db.run(sql`
    delete from device_challenge where nonce = ${nonce} and expires_at > now()`);
  return used === 1;
}

export async function deleteStaleChallenges(db: Db): Promise<void> {
  await db.run(sql`delete from device_challenge where expires_at <= now()`);
}
