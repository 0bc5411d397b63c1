// Challenges in the database: given out, used once, forgotten after their time.
import { type Db, sql } from "../../platform/db.ts";

/** Returns the database's time in unix milliseconds. A crash may forget it: the cabinet asks again. */
export async function insertChallenge(db: Db, nonce: string, ttlSeconds: number): Promise<number> {
  const [, { serverTime }] = await Promise.all([
    db.run(sql`select set_config('synchronous_commit', 'off', true)`),
    db.one<{ serverTime: number }>(sql`
      insert into device_challenge (nonce, expires_at)
      values (${nonce}, now() + make_interval(secs => ${ttlSeconds}))
      returning floor(extract(epoch from now()) * 1000)::bigint as "serverTime"`),
  ]);
  return serverTime;
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
