// Enqueues the notices of new malfunctions; the job runs after commit.
import type { Db } from "../../../platform/db/db.ts";
import { addJob } from "../../../platform/jobs/jobs.ts";
import { insertAlerts, type MalfunctionKey } from "./maintenance-notice.sql.ts";

export const NOTIFY = "maintenance.tell";

/** For new malfunctions only; a repeat of an open one is not notified. */
export async function enqueueNotices(
  db: Db,
  malfunctions: readonly MalfunctionKey[],
): Promise<void> {
  if (malfunctions.length === 0) return;
  await insertAlerts(db, malfunctions);
  await addJob(db, NOTIFY, {});
}
