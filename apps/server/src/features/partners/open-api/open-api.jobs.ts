// Cleanup job of the open API: expired nonces, secrets of ended keys, old call records.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { cleanOpenApi } from "./open-app.sql.ts";

export const openApiJobs: JobSet = {
  tasks: {
    clean_open_api: async (_payload, { database }) => {
      await database.transaction("platform", cleanOpenApi);
    },
  },
  cron: [{ task: "clean_open_api", pattern: "*/5 * * * *" }],
};
