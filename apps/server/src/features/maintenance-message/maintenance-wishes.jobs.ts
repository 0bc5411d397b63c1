// What is asked for once a transaction has committed: that somebody hears of new malfunctions.
import type { Db } from "../../platform/db.ts";
import { addJob } from "../../platform/jobs.ts";
import { insertAlerts, type MalfunctionKey } from "./maintenance-notice.sql.ts";

export const TELL = "maintenance.tell";

/** Of malfunctions that are new; a repeat of an open one is none. */
export async function tellSoon(db: Db, malfunctions: readonly MalfunctionKey[]): Promise<void> {
  if (malfunctions.length === 0) return;
  await insertAlerts(db, malfunctions);
  await addJob(db, TELL, {});
}
