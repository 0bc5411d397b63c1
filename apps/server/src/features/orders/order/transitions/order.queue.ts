// Queues messages about orders in the caller's transaction, so that they are sent only after its commit.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { addJob } from "../../../../platform/jobs/jobs.ts";
import { hasEnabledChannel, keyOf } from "../../../messaging/template/index.ts";
import type { LockedOrder } from "./live-order.sql.ts";

export const NOTIFY = "order.tell";

export interface OrderNews {
  tenantId: number;
  orderId: number;
  scene: Extract<MessageScenario, "STORED" | "OUTAGE" | "PICKED_UP" | "TAKEN_BACK" | "REFUNDED">;
  endUserId: number;
  /** Deduplicates messages of one scene and order, since the job is at-least-once. */
  occasion: string;
  at: string;
  refundedFen: number;
}

type Who = Pick<OrderNews, "scene" | "endUserId"> &
  Partial<Pick<OrderNews, "occasion" | "refundedFen">>;

/** Costs one query and queues no job when the tenant has not enabled this message. */
export async function enqueueOrderNotice(
  db: Db,
  { tenantId, id: orderId, side, now }: LockedOrder,
  { occasion = "", refundedFen = 0, ...who }: Who,
): Promise<void> {
  if (!(await hasEnabledChannel(db, keyOf(tenantId, who.scene, side)))) return;
  const news: OrderNews = { tenantId, orderId, at: now, occasion, refundedFen, ...who };
  await addJob(db, NOTIFY, news);
}

/** The tenant need not have configured the message: a person asks for it. */
export async function enqueueOutageNotice(
  db: Db,
  news: Pick<OrderNews, "tenantId" | "orderId" | "endUserId" | "occasion" | "at">,
): Promise<void> {
  await addJob(db, NOTIFY, { ...news, scene: "OUTAGE", refundedFen: 0 } satisfies OrderNews);
}
