// What runs by itself for statistics: deltas are folded into days each minute.
import type { JobSet } from "../../platform/jobs.ts";
import { foldFigures } from "./figures.sql.ts";

/** Small enough to end well within the time a statement may take. */
const FOLDED_AT_ONCE = 20_000;

export const statisticsJobs: JobSet = {
  tasks: {
    "statistics.fold": async (_payload, { database }) => {
      const fold = () => database.transaction("platform", (db) => foldFigures(db, FOLDED_AT_ONCE));
      while ((await fold()) === FOLDED_AT_ONCE);
    },
  },
  cron: [{ task: "statistics.fold", pattern: "* * * * *" }],
};
