// Rate limits counted in the database by key and window.
import type { Db } from "../db/db.ts";
import { sql } from "../db/sql.ts";

interface Limit {
  max: number;
  seconds: number;
}

/** Counts one request for `key`; returns the seconds until the next is granted, 0 when this one is. */
export async function countAsk(db: Db, key: string, limits: readonly Limit[]): Promise<number> {
  let longest = 0;
  for (const { max, seconds } of limits) {
    const { asked, rest } = await countAsked(db, key, seconds);
    if (asked > max) longest = Math.max(longest, rest);
  }
  return longest;
}

/**
 * Counts one request for `key` (or an `amount` of them; a negative one takes back); returns how many there were in the window, these included, and
 * the seconds until it ends. A window that begins more than a minute in the future (no concurrent transaction's) was left by a clock set
 * back: it is over.
 */
export function countAsked(
  db: Db,
  key: string,
  seconds: number,
  amount = 1,
): Promise<{ asked: number; rest: number }> {
  const isOver = sql`(ask_count.began_at <= now() - make_interval(secs => ${seconds})
    or ask_count.began_at > now() + interval '1 minute')`;
  return db.one(sql`
    insert into ask_count (key, asked) values (${`${key}/${seconds}`}, ${amount})
    on conflict (key) do update set
      asked = case when ${isOver} then excluded.asked
        else least(greatest(ask_count.asked + excluded.asked, 0), 1000000000) end,
      began_at = case when ${isOver} then now() else ask_count.began_at end
    -- A concurrent transaction may have begun later than this one, and the window with it.
    returning asked, least(${seconds}, greatest(1,
      ceil(extract(epoch from began_at - now()) + ${seconds})))::int as rest`);
}

export async function deleteOldAsks(db: Db): Promise<void> {
  await db.run(sql`
    delete from ask_count
    where began_at < now() - make_interval(secs => greatest(86400, substring(key from '/(\\d+)$')::int))`);
}
