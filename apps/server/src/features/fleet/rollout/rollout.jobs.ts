// Jobs of roll-outs: each one's next step, soon after an event and every minute.

import type { Db } from "../../../platform/db/db.ts";
import { addJob, type JobSet } from "../../../platform/jobs/jobs.ts";
import { advanceRollout } from "./rollout-progress.flow.ts";
import { findOpenRollouts } from "./rollout-progress.sql.ts";
import type { RolloutKey } from "./rollout-scope.sql.ts";

const ADVANCE = "rollout.advance";

/** Runs after this transaction commits; the job key merges repeated requests for one roll-out. */
export function advanceSoon(db: Db, { tenantId, id }: RolloutKey): Promise<void> {
  return addJob(db, ADVANCE, { tenantId, id }, `${ADVANCE}:${tenantId}:${id}`);
}

export const rolloutJobs: JobSet = {
  tasks: {
    [ADVANCE]: (payload, { database }) => {
      const key = payload as RolloutKey;
      return database.transaction({ tenantId: key.tenantId }, (db) => advanceRollout(db, key));
    },
    "rollout.tick": (_payload, { database }) =>
      database.transaction("platform", async (db) => {
        for (const key of await findOpenRollouts(db)) await advanceSoon(db, key);
      }),
  },
  cron: [{ task: "rollout.tick", pattern: "* * * * *" }],
};
