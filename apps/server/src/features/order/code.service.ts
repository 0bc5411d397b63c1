// The code that opens an order's compartment: made anew each time, told by message, kept as a hash.
import { feeText } from "@cabinet/contract/pricing/pricing.rules.ts";
import type { Actor } from "../../platform/actor.ts";
import type { Db } from "../../platform/db.ts";
import type { Vault } from "../../platform/secrets.ts";
import { tell } from "../template/index.ts";
import { findByCode, findNotice, insertOrderEvent, type LockedOrder } from "./live-order.sql.ts";
import { hashCode, makeCode } from "./pickup-code.ts";

const MOST_ATTEMPTS = 20;

/** The order's new code; an earlier one opens nothing from now on. `save` follows. */
export async function sendCode(
  db: Db,
  vault: Vault,
  order: LockedOrder,
  actor: Actor,
): Promise<void> {
  const { tenantId, id: orderId, side, no, live, pricing } = order;
  if (!live) throw new Error(`order ${orderId} holds nothing that a code could open`);
  const code = await freeCode(db, vault, order);
  live.codeHash = hashCode(vault, order, code);
  const { phone, place } = await findNotice(db, order);
  const { storedAt, overdueAt, recipientId: endUserId } = order;
  const times = { storedAt: storedAt ?? "", overdueAt: overdueAt ?? "" };
  await tell(db, vault, {
    ...{ tenantId, orderId, scene: "PICKUP_CODE", side, phone, endUserId },
    facts: { code, place, no, price: feeText(pricing.rule), orderId, ...times },
  });
  await insertOrderEvent(db, order, { kind: "CODE_SENT", actor });
}

/** The cabinet is locked: nobody takes the same one meanwhile. */
async function freeCode(db: Db, vault: Vault, order: LockedOrder): Promise<string> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const code = makeCode();
    if ((await findByCode(db, order, hashCode(vault, order, code))) === null) return code;
  }
  throw new Error(`no free pickup code at cabinet ${order.cabinetId}`);
}
