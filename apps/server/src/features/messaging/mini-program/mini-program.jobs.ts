// Background jobs of mini-programs: checks settings, deletes old pushes.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { CHECK_SETTING } from "./mini-program.queue.ts";
import { deleteOldPushes } from "./mini-program-push.sql.ts";
import { checkSetting } from "./mini-program-setting.service.ts";
import type { MiniPrograms } from "./mini-programs.cache.ts";

export function miniProgramJobs(miniPrograms: MiniPrograms): JobSet {
  return {
    tasks: {
      [CHECK_SETTING]: (payload, { database }) =>
        checkSetting(database, miniPrograms, (payload as { tenantId: number }).tenantId),
      "mini-program.forgetPushes": (_payload, { database }) =>
        database.transaction("platform", deleteOldPushes),
    },
    cron: [{ task: "mini-program.forgetPushes", pattern: "40 19 * * *" }],
  };
}
