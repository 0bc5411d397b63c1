// Issues the pickup code of an order: random each time, sent by message, stored only as an HMAC.
import { feeText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sendMessage } from "../../../messaging/template/index.ts";
import { findByCode, findNotice, insertOrderEvent, type LockedOrder } from "./live-order.sql.ts";
import { hashCode, makeCode } from "./pickup-code.crypto.ts";

const MOST_ATTEMPTS = 20;

/**
 * Issues a new code, which voids the earlier one. Changes `order` in memory; the caller calls
 * `save`.
 */
export async function sendCode(db: Db, order: LockedOrder, actor: Actor): Promise<void> {
  const { tenantId, id: orderId, side, no, live, pricing } = order;
  if (!live) throw new Error(`order ${orderId} holds nothing that a code could open`);
  const code = await freeCode(db, order);
  live.codeHash = hashCode(db.vault, order, code);
  const { phone, place } = await findNotice(db, order);
  const { storedAt, overdueAt, recipientId: endUserId } = order;
  const times = { storedAt: storedAt ?? "", overdueAt: overdueAt ?? "" };
  await sendMessage(db, {
    ...{ tenantId, orderId, scene: "PICKUP_CODE", side, phone, endUserId },
    facts: { code, place, no, price: feeText(pricing.rule), orderId, ...times },
  });
  await insertOrderEvent(db, order, { kind: "CODE_SENT", actor });
}

/** The caller holds the cabinet's row lock, so no other order can take the same code meanwhile. */
async function freeCode(db: Db, order: LockedOrder): Promise<string> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const code = makeCode();
    if ((await findByCode(db, order, hashCode(db.vault, order, code))) === null) return code;
  }
  throw new Error(`no free pickup code at cabinet ${order.cabinetId}`);
}
