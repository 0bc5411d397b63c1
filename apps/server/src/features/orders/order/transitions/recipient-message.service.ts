// Messages to an order's recipient: the pickup code, random each time and stored only as an HMAC, and the reminder.

import { pickupPath } from "@cabinet/contract/messaging/template/template.rules.ts";
import { feeText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { type SendResult, sendMessage } from "../../../messaging/template/index.ts";
import { sendsOverdueNotices } from "../../../organization/tenant-setting/index.ts";
import { findByCode, findNotice, insertOrderEvent, type LockedOrder } from "./live-order.sql.ts";
import { wasDueBeforeRestoration } from "./order-due.sql.ts";
import { hashCode, makeCode } from "./pickup-code.crypto.ts";

const MOST_ATTEMPTS = 20;

/**
 * Issues a new code, which voids the earlier one. Changes `order` in memory; the caller calls
 * `save`.
 */
export async function sendCode(db: Db, order: LockedOrder, actor: Actor): Promise<SendResult> {
  const { tenantId, id: orderId, side, no, live, pricing } = order;
  if (!live) throw new Error(`order ${orderId} holds nothing that a code could open`);
  const code = await freeCode(db, order);
  live.codeHash = hashCode(db.vault, order, code);
  const { phone, place, sn } = await findNotice(db, order);
  const path = pickupPath(sn);
  const { storedAt, overdueAt, recipientId: endUserId } = order;
  const times = { storedAt: storedAt ?? "", overdueAt: overdueAt ?? "" };
  const sent = await sendMessage(db, {
    ...{ tenantId, orderId, scene: "PICKUP_CODE", side, phone, endUserId },
    facts: { code, place, no, price: feeText(pricing.rule), path, orderId, ...times },
  });
  await insertOrderEvent(db, order, { kind: "CODE_SENT", actor });
  return sent;
}

/** Reminds the recipient that their goods are overdue, unless the tenant does not want it. */
export async function remindOverdue(db: Db, order: LockedOrder): Promise<void> {
  const { tenantId, id: orderId, side, no, pricing, recipientId: endUserId } = order;
  if (!(await sendsOverdueNotices(db, tenantId)) || (await wasDueBeforeRestoration(db, order)))
    return;
  const { phone, place, sn } = await findNotice(db, order);
  const times = { storedAt: order.storedAt ?? "" };
  await sendMessage(db, {
    ...{ tenantId, orderId, scene: "OVERDUE", side, phone, endUserId },
    facts: { place, no, price: feeText(pricing.rule), path: pickupPath(sn), orderId, ...times },
  });
}

/** The caller holds the cabinet's row lock, so no other order can take the same code meanwhile. */
async function freeCode(db: Db, order: LockedOrder): Promise<string> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const code = makeCode();
    if ((await findByCode(db, order, hashCode(db.vault, order, code))) === null) return code;
  }
  throw new Error(`no free pickup code at cabinet ${order.cabinetId}`);
}
