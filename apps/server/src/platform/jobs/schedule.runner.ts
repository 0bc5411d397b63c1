// Adds the jobs that cron patterns name, each minute of the database's clock; a tick fires once across processes.
import type { ParsedCronItem } from "graphile-worker";
import type pg from "pg";
import type { Log } from "../log.ts";
import { startTurns, type Turns } from "./turns.ts";

const LOOK_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
/** Ticks missed for longer, as while the database was down, are skipped. */
const CATCH_UP_MINUTES = 60;

/**
 * graphile-worker's own cron is not used (0119): it waits by the clock of its process, which may be set back while it waits,
 * and would give its jobs that clock's time.
 */
export function startSchedule(pool: pg.Pool, items: readonly ParsedCronItem[], log: Log): Turns {
  /** The last minute that this process has looked at; the one in which it starts belongs to earlier processes. */
  let seenMs: number | null = null;

  async function look(): Promise<void> {
    const { rows } = await pool.query<{ ms: number }>(
      "select extract(epoch from now())::float8 * 1000 as ms",
    );
    const minuteMs = Math.floor((rows[0]?.ms ?? 0) / MINUTE_MS) * MINUTE_MS;
    // A clock that was set back begins anew, from its present minute on.
    const due = seenMs === null || minuteMs <= seenMs ? [] : dueBetween(items, seenMs, minuteMs);
    if (due.length > 0) await addDue(pool, due);
    seenMs = minuteMs;
  }
  return startTurns(log, LOOK_EVERY_MS, look, "scheduled jobs could not be added");
}

interface DueItem {
  identifier: string;
  task: string;
  /** The latest minute that the pattern names. */
  ts: string;
}

function dueBetween(items: readonly ParsedCronItem[], afterMs: number, untilMs: number): DueItem[] {
  const fromMs = Math.max(afterMs + MINUTE_MS, untilMs - (CATCH_UP_MINUTES - 1) * MINUTE_MS);
  return items.flatMap(({ identifier, task, match }) => {
    for (let ms = untilMs; ms >= fromMs; ms -= MINUTE_MS) {
      const at = new Date(ms);
      const isDue = match({
        min: at.getUTCMinutes(),
        hour: at.getUTCHours(),
        date: at.getUTCDate(),
        month: at.getUTCMonth() + 1,
        dow: at.getUTCDay(),
      });
      if (isDue) return { identifier, task, ts: at.toISOString() };
    }
    return [];
  });
}

/** graphile-worker's table of ticks: earlier releases use it too, and both may run beside each other during an upgrade. */
async function addDue(pool: pg.Pool, due: readonly DueItem[]): Promise<void> {
  await pool.query(
    `with due as (
       select input.identifier, input.task, input.ts
       from json_to_recordset($1) as input(identifier text, task text, ts timestamptz)
     ), taken as (
       insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
       select due.identifier, due.ts, due.ts from due order by due.identifier
       on conflict (identifier) do update set last_execution = excluded.last_execution
       where known.last_execution is null or known.last_execution < excluded.last_execution
       returning known.identifier
     )
     select graphile_worker.add_job(due.task,
       json_build_object('_cron', json_build_object('ts', due.ts, 'backfilled', false)))
     from due join taken on taken.identifier = due.identifier`,
    [JSON.stringify(due)],
  );
}
