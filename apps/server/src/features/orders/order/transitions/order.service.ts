// Starts orders and opens their doors for the console, the app and third parties alike.

import {
  cabinetRefusal,
  orderRefusalText,
} from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { pricingText, ruleFor } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  doorSideFor,
  mayOpenFor,
  mostReserved,
  type OpenPurpose,
  openPurposeText,
  owedFen,
  paidFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { type DoorSide, type Size, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { type OrderState, orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { refuse } from "../../../../platform/errors.ts";
import { openDoor } from "../../../fleet/command/index.ts";
import { previewCover } from "../../../money/package/index.ts";
import { findRuleInForce } from "../../../money/pricing/index.ts";
import { addFigures } from "../../../operations/statistics/index.ts";
import { settleRequest, stayOf } from "../money/order-money.flow.ts";
import { coverableFen, priced } from "../money/settle.rules.ts";
import { publishState } from "../notify/order-events.flow.ts";
import {
  findByCode,
  insertOrderEvent,
  isRecipientsPhone,
  type LockedOrder,
  lockOrder,
  type OrderKey,
  readOrder,
} from "./live-order.sql.ts";
import {
  type CabinetForOrder,
  countReserved,
  countUnfinished,
  findPeople,
  insertOrder,
  lockCabinetForOrder,
  takeCompartment,
} from "./new-order.sql.ts";
import { isDoorAwaited, minutesOf, save } from "./order-transitions.flow.ts";
import { hashCode } from "./pickup-code.crypto.ts";

/** Time limit of a deposit; afterwards the order is cancelled. */
const DEPOSIT_MINUTES = 15;
/** Limit of unfinished deposits per person, which would otherwise block compartments for others. */
const MOST_UNFINISHED = 5;
/** Minimum time to deposit that is left after each opening of the door. */
const AGAIN_MINUTES = 5;

interface NewOrderRequest {
  tenantId: number;
  cabinetId: number;
  size: Size;
  riderId: number | null;
  recipientId: number;
  itemNote?: string;
  /** Text of the price that a person saw before; absent: nobody saw one. */
  seenPricing?: string | undefined;
  /** The third party's application and its own order number. */
  appId?: number | null;
  /** Minutes that the compartment stays reserved for the goods. */
  reserveMinutes?: number;
  /** Percent of the cabinet's compartments of this size that the application's reservations may take. */
  reserveSharePercent?: number;
  thirdPartyNo?: string | null;
}

interface StartedOrder extends OrderKey {
  cabinetId: number;
  no: number;
  size: Size;
  side: Side;
  depositUntil: string;
}

function refuseNewGoods(cabinet: CabinetForOrder): void {
  const refusal = cabinetRefusal(cabinet);
  if (refusal === null || refusal === "FULL") return;
  if (refusal === "TENANT_INACTIVE") refuse("TENANT_CLOSED");
  if (refusal === "OFFLINE") refuse("CABINET_OFFLINE");
  refuse("CABINET_TAKES_NO_ORDERS", { why: orderRefusalText[refusal].why });
}

/** Reserves a compartment. Callers that need both also call `openOrder` in the same transaction. */
export async function startOrder(
  db: Db,
  actor: Actor,
  request: NewOrderRequest,
): Promise<StartedOrder> {
  const { tenantId, cabinetId, size, riderId, recipientId } = request;
  const cabinet = await lockCabinetForOrder(db, tenantId, cabinetId);
  if (!cabinet) refuse("NOT_FOUND", { what: "设备" });
  refuseNewGoods(cabinet);
  const people = new Map(
    (await findPeople(db, tenantId, riderId === null ? [recipientId] : [riderId, recipientId])).map(
      (person) => [person.id, person],
    ),
  );
  const rider = people.get(riderId ?? recipientId);
  if (!rider || !people.has(recipientId)) refuse("NOT_FOUND", { what: "用户" });
  if (rider.isLocked) refuse(actor.kind === "PARTNER" ? "RECIPIENT_LOCKED" : "END_USER_LOCKED");
  if (actor.kind === "END_USER") {
    const count = await countUnfinished(db, tenantId, rider.id);
    if (count >= MOST_UNFINISHED) refuse("DEPOSITS_UNFINISHED", { count });
  }
  const { appId = null, thirdPartyNo = null, reserveSharePercent = 100 } = request;
  if (appId !== null) {
    const { reserved, total } = await countReserved(db, { tenantId, cabinetId, size, appId });
    const max = mostReserved(total, reserveSharePercent);
    if (reserved >= max) refuse("APP_RESERVATIONS_FULL", { size: sizeText[size], max });
  }
  const { storeId, side } = cabinet;
  const no = await takeCompartment(db, { tenantId, cabinetId, size });
  if (no === null) refuse("NO_FREE_COMPARTMENT", { size: sizeText[size] });
  const inForce = await findRuleInForce(db, { tenantId, storeId, cabinetId });
  const rule = ruleFor(inForce.rule, size, Date.parse(cabinet.now));
  const pricing = pricingText(rule);
  if ((request.seenPricing ?? pricing) !== pricing) refuse("PRICING_CHANGED", { pricing });
  const { orderId, depositUntil } = await insertOrder(db, {
    ...{ tenantId, cabinetId, storeId, side, no, size, riderId, recipientId },
    itemNote: request.itemNote ?? "",
    ...{ appId, thirdPartyNo },
    pricing: { scope: inForce.scope, rule },
    depositMinutes: request.reserveMinutes ?? DEPOSIT_MINUTES,
  });
  await insertOrderEvent(
    db,
    { tenantId, id: orderId },
    { kind: "CREATED", actor, toState: "PENDING" },
  );
  await addFigures(db, { tenantId, side, cabinetId, storeId }, { started: 1 });
  const created = { id: orderId, tenantId, state: "PENDING", no, cabinetSn: cabinet.sn } as const;
  await publishState(db, { ...created, appId, thirdPartyNo }, "order.created", String(orderId));
  return { tenantId, orderId, cabinetId, no, size, side, depositUntil };
}

interface OpenRequest extends OrderKey {
  purpose: OpenPurpose;
  requestId: string;
  /** Reason given by an operator. */
  reason?: string;
  /** Set by an operator who waives the debt. */
  waives?: boolean;
  /** A person has seen that the last opening, whose result is unknown, may be repeated. */
  afterDoubt?: boolean | undefined;
}

export interface OpeningOrder extends OrderKey {
  commandId: string;
  cabinetId: number;
  no: number;
  side: DoorSide;
  /** Held now, captured once the door is proven open. */
  chargedFen: number;
  coveredFen: number;
}

/**
 * Requests one opening of the order's door. An end user who takes the goods out pays the price of the stay
 * up to now; an operator pays nothing, and the debt stays unless they waive it.
 */
export async function openOrder(db: Db, actor: Actor, request: OpenRequest): Promise<OpeningOrder> {
  const order = await lockOrderOrRefuse(db, request);
  if (actor.kind === "END_USER" && !mayActOn(order, actor, request.purpose)) {
    refuse("NOT_FOUND", { what: "订单" });
  }
  return openLocked(db, actor, order, request);
}

/** Opens for pickup by code alone; null when the code opens nothing in this cabinet. */
export async function openByCode(
  db: Db,
  actor: Actor,
  request: {
    tenantId: number;
    cabinetId: number;
    code: string;
    phoneTail: string;
    requestId: string;
    afterDoubt?: boolean | undefined;
  },
): Promise<OpeningOrder | null> {
  const orderId = await findByCode(db, request, hashCode(db.vault, request, request.code));
  const order = orderId === null ? null : await lockOrder(db, { ...request, orderId });
  // Checked again under the lock: the code may have been replaced meanwhile.
  const isStill = order?.live?.codeHash?.equals(hashCode(db.vault, request, request.code));
  if (!order || !isStill || !(await isRecipientsPhone(db, order, request.phoneTail))) return null;
  const { tenantId, requestId, afterDoubt } = request;
  return openLocked(db, actor, order, {
    ...{ tenantId, orderId: order.id, purpose: "PICKUP", requestId, afterDoubt },
  });
}

async function openLocked(
  db: Db,
  actor: Actor,
  order: LockedOrder,
  { purpose, requestId, reason, waives = false, afterDoubt = false }: OpenRequest,
): Promise<OpeningOrder> {
  const { tenantId, id: orderId, cabinetId, no, state } = order;
  if (!mayOpenFor(state, purpose)) refuseState(state, `开门${openPurposeText[purpose]}`);
  if (isDoorAwaited(order)) refuse("COMMAND_IN_FLIGHT", { no });
  if (isInDoubt(order) && !afterDoubt) refuse("ORDER_IN_DOUBT");
  // Goods would go into either of two cabinets.
  if (state === "PENDING" && order.isIdentityShared) {
    refuse("CABINET_TAKES_NO_ORDERS", { why: "可能有两台设备使用同一身份" });
  }
  const side = doorSideFor(order.side, purpose);
  const command = await openDoor(
    db,
    { tenantId },
    {
      ...{ cabinetId, no, side, actor, requestId },
      reason: reason ?? `订单 ${orderId} ${openPurposeText[purpose]}`,
      order: { id: orderId, purpose },
    },
  );
  let chargedFen = 0;
  const { priceFen: priceBeforeFen, chargedMinutes: minutesBefore, ...former } = order.account;
  if (purpose === "DEPOSIT") {
    const soonest = new Date(Date.parse(order.now) + AGAIN_MINUTES * 60_000).toISOString();
    const { live } = order;
    if (live?.depositUntil && Date.parse(live.depositUntil) < Date.parse(soonest)) {
      live.depositUntil = soonest;
    }
  } else {
    const payerId = actor.kind === "END_USER" ? actor.id : null;
    const { hold: earlier } = order.account;
    if (payerId !== null && earlier && earlier.endUserId !== payerId) refuse("ORDER_IN_DOUBT");
    await settleRequest(db, order, { payerId, waives });
    const { hold } = order.account;
    if (payerId !== null && hold) chargedFen = hold.principalFen + hold.bonusFen;
    // Neither a third party nor somebody with nothing but the code pays: the debt stays the recipient's.
    const owed = owedFen(order.account);
    if (payerId === null && actor.kind !== "OPERATOR" && owed > 0) {
      refuse("ORDER_OWES", { owed: yuanOfFen(owed) });
    }
  }
  const { coveredFen } = order.account;
  const waivedFen = order.account.waivedFen - former.waivedFen;
  await insertOrderEvent(db, order, {
    ...{ kind: "OPEN_REQUESTED", actor, commandId: command.id },
    detail: {
      ...{ purpose, side, priceBeforeFen, minutesBefore, chargedFen, coveredFen, waivedFen },
      ...(reason && { reason }),
    },
  });
  await save(db, order);
  return { tenantId, orderId, commandId: command.id, cabinetId, no, side, chargedFen, coveredFen };
}

interface OrderQuote extends OrderKey {
  no: number;
  state: OrderState;
  minutes: number | null;
  priceFen: number;
  coveredFen: number;
  waivedFen: number;
  paidFen: number;
  owedFen: number;
}

/** Price of taking the goods out now, with the card that would cover it; changes nothing. */
export async function quoteOrder(
  db: Db,
  key: OrderKey,
  payerId: number | null,
): Promise<OrderQuote> {
  const order = await readOrder(db, key);
  return quote(db, order ?? refuse("NOT_FOUND", { what: "订单" }), payerId);
}

async function quote(db: Db, order: LockedOrder, payerId: number | null): Promise<OrderQuote> {
  const { tenantId, id: orderId, no, state, side } = order;
  let account = priced(order.account, stayOf(order));
  if (payerId !== null && order.endedAt === null && owedFen(account) > 0) {
    const fen = coverableFen(account);
    const card = await previewCover(db, { tenantId, endUserId: payerId, side, orderId, fen });
    if (card) account = { ...account, coveredFen: card.coveredFen };
  }
  const { priceFen, coveredFen, waivedFen } = account;
  return {
    ...{ tenantId, orderId, no, state, minutes: minutesOf(order) },
    ...{ priceFen, coveredFen, waivedFen, paidFen: paidFen(account), owedFen: owedFen(account) },
  };
}

/** Locks the order; refuses NOT_FOUND when it does not exist. */
export async function lockOrderOrRefuse(db: Db, key: OrderKey): Promise<LockedOrder> {
  return (await lockOrder(db, key)) ?? refuse("NOT_FOUND", { what: "订单" });
}

export function refuseState(state: OrderState, action: string): never {
  refuse("STATE_NOT_ALLOWED", { what: "订单", state: orderStateText[state], action });
}

/** The result of the last opening is unknown, and nothing has proven since what became of it. */
export function isInDoubt({ live }: LockedOrder): boolean {
  return live?.doubtId != null && live.doubtState === "UNKNOWN" && !live.isDoubtProven;
}

/** The depositor may deposit again and take back; the recipient may pick up. */
function mayActOn(order: LockedOrder, actor: Actor, purpose: OpenPurpose): boolean {
  if (actor.kind !== "END_USER") return true;
  if (actor.id === null) return false;
  return actor.id === (purpose === "PICKUP" ? order.recipientId : depositorOf(order));
}

export function depositorOf(order: LockedOrder): number {
  return order.riderId ?? order.recipientId;
}
