// Scheduled job of the app: deletes expired sign-ins and counters of rate limits.

import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { deleteOldAsks } from "../../../platform/limits/rate-limit.sql.ts";
import { deleteOldUse } from "../../../platform/limits/tenant-use.sql.ts";
import { deleteExpiredAppSignIns } from "../end-user/index.ts";

export const appJobs: JobSet = {
  tasks: {
    "app.deleteExpired": (_payload, { database }) =>
      database.transaction("platform", async (db) => {
        await deleteExpiredAppSignIns(db);
        await deleteOldAsks(db);
        await deleteOldUse(db);
      }),
  },
  cron: [{ task: "app.deleteExpired", pattern: "*/10 * * * *" }],
};
