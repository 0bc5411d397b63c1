// Jobs of statistics: fold deltas into days, sample occupancy, delete expired hours.
import { SAMPLE_MINUTES } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { JobSet, JobTools } from "../../../platform/jobs/jobs.ts";
import { foldFigures } from "./figures.sql.ts";
import { deleteOldOccupancy, sampleOccupancy } from "./occupancy.sql.ts";

/** Batch size that stays well within the statement timeout. */
const ROWS_AT_ONCE = 20_000;

/** One transaction per batch, until a batch is not full. */
async function inPieces({ database }: JobTools, work: (db: Db) => Promise<number>): Promise<void> {
  while ((await database.transaction("platform", work)) === ROWS_AT_ONCE);
}

export const statisticsJobs: JobSet = {
  tasks: {
    "statistics.fold": (_payload, tools) => inPieces(tools, (db) => foldFigures(db, ROWS_AT_ONCE)),
    "statistics.look": async (_payload, { database }) => {
      await database.transaction("platform", sampleOccupancy);
    },
    "statistics.forget": (_payload, tools) =>
      inPieces(tools, (db) => deleteOldOccupancy(db, ROWS_AT_ONCE)),
  },
  cron: [
    { task: "statistics.fold", pattern: "* * * * *" },
    { task: "statistics.look", pattern: `*/${SAMPLE_MINUTES} * * * *` },
    { task: "statistics.forget", pattern: "47 19 * * *" },
  ],
};
