// What runs by itself for callbacks besides sending them: forgetting what is over.
import type { JobSet } from "../../platform/jobs.ts";
import { deleteEndedSecrets, deleteOld } from "./delivery.sql.ts";

const AT_ONCE = 2_000;

export const callbackJobs: JobSet = {
  tasks: {
    "callback.forget": async (_payload, { database }) => {
      await database.transaction("platform", deleteEndedSecrets);
      let deleted: number;
      do {
        deleted = await database.transaction("platform", (db) => deleteOld(db, AT_ONCE));
      } while (deleted === AT_ONCE);
    },
  },
  cron: [{ task: "callback.forget", pattern: "40 18 * * *" }],
};
