// Publishes webhook events of orders: each state transition, payments and refunds.
import type { CallbackEventType } from "@cabinet/contract/callback/callback-event.rules.ts";
import {
  type OrderHappening,
  type OrderState,
  owedFen,
  paidFen,
  refundedFen,
} from "@cabinet/contract/order/order.rules.ts";
import type { Db } from "../../platform/db.ts";
import { publishEvent } from "../callback/index.ts";
import type { LockedOrder } from "./live-order.sql.ts";

type ToldOrder = Pick<
  LockedOrder,
  "tenantId" | "id" | "appId" | "thirdPartyNo" | "state" | "cabinetSn" | "no"
>;

const stateEvents: Record<OrderState, CallbackEventType> = {
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
export async function tellState(
  db: Db,
  order: ToldOrder,
  type: CallbackEventType,
  key: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { tenantId, id: orderId, appId, thirdPartyNo, state, cabinetSn, no } = order;
  const data = { orderId, thirdPartyNo, state, cabinetSn, compartmentNo: no, ...more };
  await publishEvent(db, { tenantId, appId, orderId, type, key, data });
}

/** Keyed by time, since an order may enter the same state twice. */
export function tellMove(db: Db, order: LockedOrder, happening: OrderHappening): Promise<void> {
  const type = happening.kind === "EXTENDED" ? "order.extended" : stateEvents[order.state];
  return tellState(db, order, type, `${order.id}:${order.now}`);
}

export function tellPaid(db: Db, order: LockedOrder, fen: number): Promise<void> {
  const paid = paidFen(order);
  const money = { amountFen: fen, paidFen: paid, owedFen: owedFen(order) };
  return tellState(db, order, "order.paid", `${order.id}:${paid}`, money);
}

export function tellRefunded(db: Db, order: LockedOrder, fen: number): Promise<void> {
  const refunded = refundedFen(order);
  const money = { amountFen: fen, refundedFen: refunded };
  return tellState(db, order, "order.refunded", `${order.id}:${refunded}`, money);
}
