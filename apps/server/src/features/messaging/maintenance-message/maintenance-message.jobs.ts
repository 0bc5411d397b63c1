// Background jobs of maintenance messages: notices of new malfunctions, and escalations.
import type { Database, Db } from "../../../platform/db/db.ts";
import type { JobSet, JobTools } from "../../../platform/jobs/jobs.ts";
import { followAlert } from "./maintenance-alert.service.ts";
import { NOTIFY } from "./maintenance-message.queue.ts";
import { findDueAlerts, findDueSms, type MalfunctionKey } from "./maintenance-notice.sql.ts";
import { sendWaiting } from "./staff-notice.service.ts";

/** Batch size per minute; the rest waits for the next run. */
const A_MINUTE = 500;

export const maintenanceMessageJobs: JobSet = {
  tasks: {
    [NOTIFY]: async (_payload, tools) => {
      await each(tools, findDueAlerts, followAlert);
      await each(tools, findDueSms, sendWaiting);
    },
  },
  cron: [{ task: NOTIFY, pattern: "* * * * *" }],
};

/** One transaction per malfunction: an error in one does not delay the others. */
async function each(
  { database, log }: { database: Database; log: JobTools["log"] },
  find: (db: Db, limit: number) => Promise<MalfunctionKey[]>,
  work: (db: Db, key: MalfunctionKey) => Promise<void>,
): Promise<void> {
  for (const key of await database.read("platform", (db) => find(db, A_MINUTE))) {
    await database
      .transaction({ tenantId: key.tenantId }, (db) => work(db, key))
      .catch((error) => log.error({ err: error, id: key.id }, "maintenance message not sent"));
  }
}
