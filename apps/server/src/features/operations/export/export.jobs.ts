// Scheduled jobs of exports: deletes expired ones.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { deleteExpiredExports } from "./export.sql.ts";

export const exportJobs: JobSet = {
  tasks: {
    "export.deleteExpired": (_payload, { database }) =>
      database.transaction("platform", deleteExpiredExports),
  },
  waitingTimes: [
    { column: "list_export.seen_at", atMost: "2 minutes", where: "state = 'RUNNING'" },
  ],
  cron: [{ task: "export.deleteExpired", pattern: "*/5 * * * *" }],
};
