// Scheduled jobs of the ledger: deletes old idempotency keys.
import { deleteOldKeys } from "../../../platform/db/idempotency.sql.ts";
import type { JobSet } from "../../../platform/jobs/jobs.ts";

export const ledgerJobs: JobSet = {
  tasks: {
    "ledger.deleteOldKeys": (_payload, { database }) =>
      database.transaction("platform", deleteOldKeys),
  },
  cron: [{ task: "ledger.deleteOldKeys", pattern: "37 * * * *" }],
};
