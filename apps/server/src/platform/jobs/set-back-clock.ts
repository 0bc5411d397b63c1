// Mends times that were stored while the database's clock was ahead, once it has been set back (0119).
import type pg from "pg";
import type { Database } from "../db/db.ts";
import { raw, sql } from "../db/sql.ts";
import type { Log } from "../log.ts";

/** Concurrent transactions and a clock that NTP slews stay far below. */
const AHEAD = "interval '2 minutes'";
/** Longest wait of a job that fails again and again: e^10 seconds. */
const LONGEST_BACKOFF = "interval '7 hours'";

const statements = {
  // A tick fires only later than the last one: ticks would stay away until then.
  schedule: `update graphile_worker._private_known_crontabs set last_execution = now()
    where last_execution > now() + ${AHEAD}`,
  // A dead worker would count as alive, and its jobs would stay locked.
  workers: `update job_worker set seen_at = now() where seen_at > now() + ${AHEAD}`,
  // A job keeps the delay with which it was added.
  jobs: `update graphile_worker._private_jobs set
      run_at = case when updated_at > now() + ${AHEAD} then run_at - (updated_at - now())
        when run_at > now() + ${LONGEST_BACKOFF} and attempts > 0 then now() else run_at end,
      created_at = least(created_at, now()), updated_at = least(updated_at, now()),
      locked_at = case when locked_at > now() then now() else locked_at end
    where updated_at > now() + ${AHEAD} or locked_at > now() + ${AHEAD}
      or (run_at > now() + ${LONGEST_BACKOFF} and attempts > 0)`,
};

/** A stored time until which something waits, and which a clock that was ahead leaves in the future. */
export interface WaitingTime {
  /** Table and column, as in `sms_message.due_at`. */
  column: `${string}.${string}`;
  /** Interval: no further in the future while the clock is right. */
  atMost: string;
  /** Rows for which that holds; absent: all. */
  where?: string;
  /** Interval from now to the time that replaces it; absent: now. */
  after?: string;
}

/** Logs what it mends: nothing else would tell why nothing has run. */
export async function mendClockwork(pool: pg.Pool, log: Log): Promise<void> {
  const mended: Record<string, number> = {};
  for (const [what, statement] of Object.entries(statements)) {
    const { rowCount } = await pool.query(statement);
    if (rowCount) mended[what] = rowCount;
  }
  logMended(log, mended);
}

/** Each in a transaction of its own, so that one that fails or waits for a lock does not hold up the others. */
export async function mendWaitingTimes(
  { database, log }: { database: Database; log: Log },
  times: readonly WaitingTime[],
): Promise<void> {
  const mended: Record<string, number> = {};
  for (const { column, atMost, where = "true", after = "0" } of times) {
    const [table, name] = column.split(".").map((part) => raw(part));
    const rows = await database
      .transaction("platform", (db) =>
        db.run(sql`
          update ${table} set ${name} = now() + ${after}::interval
          where ${name} > now() + ${atMost}::interval and (${raw(where)})`),
      )
      .catch((error) => {
        log.warn({ err: error, column }, "times in the future could not be mended");
        return 0;
      });
    if (rows > 0) mended[column] = rows;
  }
  logMended(log, mended);
}

function logMended(log: Log, mended: Record<string, number>): void {
  if (Object.keys(mended).length === 0) return;
  log.error({ mended }, "the database's clock was ahead: times stored meanwhile lay in the future");
}
