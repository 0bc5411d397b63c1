// What runs by itself for money: keys of requests that nobody repeats any more are forgotten.
import { deleteOldKeys } from "../../platform/idempotency.sql.ts";
import type { JobSet } from "../../platform/jobs.ts";

export const ledgerJobs: JobSet = {
  tasks: {
    "ledger.deleteOldKeys": (_payload, { database }) =>
      database.transaction("platform", deleteOldKeys),
  },
  cron: [{ task: "ledger.deleteOldKeys", pattern: "37 * * * *" }],
};
