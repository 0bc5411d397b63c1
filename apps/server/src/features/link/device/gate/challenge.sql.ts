// Challenges (nonces) in the database: issued, used once, deleted after they expire.
import type { Database, Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";

/**
 * Returns the database's time in unix milliseconds. One statement without synchronous commit,
 * because a whole fleet may request challenges at once; a crash may lose the row, and the cabinet
 * then requests another.
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
    returning floor(extract(epoch from now()) * 1000)::bigint as server_time`);
  return row?.serverTime ?? 0;
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
