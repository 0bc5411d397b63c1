// Scheduled job for cabinet secrets: wipes those that have ended.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { cleanSecrets } from "../../link/device/index.ts";

export const cabinetSecretJobs: JobSet = {
  tasks: {
    "cabinet-secret.clean": (_payload, { database }) =>
      database.transaction("platform", cleanSecrets),
  },
  cron: [{ task: "cabinet-secret.clean", pattern: "17 * * * *" }],
};
