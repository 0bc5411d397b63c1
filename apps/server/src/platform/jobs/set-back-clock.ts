// Mends times that were stored while the database's clock was ahead, once it has been set back (0119).
import type pg from "pg";
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

/** Logs what it mends: nothing else would tell why nothing has run. */
export async function mendFutureTimes(pool: pg.Pool, log: Log): Promise<void> {
  const mended: Record<string, number> = {};
  for (const [what, statement] of Object.entries(statements)) {
    const { rowCount } = await pool.query(statement);
    if (rowCount) mended[what] = rowCount;
  }
  if (Object.keys(mended).length > 0) {
    log.error(
      { mended },
      "the database's clock was ahead: times stored meanwhile lay in the future",
    );
  }
}
