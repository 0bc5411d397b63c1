// Operations of third parties: order, query, open, cancel, resend; an order of another application
// does not exist for them.
import { MAX_ACTIVE_SECRETS } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { cabinetRefusal } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { IDEMPOTENCY_DAYS, type Input, type Reply } from "@cabinet/contract/kit/endpoint.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { MAX_ENDPOINTS, webhookIdOf } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { WEBHOOK_API_VERSION } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import {
  defaultPricing,
  freeUntil,
  pricingOf,
  pricingText,
  ruleFor,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { currentPriceFen, owedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import type {
  OpenCabinet,
  OpenOpening,
  OpenOrder,
  openApiContract,
} from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import {
  cabinetRefusalText,
  changeCursorOf,
  changePositionOf,
  MAX_PAGE_SIZE,
  OPEN_SCOPES,
} from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import { MAX_SKEW_SECONDS } from "@cabinet/open-api-client";
import type { Actor } from "../../../platform/actor.ts";
import type { Partner, PartnerCtx } from "../../../platform/context.ts";
import { MAY_WAIT } from "../../../platform/db/admission.rules.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { BODY_LIMIT } from "../../../platform/http/http.ts";
import { requireScope } from "../../../platform/http/http-partner.ts";
import { findAppEvents } from "../../messaging/webhook/index.ts";
import { ensureUser } from "../../orders/end-user/index.ts";
import { cancelOrder, openOrder, resendCode, startOrder } from "../../orders/order/index.ts";
import * as repo from "./open-order.sql.ts";

type Contract = typeof openApiContract;

function actorOf({ appId, name }: Partner): Actor {
  return { kind: "PARTNER", id: appId, name };
}

export async function whoAmI({ db, partner }: PartnerCtx): Promise<Reply<Contract["whoAmI"]>> {
  return {
    app: partner.code,
    name: partner.name,
    tenantName: await repo.findTenantName(db, partner.tenantId),
    scopes: OPEN_SCOPES.filter((scope) => partner.scopes.has(scope)),
    ratePerMinute: partner.ratePerMinute,
    reserveSharePercent: partner.reserveSharePercent,
    limits: {
      concurrentRequests: MAY_WAIT.account,
      bodyBytes: BODY_LIMIT,
      pageSize: MAX_PAGE_SIZE,
      idempotencyHours: IDEMPOTENCY_DAYS * 24,
      clockSkewSeconds: MAX_SKEW_SECONDS,
      activeKeys: MAX_ACTIVE_SECRETS,
      callbackEndpoints: MAX_ENDPOINTS,
    },
    serverTime: new Date().toISOString(),
  };
}

export async function createOrder(
  ctx: PartnerCtx,
  request: Input<Contract["createOrder"]>["body"],
): Promise<OpenOrder> {
  const { db, partner, origin } = ctx;
  const { tenantId, appId } = partner;
  const { thirdPartyNo, size, recipientPhone } = request;
  ctx.about({ thirdPartyNo });
  if (request.opensDoor) requireScope(partner, "order:open");
  const cabinet = await repo.findCabinet(db, tenantId, request.cabinetSn);
  if (!cabinet) refuse("NOT_FOUND", { what: "设备" });
  const { cabinetId } = cabinet;
  ctx.about({ cabinetId });
  const earlier = await repo.findOrder(db, partner, { thirdPartyNo });
  if (earlier) refuse("ORDER_NO_TAKEN", { no: thirdPartyNo });
  const recipient = await ensureUser(db, { tenantId, phone: recipientPhone });
  const actor = actorOf(partner);
  const { orderId } = await startOrder(db, actor, {
    ...{ tenantId, cabinetId, size, riderId: null, recipientId: recipient.id },
    itemNote: request.itemNote.trim(),
    ...{ thirdPartyNo, appId, reserveMinutes: request.reserveMinutes },
    seenPricing: request.pricing,
    reserveSharePercent: partner.reserveSharePercent,
  });
  // Unique order number: of two concurrent requests the later one waits here and is refused.
  if (!(await repo.insertBusinessOrder(db, partner, { orderId, thirdPartyNo }))) {
    refuse("ORDER_NO_TAKEN", { no: thirdPartyNo });
  }
  if (request.opensDoor) {
    const { requestId } = origin;
    await openOrder(db, actor, { tenantId, orderId, purpose: "DEPOSIT", requestId });
  }
  return getOrder(ctx, { id: orderId });
}

export async function getOrder(
  ctx: PartnerCtx,
  which: { id: number } | { thirdPartyNo: string },
): Promise<OpenOrder> {
  const order = openOrderOf(await requireOwn(ctx, which));
  ctx.about({ answered: [{ orderId: order.id, state: order.state }] });
  return order;
}

export async function listOrders(
  ctx: PartnerCtx,
  query: Input<Contract["orders"]>["query"],
): Promise<Reply<Contract["orders"]>> {
  requireSpan(query);
  if (query.updatedAfter !== undefined || query.cursor !== undefined) {
    return listChangedOrders(ctx, query);
  }
  const rows = await repo.findOrders(ctx.db, ctx.partner, { ...query, limit: query.limit + 1 });
  const list = rows.slice(0, query.limit).map(openOrderOf);
  ctx.about({ answered: list.map(({ id, state }) => ({ orderId: id, state })) });
  const nextAfter = rows.length > list.length ? (list.at(-1)?.id ?? null) : null;
  return { list, nextAfter, cursor: null };
}

async function listChangedOrders(
  ctx: PartnerCtx,
  { updatedAfter, cursor, limit, ...others }: Input<Contract["orders"]>["query"],
): Promise<Reply<Contract["orders"]>> {
  if (Object.values(others).some((value) => value !== undefined)) refuse("CHANGES_OF_OTHER_LIST");
  const restorations = await repo.countRestorations(ctx.db);
  const start = cursor ? changePositionOf(cursor) : { restorations, tx: 0, orderId: 0 };
  // Numbers of transactions from before are of another cluster, or were given again.
  if (start.restorations !== restorations) refuse("CHANGES_BEGIN_AGAIN");
  const changes = await repo.findChangedOrders(ctx.db, ctx.partner, {
    ...(updatedAfter !== undefined && { updatedAfter }),
    ...{ position: start, limit },
  });
  const list = changes.map(({ order }) => openOrderOf(order));
  ctx.about({ answered: list.map(({ id, state }) => ({ orderId: id, state })) });
  const end = changes.at(-1)?.position ?? start;
  return { list, nextAfter: null, cursor: changeCursorOf(end) };
}

export async function listEvents(
  { db, partner }: PartnerCtx,
  { after, limit }: Input<Contract["events"]>["query"],
): Promise<Reply<Contract["events"]>> {
  const { events, oldestSeq } = await findAppEvents(db, partner, { after, limit: limit + 1 });
  const list = events.slice(0, limit).map(({ uid, type, at, tenantSeq, data }) => ({
    id: webhookIdOf(uid),
    ...{ type, timestamp: at, apiVersion: WEBHOOK_API_VERSION, tenantSeq, data },
  }));
  const nextAfter = events.length > list.length ? (list.at(-1)?.tenantSeq ?? null) : null;
  return { list, nextAfter, oldestSeq };
}

export async function cancel(ctx: PartnerCtx, id: number): Promise<Reply<Contract["cancelOrder"]>> {
  await requireOwn(ctx, { id });
  const { partner, db } = ctx;
  const key = { tenantId: partner.tenantId, orderId: id };
  const state = await cancelOrder(db, actorOf(partner), { ...key, reason: "第三方取消" });
  ctx.about({ answered: [{ orderId: id, state }] });
  return { state };
}

/**
 * Charges no wallet: a debt is waived if the application settles with the tenant, and otherwise
 * keeps the door shut.
 */
export async function openDoor(
  ctx: PartnerCtx,
  id: number,
  { purpose, afterDoubt }: Input<Contract["openDoor"]>["body"],
): Promise<OpenOpening> {
  const { opening: earlier } = await requireOwn(ctx, { id });
  const { db, partner, origin } = ctx;
  const { tenantId, isSettling, isTenantOpen } = partner;
  // The first opening of a reservation begins a stay; every other one ends it or continues its
  // deposit.
  if (!isTenantOpen && purpose === "DEPOSIT" && !earlier) refuse("TENANT_CLOSED");
  const { commandId } = await openOrder(db, actorOf(partner), {
    ...{ tenantId, orderId: id, purpose, afterDoubt, waives: isSettling },
    requestId: origin.requestId,
  });
  const opening = await repo.findOpening(db, partner, commandId);
  if (!opening) throw new Error(`no command ${commandId}`);
  return opening;
}

export async function resend(ctx: PartnerCtx, id: number): Promise<null> {
  await requireOwn(ctx, { id });
  const { db, partner } = ctx;
  await resendCode(db, actorOf(partner), { tenantId: partner.tenantId, orderId: id });
  return null;
}

export async function getOpening(ctx: PartnerCtx, id: string): Promise<OpenOpening> {
  const opening = await repo.findOpening(ctx.db, ctx.partner, id);
  if (!opening) refuse("NOT_FOUND", { what: "开门记录" });
  ctx.about({ orderId: opening.orderId });
  return opening;
}

export async function listCabinets(
  { db, partner }: PartnerCtx,
  { after, limit }: Input<Contract["cabinets"]>["query"],
): Promise<Reply<Contract["cabinets"]>> {
  const wanted = { limit: limit + 1, ...(after !== undefined && { after }) };
  const rows = await repo.findCabinets(db, partner.tenantId, wanted);
  const list = rows.slice(0, limit).map(openCabinetOf);
  return { list, nextAfter: rows.length > list.length ? (list.at(-1)?.sn ?? null) : null };
}

export async function getCabinet(ctx: PartnerCtx, sn: string): Promise<OpenCabinet> {
  const cabinet = await repo.findCabinet(ctx.db, ctx.partner.tenantId, sn);
  if (!cabinet) refuse("NOT_FOUND", { what: "设备" });
  ctx.about({ cabinetId: cabinet.cabinetId });
  return openCabinetOf(cabinet);
}

async function requireOwn(
  ctx: PartnerCtx,
  which: { id: number } | { thirdPartyNo: string },
): Promise<repo.OpenOrderRow> {
  const row = await repo.findOrder(ctx.db, ctx.partner, which);
  if (!row) refuse("NOT_FOUND", { what: "订单" });
  const { id: orderId, cabinetId, thirdPartyNo } = row;
  ctx.about({ orderId, cabinetId, thirdPartyNo });
  return row;
}

export function openOrderOf({
  pricing,
  runningMinutes,
  unreachableSeconds,
  phone,
  ...row
}: repo.OpenOrderRow): OpenOrder {
  const { rule } = pricingOf(pricing);
  const priceFen = currentPriceFen(rule, { ...row, runningMinutes });
  return {
    ...row,
    recipientPhone: maskPhone(phone),
    freeUntil: freeUntil(rule, row.storedAt, unreachableSeconds),
    pricing: pricingText(rule),
    priceFen,
    owedFen: owedFen({ ...row, priceFen }),
  };
}

function openCabinetOf({ rule, ...row }: repo.OpenCabinetRow): OpenCabinet {
  const refusalCode = cabinetRefusal(row);
  const now = Date.now();
  const sizes = row.sizes.map((each) => ({
    ...each,
    pricing: pricingText(ruleFor(rule ?? defaultPricing, each.size, now)),
  }));
  return { ...row, sizes, refusalCode, refusal: refusalCode && cabinetRefusalText[refusalCode] };
}
