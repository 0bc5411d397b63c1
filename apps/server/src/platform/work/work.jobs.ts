// Figures of due work for /metrics, and the removal of failures that nothing retries any more.
import type { Database } from "../db/db.ts";
import type { JobSet } from "../jobs/jobs.ts";
import { workFailing } from "../metrics.ts";
import { countFailing, forgetOldFailures } from "./work.sql.ts";

const FORGET = "work.forgetFailures";

export const workJobs: JobSet = {
  tasks: {
    [FORGET]: (_payload, { database }) => database.transaction("platform", forgetOldFailures),
  },
  waitingTimes: [{ column: "work_failure.retry_at", atMost: "1 hour" }],
  cron: [{ task: FORGET, pattern: "50 * * * *" }],
};

/** Resets first: a work whose rows are well again must not keep its last figure. */
export async function measureWork(database: Database): Promise<void> {
  const found = await database.read("platform", countFailing);
  workFailing.reset();
  for (const { work, rows } of found) workFailing.set({ work }, rows);
}
