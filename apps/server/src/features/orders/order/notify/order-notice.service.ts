// Notifies people once about what happens to their orders: stored, out of reach, picked up, taken back, refunded.
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { Database } from "../../../../platform/db/db.ts";
import {
  isFirstNotice,
  type MessageRequest,
  sendMessage,
} from "../../../messaging/template/index.ts";
import type { OrderNews } from "../transitions/order.queue.ts";
import { findOrderFacts, type OrderFacts } from "./order-notice.sql.ts";

export function notifyOrderPeople(database: Database, news: OrderNews): Promise<void> {
  const { tenantId, orderId, endUserId } = news;
  return database.transaction({ tenantId }, async (db) => {
    if (!(await isFirstNotice(db, news))) return;
    const found = await findOrderFacts(db, news);
    if (!found) return;
    const { side, phone } = found;
    await sendMessage(db, {
      tenantId,
      orderId,
      endUserId,
      side,
      phone,
      ...noticeContent(news, found),
    });
  });
}

type NoticeContent = Pick<MessageRequest<OrderNews["scene"]>, "scene" | "facts">;

function noticeContent(
  { scene, orderId, at, refundedFen }: OrderNews,
  of: OrderFacts,
): NoticeContent {
  const { place, no } = of;
  const recipient = maskPhone(of.recipientPhone);
  const endedAt = of.endedAt ?? at;
  if (scene === "STORED") {
    return { scene, facts: { place, no, recipient, storedAt: of.storedAt ?? at, orderId } };
  }
  if (scene === "OUTAGE")
    return { scene, facts: { place, no, storedAt: of.storedAt ?? at, orderId } };
  if (scene === "PICKED_UP") return { scene, facts: { place, no, recipient, endedAt, orderId } };
  if (scene === "TAKEN_BACK") return { scene, facts: { place, no, endedAt, orderId } };
  return { scene, facts: { amount: refundedFen, orderId, place, refundedAt: at } };
}
