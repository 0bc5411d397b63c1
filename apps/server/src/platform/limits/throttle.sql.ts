// Backoff in the database: counts failures by key and blocks keys.
import type { Db } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { blockSeconds, LONGEST_BLOCK_SECONDS } from "./throttle.rules.ts";

/**
 * An end further away than the longest block, plus a minute for concurrent transactions, was left by a clock set back: it
 * is ignored.
 */
const isBlockedSql = sql`(coalesce(sign_in_throttle.blocked_until > now()
  and sign_in_throttle.blocked_until
    <= now() + make_interval(secs => ${LONGEST_BLOCK_SECONDS}) + interval '1 minute', false))`;

/** The count restarts when the last failure is an hour old. */
const nextFailureSql = sql`case
  when sign_in_throttle.last_failure_at < now() - interval '1 hour' then 1
  else sign_in_throttle.failures + 1 end`;

/** Seconds until these keys may try again, 0 for now. */
export async function blockedSeconds(db: Db, keys: string[]): Promise<number> {
  const { seconds } = await db.one<{ seconds: number }>(sql`
    select coalesce(ceil(extract(epoch from max(blocked_until) - now())), 0)::int as seconds
    from sign_in_throttle where key = any(${keys}) and ${isBlockedSql}`);
  return seconds;
}

/** Counts one more failure for each key; returns for how many seconds they are blocked now. */
export async function recordFailure(db: Db, keys: string[], before?: number): Promise<number> {
  let longest = 0;
  for (const key of keys) {
    const seconds = blockSeconds(await countFailure(db, key), before);
    if (seconds > 0) await blockKey(db, key, seconds);
    longest = Math.max(longest, seconds);
  }
  return longest;
}

async function countFailure(db: Db, key: string): Promise<number> {
  const { failures } = await db.one<{ failures: number }>(sql`
    insert into sign_in_throttle (key, failures) values (${key}, 1)
    on conflict (key) do update set last_failure_at = now(), failures = ${nextFailureSql}
    returning failures`);
  return failures;
}

async function blockKey(db: Db, key: string, seconds: number): Promise<void> {
  await db.run(sql`
    update sign_in_throttle set blocked_until = now() + make_interval(secs => ${seconds})
    where key = ${key}`);
}

/**
 * Counts a try as a failure before it is made, so that concurrent tries gain nothing; `takeBackTry` when it was none.
 * Returns the seconds for which the key is blocked: before the try (`isRefused`), or if it fails.
 */
export async function countTry(
  db: Db,
  key: string,
  before: number,
): Promise<{ isRefused: boolean; seconds: number }> {
  const counted = await db.maybe<{ failures: number }>(sql`
    insert into sign_in_throttle (key, failures) values (${key}, 1)
    on conflict (key) do update set last_failure_at = now(), failures = ${nextFailureSql}
    where not ${isBlockedSql}
    returning failures`);
  if (!counted) return { isRefused: true, seconds: await blockedSeconds(db, [key]) };
  const seconds = blockSeconds(counted.failures, before);
  if (seconds > 0) await blockKey(db, key, seconds);
  return { isRefused: false, seconds };
}

export async function takeBackTry(db: Db, key: string): Promise<void> {
  await db.run(sql`
    update sign_in_throttle set failures = greatest(0, failures - 1), blocked_until = null
    where key = ${key}`);
}

/** Shows a block of one of the key's parts as the key's own. */
export async function extendBlock(db: Db, key: string, seconds: number): Promise<void> {
  await db.run(sql`
    update sign_in_throttle
    set blocked_until = greatest(blocked_until, now() + make_interval(secs => ${seconds}))
    where key = ${key}`);
}

/** Failures of the key, the last of them within an hour. */
export async function failuresOf(db: Db, key: string): Promise<number> {
  const row = await db.maybe<{ failures: number }>(sql`
    select failures from sign_in_throttle
    where key = ${key} and last_failure_at >= now() - interval '1 hour'`);
  return row?.failures ?? 0;
}

export async function forgetFailures(db: Db, key: string): Promise<void> {
  await db.run(sql`delete from sign_in_throttle where key = ${key}`);
}

/** Also those of the keys that begin with this one and a colon. */
export async function forgetFailuresUnder(db: Db, key: string): Promise<void> {
  await db.run(sql`
    delete from sign_in_throttle where key = ${key} or starts_with(key, ${`${key}:`})`);
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await db.run(sql`delete from sign_in_throttle where last_failure_at < now() - interval '1 day'`);
}
