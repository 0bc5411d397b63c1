// What is asked for once a transaction has committed: that people hear of what became of their orders.
import type { SmsScene } from "@cabinet/contract/sms/sms.rules.ts";
import type { Db } from "../../platform/db.ts";
import { addJob } from "../../platform/jobs.ts";
import { isToldAtAll, keyOf } from "../template/index.ts";
import type { LockedOrder } from "./live-order.sql.ts";

export const TELL = "order.tell";

export interface OrderNews {
  tenantId: number;
  orderId: number;
  scene: Extract<SmsScene, "STORED" | "PICKED_UP" | "TAKEN_BACK" | "REFUNDED">;
  endUserId: number;
  /** Tells the same scene of one order apart; the job may run twice, people hear of it once. */
  occasion: string;
  at: string;
  refundedFen: number;
}

type Who = Pick<OrderNews, "scene" | "endUserId"> &
  Partial<Pick<OrderNews, "occasion" | "refundedFen">>;

/** Costs a question and no more where the tenant has not chosen to tell of it. */
export async function tellOrderSoon(
  db: Db,
  { tenantId, id: orderId, side, now }: LockedOrder,
  { occasion = "", refundedFen = 0, ...who }: Who,
): Promise<void> {
  if (!(await isToldAtAll(db, keyOf(tenantId, who.scene, side)))) return;
  const news: OrderNews = { tenantId, orderId, at: now, occasion, refundedFen, ...who };
  await addJob(db, TELL, news);
}
