// Background jobs of malfunctions: compares sensors with the records, closes recovered ones after a while, removes
// photos no longer kept.
import { CLOSE_AFTER_DAYS } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { inBatches, type JobSet } from "../../../platform/jobs/jobs.ts";
import { announce } from "./malfunction.service.ts";
import { closeRecovered } from "./malfunction-progress.sql.ts";
import { markContradictions, markDoorsLeftOpen } from "./signal.sql.ts";
import { removeOldPhotos } from "./timeline.sql.ts";

const COMPARE = "malfunction.compare";
const CLOSE = "malfunction.close";
const FORGET = "malfunction.removeOldPhotos";
const AT_ONCE = 500;

export const malfunctionJobs: JobSet = {
  tasks: {
    [COMPARE]: (_payload, { database }) =>
      database.transaction("platform", async (db) => {
        await markContradictions(db);
        await markDoorsLeftOpen(db);
      }),
    [CLOSE]: (_payload, { database }) =>
      inBatches(database, AT_ONCE, async (db, atOnce) => {
        const closed = await closeRecovered(db, CLOSE_AFTER_DAYS, atOnce);
        await announce(db, closed);
        return closed.length;
      }),
    [FORGET]: (_payload, { database }) => inBatches(database, AT_ONCE, removeOldPhotos),
  },
  cron: [
    { task: COMPARE, pattern: "* * * * *" },
    { task: CLOSE, pattern: "20 * * * *" },
    { task: FORGET, pattern: "20 18 * * *" },
  ],
};
