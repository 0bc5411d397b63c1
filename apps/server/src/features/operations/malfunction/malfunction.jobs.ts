// Background jobs of malfunctions: compares sensors with the records, closes recovered ones after a
// while.
import { CLOSE_AFTER_DAYS } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { announce } from "./malfunction.service.ts";
import { closeRecovered } from "./malfunction-progress.sql.ts";
import { markContradictions } from "./signal.sql.ts";

const COMPARE = "malfunction.compare";
const CLOSE = "malfunction.close";
const AT_ONCE = 500;

export const malfunctionJobs: JobSet = {
  tasks: {
    [COMPARE]: (_payload, { database }) => database.transaction("platform", markContradictions),
    [CLOSE]: async (_payload, { database }) => {
      const close = () =>
        database.transaction("platform", async (db) => {
          const closed = await closeRecovered(db, CLOSE_AFTER_DAYS, AT_ONCE);
          await announce(db, closed);
          return closed.length;
        });
      while ((await close()) === AT_ONCE);
    },
  },
  cron: [
    { task: COMPARE, pattern: "* * * * *" },
    { task: CLOSE, pattern: "20 * * * *" },
  ],
};
