// What runs by itself for mini-programs: trying whether a setting works.
import type { JobSet } from "../../platform/jobs.ts";
import { checkSetting } from "./mini-program-setting.service.ts";
import { CHECK_SETTING } from "./mini-program-wishes.jobs.ts";
import type { MiniPrograms } from "./mini-programs.ts";

export function miniProgramJobs(miniPrograms: MiniPrograms): JobSet {
  return {
    tasks: {
      [CHECK_SETTING]: (payload, { database }) =>
        checkSetting(database, miniPrograms, (payload as { tenantId: number }).tenantId),
    },
    cron: [],
  };
}
