// Statements that wait for a lock of another, and the transaction that holds it.
import type { Database, Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";

/** Counts them in this database alone: other tests' databases are on the same server. */
export async function countWaiting(database: Database): Promise<number> {
  const [row] = await database.unscoped<{ count: number }>(sql`
    select count(*)::int as count from pg_locks
    join pg_stat_activity activity on activity.pid = pg_locks.pid
    where not pg_locks.granted and activity.datname = current_database()`);
  return row?.count ?? 0;
}

/** Lets a transaction of a test hold its locks while a slow machine answers: the server ends one that idles for 2.5 s. */
export const mayIdle = (db: Db): Promise<unknown> =>
  db.run(sql`select set_config('idle_in_transaction_session_timeout', '20000', true)`);
