// Publishes webhook events of orders: each state transition, payments and refunds.

import { isFinal } from "@cabinet/contract/fleet/command/command.rules.ts";
import type {
  OpeningEventType,
  WebhookEventType,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import {
  type OrderHappening,
  owedFen,
  paidFen,
  refundedFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { OrderEventMoney, WebhookData } from "@cabinet/contract/webhook-events.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { publishEvent } from "../../../messaging/webhook/index.ts";
import type { LockedOrder } from "../transitions/live-order.sql.ts";
import type { Opening } from "../transitions/opening.sql.ts";

type PublishedOrder = Pick<
  LockedOrder,
  "tenantId" | "id" | "appId" | "thirdPartyNo" | "state" | "cabinetSn" | "no"
>;

const stateEvents: Record<OrderState, WebhookEventType> = {
  PENDING: "order.created",
  DEPOSITING: "order.depositing",
  STORED: "order.stored",
  OVERDUE: "order.overdue",
  PICKING: "order.picking",
  COMPLETED: "order.completed",
  CANCELLED: "order.cancelled",
  TAKEN_BACK: "order.taken_back",
  ADMIN_CLEARED: "order.cleared",
  EXCEPTION: "order.exception",
};

/** `key` deduplicates: it identifies one such event among those of the order. */
export async function publishState(
  db: Db,
  order: PublishedOrder,
  type: WebhookEventType,
  key: string,
  money: OrderEventMoney = {},
): Promise<void> {
  const { tenantId, id: orderId, appId, thirdPartyNo, state, cabinetSn, no } = order;
  const data: WebhookData = {
    ...{ orderId, thirdPartyNo, state, cabinetSn, compartmentNo: no },
    ...money,
  };
  await publishEvent(db, { tenantId, appId, orderId, type, key, data });
}

type PublishedOpening = Pick<
  Opening,
  "commandId" | "purpose" | "no" | "side" | "state" | "finalState" | "seen"
>;

/**
 * Called for each new result of an opening, and when one counts as final for want of reports. One that counted as final before
 * is corrected.
 */
export async function publishResult(
  db: Db,
  order: Pick<PublishedOrder, "tenantId" | "id" | "appId" | "thirdPartyNo" | "cabinetSn">,
  opening: PublishedOpening,
): Promise<void> {
  const { commandId, state, finalState, seen } = opening;
  const formerState = finalState === null || finalState === state ? null : (seen ?? finalState);
  if (formerState === null && finalState === null && !isFinal(state)) return;
  const { tenantId, id: orderId, appId, thirdPartyNo, cabinetSn } = order;
  const { purpose, no: compartmentNo, side } = opening;
  const data: WebhookData = {
    ...{ openingId: commandId, orderId, thirdPartyNo, purpose, state },
    ...{ cabinetSn, compartmentNo, side },
    ...(formerState && { formerState }),
  };
  const [type, key]: [OpeningEventType, string] = formerState
    ? ["opening.corrected", `${commandId}:${state}`]
    : ["opening.settled", commandId];
  await publishEvent(db, { tenantId, appId, orderId, type, key, data });
}

/** Keyed by time, since an order may enter the same state twice. */
export function publishMove(db: Db, order: LockedOrder, happening: OrderHappening): Promise<void> {
  const type = happening.kind === "EXTENDED" ? "order.extended" : stateEvents[order.state];
  return publishState(db, order, type, `${order.id}:${order.now}`);
}

export function publishPaid(db: Db, order: LockedOrder, fen: number): Promise<void> {
  const paid = paidFen(order.account);
  const money = { amountFen: fen, paidFen: paid, owedFen: owedFen(order.account) };
  return publishState(db, order, "order.paid", `${order.id}:${paid}`, money);
}

export function publishRefunded(db: Db, order: LockedOrder, fen: number): Promise<void> {
  const refunded = refundedFen(order.account);
  const money = { amountFen: fen, refundedFen: refunded };
  return publishState(db, order, "order.refunded", `${order.id}:${refunded}`, money);
}
