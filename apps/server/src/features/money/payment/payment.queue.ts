// Enqueues calls to WeChat Pay that run after commit: no transaction waits for the network.
import type { Db } from "../../../platform/db/db.ts";
import { addJob } from "../../../platform/jobs/jobs.ts";

export const PREPAY = "payment.prepay";
export const SETTLE = "payment.settle";
export const REFUND = "payment.refund";
export const CHECK_SETTING = "payment.checkSetting";

export interface MoneyKey {
  tenantId: number;
  id: number;
}

const request =
  (task: string) =>
  (db: Db, { tenantId, id }: MoneyKey): Promise<void> =>
    addJob(db, task, { tenantId, id }, `${task}:${tenantId}:${id}`);

/** Enqueues the creation of the payment for a new top-up. */
export const prepaySoon = request(PREPAY);
/** Enqueues a query for the payment state of a top-up, and the resulting action. */
export const settleSoon = request(SETTLE);
/** Enqueues a refund request, or a query for its state. */
export const refundSoon = request(REFUND);

export function checkSettingSoon(db: Db, tenantId: number): Promise<void> {
  return addJob(db, CHECK_SETTING, { tenantId }, `${CHECK_SETTING}:${tenantId}`);
}
