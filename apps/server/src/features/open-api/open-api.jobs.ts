// What goes by itself: numbers that can no longer come again, secrets that have ended, old records.
import type { JobSet } from "../../platform/jobs.ts";
import { cleanOpenApi } from "./open-app.sql.ts";

export const openApiJobs: JobSet = {
  tasks: {
    clean_open_api: async (_payload, { database }) => {
      await database.transaction("platform", cleanOpenApi);
    },
  },
  cron: [{ task: "clean_open_api", pattern: "*/5 * * * *" }],
};
