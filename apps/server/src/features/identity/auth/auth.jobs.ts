// Scheduled job for sign-in: deletes expired sessions, captchas, failures and login logs.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { deleteExpiredSignIns } from "./auth.sql.ts";

export const authJobs: JobSet = {
  tasks: {
    "auth.deleteExpired": (_payload, { database }) =>
      database.transaction("platform", deleteExpiredSignIns),
  },
  cron: [{ task: "auth.deleteExpired", pattern: "*/10 * * * *" }],
};
