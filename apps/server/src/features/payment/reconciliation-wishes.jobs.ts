// Asking for the reconciliations that are in the queue.
import type { Db } from "../../platform/db.ts";
import { addJob } from "../../platform/jobs.ts";

export const RECONCILE = "reconciliation.run";

/** Once this transaction commits; several wishes become one job, which takes all that is in the queue. */
export function reconcileSoon(db: Db): Promise<void> {
  return addJob(db, RECONCILE, {}, RECONCILE);
}
