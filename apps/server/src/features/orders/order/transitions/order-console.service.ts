// Operators' actions on orders in the console: within their store scope, with a reason, audited.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { operatorActor } from "../../../../platform/actor.ts";
import { type Ctx, mayDo } from "../../../../platform/context.ts";
import { refuse } from "../../../../platform/errors.ts";
import { findCommand } from "../../../fleet/command/index.ts";
import { reportMalfunction } from "../../../operations/malfunction/index.ts";
import type { VisibleOrderKey } from "../read/order-list.sql.ts";
import { getOrderOrRefuse } from "../read/order-read.service.ts";
import { openOrder } from "./order.service.ts";
import {
  cancelOrder,
  decideOpening,
  extendOrder,
  forceComplete,
  markException,
  refundOrder,
  resendCode,
} from "./order-action.service.ts";

type Body<Call extends keyof typeof orderActionContract> = Input<
  (typeof orderActionContract)[Call]
>["body"];

/** The audit entry of an action on an order. */
export function noteOrder(
  ctx: Ctx,
  key: VisibleOrderKey,
  reason: string,
  after: object,
  before?: object,
): void {
  const { tenantId, orderId, cabinetSn, compartmentNo } = key;
  const target = `订单 ${orderId}（${cabinetSn} ${compartmentNo} 号）`;
  ctx.audit({ tenantId, target, reason, after, ...(before && { before }) });
}

export async function openByOperator(ctx: Ctx, id: number, body: Body<"open">): Promise<Command> {
  const { db, session, origin } = ctx;
  // Permission to open doors alone does not include waiving money.
  if (body.waives && !mayDo(session, "order:write")) refuse("NO_PERMISSION");
  const key = await getOrderOrRefuse(ctx, id);
  const { tenantId, orderId } = key;
  const request = { tenantId, orderId, ...body, requestId: origin.requestId };
  const { commandId } = await openOrder(db, operatorActor(session), request);
  const { purpose, waives, reason } = body;
  noteOrder(ctx, key, reason, { commandId, purpose, waives });
  return (await findCommand(db, session, commandId)) ?? refuse("NOT_FOUND", { what: "指令" });
}

/** Actions whose reply carries nothing but success. */
export const orderActions = {
  async decideOpening(ctx: Ctx, id: number, { isOpened, reason }: Body<"decideOpening">) {
    const key = await getOrderOrRefuse(ctx, id);
    await decideOpening(ctx.db, operatorActor(ctx.session), { ...key, isOpened, reason });
    noteOrder(ctx, key, reason, { isOpened });
    return null;
  },

  async resendCode(ctx: Ctx, id: number, { reason }: Body<"resendCode">) {
    const key = await getOrderOrRefuse(ctx, id);
    await resendCode(ctx.db, operatorActor(ctx.session), key);
    noteOrder(ctx, key, reason, {});
    return null;
  },

  async extend(ctx: Ctx, id: number, { hours, reason }: Body<"extend">) {
    const key = await getOrderOrRefuse(ctx, id);
    const request = { ...key, hours, reason };
    const { overdueAt } = await extendOrder(ctx.db, operatorActor(ctx.session), request);
    noteOrder(ctx, key, reason, { hours, overdueAt });
    return null;
  },

  async complete(ctx: Ctx, id: number, { chargeFen, reason }: Body<"complete">) {
    const key = await getOrderOrRefuse(ctx, id);
    const request = { ...key, chargeFen, reason };
    const money = await forceComplete(ctx.db, operatorActor(ctx.session), request);
    noteOrder(ctx, key, reason, { chargeFen, ...money });
    return null;
  },

  async cancel(ctx: Ctx, id: number, { reason }: Body<"cancel">) {
    const key = await getOrderOrRefuse(ctx, id);
    const request = { ...key, reason };
    const state = await cancelOrder(ctx.db, operatorActor(ctx.session), request);
    noteOrder(ctx, key, reason, { state });
    return null;
  },

  async refund(ctx: Ctx, id: number, { amountFen, reason }: Body<"refund">) {
    const key = await getOrderOrRefuse(ctx, id);
    const request = { ...key, fen: amountFen, reason };
    const split = await refundOrder(ctx.db, operatorActor(ctx.session), request);
    noteOrder(ctx, key, reason, { amountFen, ...split });
    return null;
  },

  async markException(ctx: Ctx, id: number, { fault, reason }: Body<"markException">) {
    const key = await getOrderOrRefuse(ctx, id);
    const { cabinetId, compartmentNo, orderId } = key;
    await markException(ctx.db, operatorActor(ctx.session), { ...key, reason });
    const place = { tenantId: key.tenantId, cabinetId };
    const text = `订单 ${orderId}：${reason}`;
    const who = ctx.session.signature;
    await reportMalfunction(ctx.db, place, compartmentNo, fault, text, who);
    noteOrder(ctx, key, reason, { fault });
    return null;
  },
};
