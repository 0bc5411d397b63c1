// What is asked of WeChat Pay once a transaction has committed: the network is never waited for inside of one.
import type { Db } from "../../platform/db.ts";
import { addJob } from "../../platform/jobs.ts";

export const PREPAY = "payment.prepay";
export const SETTLE = "payment.settle";
export const REFUND = "payment.refund";
export const CHECK_SETTING = "payment.checkSetting";

export interface MoneyKey {
  tenantId: number;
  id: number;
}

const wish =
  (task: string) =>
  (db: Db, { tenantId, id }: MoneyKey): Promise<void> =>
    addJob(db, task, { tenantId, id }, `${task}:${tenantId}:${id}`);

/** Orders the payment of a new top-up. */
export const prepaySoon = wish(PREPAY);
/** Asks how the payment of a top-up stands, and acts on it. */
export const settleSoon = wish(SETTLE);
/** Asks for a refund, or how it stands. */
export const refundSoon = wish(REFUND);

export function checkSettingSoon(db: Db, tenantId: number): Promise<void> {
  return addJob(db, CHECK_SETTING, { tenantId }, `${CHECK_SETTING}:${tenantId}`);
}
