// Orders behind a malfunction: the list for staff, and a notice to the recipients.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { isOpenState } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { affectedOrderContract } from "@cabinet/contract/orders/order/affected-order.contract.ts";
import { SIDES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Ctx } from "../../../../platform/context.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { refuse } from "../../../../platform/errors.ts";
import { findSmsChannel } from "../../../messaging/sms/index.ts";
import { findMessageRoute } from "../../../messaging/template/index.ts";
import { findMalfunction } from "../../../operations/malfunction/index.ts";
import { enqueueOutageNotice } from "../transitions/order.queue.ts";
import { findAffectedOrders, findOrdersToNotify, occasionOf } from "./affected-order.sql.ts";

type Contract = typeof affectedOrderContract;

async function malfunctionOrRefuse(ctx: Ctx, id: number) {
  const found = await findMalfunction(ctx.db, ctx.session, id);
  return found ?? refuse("NOT_FOUND", { what: "故障" });
}

export async function listAffected(
  ctx: Ctx,
  malfunctionId: number,
  query: Input<Contract["list"]>["query"],
): Promise<Reply<Contract["list"]>> {
  const malfunction = await malfunctionOrRefuse(ctx, malfunctionId);
  const page = await findAffectedOrders(ctx.db, ctx.session, malfunction, query);
  const list = page.list.map(({ recipient, ...order }) => ({
    ...order,
    recipient: { ...recipient, phone: maskPhone(recipient.phone) },
  }));
  return { ...page, list };
}

/** Queues the notices; each is sent once, also if the call is repeated meanwhile. */
export async function notifyAffected(
  ctx: Ctx,
  malfunctionId: number,
): Promise<Reply<Contract["notify"]>> {
  const { db } = ctx;
  const malfunction = await malfunctionOrRefuse(ctx, malfunctionId);
  const { tenantId, id } = malfunction;
  if (!isOpenState(malfunction.state)) {
    refuse("MALFUNCTION_NOT_NOW", { id, why: "故障已经结束" });
  }
  const orders = await findOrdersToNotify(db, ctx.session, malfunction);
  if (orders.length === 0) refuse("NOBODY_TO_NOTIFY");
  if (!(await canSend(db, tenantId))) refuse("NOTICE_NOT_SENDABLE");
  const at = new Date().toISOString();
  for (const { orderId, recipientId: endUserId } of orders) {
    await enqueueOutageNotice(db, { tenantId, orderId, endUserId, at, occasion: occasionOf(id) });
  }
  ctx.audit({ tenantId, target: `故障 #${id}`, after: { notified: orders.length } });
  return { notified: orders.length };
}

async function canSend(db: Db, tenantId: number): Promise<boolean> {
  if ((await findSmsChannel(db))?.isOn) return true;
  for (const side of SIDES) {
    if ((await findMessageRoute(db, { tenantId, scene: "OUTAGE", side })).subscribe) return true;
  }
  return false;
}
