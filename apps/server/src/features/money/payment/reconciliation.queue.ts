// Enqueues the processing of queued reconciliation runs.
import type { Db } from "../../../platform/db/db.ts";
import { addJob } from "../../../platform/jobs/jobs.ts";

export const RECONCILE = "reconciliation.run";

/**
 * Enqueues after commit; the job key merges several requests into one job, which takes all queued
 * runs.
 */
export function reconcileSoon(db: Db): Promise<void> {
  return addJob(db, RECONCILE, {}, RECONCILE);
}
