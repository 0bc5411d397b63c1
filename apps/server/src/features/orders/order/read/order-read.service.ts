// Orders for the console: phones masked, current price, one timeline.

import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { type Page, SUM_CAP } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { priceOf, pricingOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type {
  Order,
  OrderDetail,
  OrderPerson,
  orderContract,
  TimelineEntry,
} from "@cabinet/contract/orders/order/order.contract.ts";
import { currentPriceFen, hasGoods } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Ctx } from "../../../../platform/context.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { refuse } from "../../../../platform/errors.ts";
import { eventText } from "../../../fleet/cabinet-event/index.ts";
import { findCommandsOfOrder } from "../../../fleet/command/index.ts";
import { listSmsOfOrder, readSmsTextsOfOrder } from "../../../messaging/sms/index.ts";
import { listSubscribeOfOrder } from "../../../messaging/template/index.ts";
import { findDeliveriesOfOrder } from "../../../messaging/webhook/index.ts";
import { findHoldOfOrder, spendable, walletOf } from "../../../money/ledger/index.ts";
import { countReveal } from "../../../organization/tenant-setting/index.ts";
import { type OrderKey, readOrder } from "../transitions/live-order.sql.ts";
import { quoteOrder, refuseState } from "../transitions/order.service.ts";
import { hashCode, possibleCodes } from "../transitions/pickup-code.crypto.ts";
import {
  findOrder,
  findOrderKey,
  findOrders,
  findPhones,
  type OrderFilters,
  type OrderQuery,
  type OrderRow,
  sumOrders,
  type VisibleOrderKey,
} from "./order-list.sql.ts";
import { findDoorEvents, findEvents, findJournals } from "./order-timeline.sql.ts";
import { timelineOf } from "./timeline.rules.ts";

export async function listOrders(ctx: Ctx, query: OrderQuery): Promise<Page<Order>> {
  const page = await findOrders(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(orderOf) };
}

export async function sumOfOrders(
  ctx: Ctx,
  query: OrderFilters,
): Promise<Reply<typeof orderContract.sums>> {
  const all = { count: 0, priceFen: 0, paidFen: 0, refundedFen: 0 };
  for (const part of await sumOrders(ctx.db, ctx.session, query)) {
    const { pricing, runningMinutes, count } = part;
    all.count += count;
    all.priceFen +=
      runningMinutes === null
        ? part.priceFen
        : count * priceOf(pricingOf(pricing).rule, runningMinutes);
    all.paidFen += part.paidFen;
    all.refundedFen += part.refundedFen;
  }
  return { ...all, ...(all.count === SUM_CAP && { isCapped: true }) };
}

function masked<Person extends OrderPerson | null>(person: Person): Person {
  return person && { ...person, phone: maskPhone(person.phone) };
}

export function orderOf({ pricing, runningMinutes, ...row }: OrderRow): Order {
  return {
    ...row,
    rider: masked(row.rider),
    recipient: masked(row.recipient),
    priceFen: currentPriceFen(pricingOf(pricing).rule, { ...row, runningMinutes }),
  };
}

export async function getOrder(ctx: Ctx, id: number): Promise<OrderDetail> {
  const found = await findOrder(ctx.db, ctx.session, id);
  if (!found) refuse("NOT_FOUND", { what: "订单" });
  const { connectivity, lastSeenAt, lifecycle, cell, runningMinutes, ...row } = found;
  return {
    ...row,
    ...orderOf({ ...row, runningMinutes }),
    pricing: pricingOf(row.pricing),
    shortFen: await shortOf(ctx.db, { ...row, orderId: id }),
    place: cell && { connectivity, lastSeenAt, lifecycle, cell },
  };
}

/** Amount that the recipient lacks to take the goods out now, in fen. */
async function shortOf(
  db: Db,
  { tenantId, orderId, state, recipient }: OrderKey & Pick<Order, "state" | "recipient">,
): Promise<number> {
  if (!hasGoods(state) || state === "PICKING") return 0;
  const key = { tenantId, orderId };
  const [{ owedFen }, hold, wallet] = await Promise.all([
    quoteOrder(db, key, recipient.id),
    findHoldOfOrder(db, key),
    walletOf(db, { tenantId, endUserId: recipient.id }),
  ]);
  const sums = [spendable(wallet), hold?.endUserId === recipient.id ? hold : null];
  const haveFen = sums.reduce((all, sum) => all + (sum ? sum.principalFen + sum.bonusFen : 0), 0);
  return Math.max(0, owedFen - haveFen);
}

/** Key of the order; refuses NOT_FOUND when it does not exist or is not visible to this account. */
export async function getOrderOrRefuse(ctx: Ctx, id: number): Promise<VisibleOrderKey> {
  return (await findOrderKey(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what: "订单" });
}

export async function getTimeline(ctx: Ctx, id: number): Promise<TimelineEntry[]> {
  const { db } = ctx;
  const key = await getOrderOrRefuse(ctx, id);
  const [events, commands, doors, journals, texts, subscribes, callbacks] = await Promise.all([
    findEvents(db, key),
    findCommandsOfOrder(db, key),
    findDoorEvents(db, key),
    findJournals(db, key),
    listSmsOfOrder(db, key),
    listSubscribeOfOrder(db, key),
    findDeliveriesOfOrder(db, key),
  ]);
  return timelineOf({
    events,
    commands,
    doors: doors.map((door) => ({
      ...door,
      // The person who opened it appears in the COMMAND entry beside it.
      text: eventText({ ...door, openedBy: null, openedFor: null }),
    })),
    journals,
    texts,
    subscribes,
    callbacks,
  });
}

/** Shows the unmasked phones and audits it. */
export async function showPhones(ctx: Ctx, id: number, reason: string) {
  const found = await findPhones(ctx.db, ctx.session, id);
  if (!found) refuse("NOT_FOUND", { what: "订单" });
  const { tenantId, rider, recipient } = found;
  const reveals = await countReveal(ctx, tenantId);
  const target = `订单 ${id} 的手机号`;
  ctx.audit({ tenantId, target, reason: reason.trim(), after: { reveals } });
  return { rider, recipient };
}

/**
 * Shows the code that opens now, for a clerk who tells it to the recipient. Only its HMAC is stored: it is the one among the
 * digits of the kept text messages that has this HMAC, so that a replaced code is never shown. Audited, and counted like a phone.
 */
export async function showCode(
  ctx: Ctx,
  id: number,
  reason: string,
): Promise<Reply<typeof orderContract.showCode>> {
  const key = await getOrderOrRefuse(ctx, id);
  const order = (await readOrder(ctx.db, key)) ?? refuse("NOT_FOUND", { what: "订单" });
  if (!hasGoods(order.state)) refuseState(order.state, "查看取件码");
  const texts = await readSmsTextsOfOrder(ctx.db, key, "PICKUP_CODE");
  const code = texts
    .flatMap(possibleCodes)
    .find((digits) => order.live?.codeHash?.equals(hashCode(ctx.db.vault, order, digits)));
  const { tenantId } = key;
  const target = `订单 ${id} 的取件码${code ? "" : "（没有可查看的原文）"}`;
  const after = code ? { reveals: await countReveal(ctx, tenantId) } : {};
  ctx.audit({ tenantId, target, reason: reason.trim(), after });
  return { code: code ?? null };
}
