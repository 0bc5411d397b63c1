// Enqueues calls to WeChat that run after commit: no transaction waits for the network.
import type { Db } from "../../../platform/db/db.ts";
import { addJob } from "../../../platform/jobs/jobs.ts";

export const CHECK_SETTING = "mini-program.checkSetting";

export function checkSettingSoon(db: Db, tenantId: number): Promise<void> {
  return addJob(db, CHECK_SETTING, { tenantId }, `${CHECK_SETTING}:${tenantId}`);
}
