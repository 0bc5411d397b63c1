// State transitions of an order in memory, with their events, messages, figures and effects on its compartment.
import {
  hasGoods,
  isLive,
  nextOrderState,
  type OrderEventKind,
  type OrderHappening,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { ItemState } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { pushLive } from "../../../../platform/http/live.ts";
import { addFigures } from "../../../operations/statistics/index.ts";
import { stayOf } from "../money/order-money.flow.ts";
import { settle } from "../money/settle.rules.ts";
import { publishMove } from "../notify/order-events.flow.ts";
import {
  hasBeenOverdue,
  insertOrderEvent,
  type LockedOrder,
  type Position,
  saveOrder,
} from "./live-order.sql.ts";
import { enqueueOrderNotice } from "./order.queue.ts";
import { remindOverdue, sendCode } from "./recipient-message.service.ts";

export interface OrderContext {
  db: Db;
  order: LockedOrder;
  actor: Actor;
  commandId?: string | null;
}

/** Minutes since the goods came in, until the end or now; null before they are in. */
export function minutesOf({ storedAt, endedAt, now }: LockedOrder): number | null {
  if (storedAt === null) return null;
  return Math.max(0, Math.ceil((Date.parse(endedAt ?? now) - Date.parse(storedAt)) / 60_000));
}

/** Item sensor's state of the compartment; UNKNOWN when the compartment no longer exists. */
export function itemOf({ cell }: LockedOrder): ItemState {
  return cell?.item ?? "UNKNOWN";
}

/** True if the compartment's state was reported after the report at `position`. */
export function isNewerThan({ bootNo, n }: Position, cell: LockedOrder["cell"]): boolean {
  if (cell?.reportedBootNo == null || cell.reportedN === null) return false;
  return (cell.reportedBootNo - bootNo || cell.reportedN - n) > 0;
}

/**
 * Item state that the sensor proves: a value from before the last opening, or from before the end of one in doubt, proves
 * nothing.
 */
export function provenItem(order: LockedOrder): ItemState {
  const { live, cell } = order;
  // The other cabinet's compartment may be the empty one.
  if (order.isIdentityShared && itemOf(order) === "EMPTY") return "UNKNOWN";
  if (live?.doubtId && !live.isDoubtProven) return "UNKNOWN";
  const isFollowed = live?.openedBootNo != null && live.openedN !== null;
  const opened = isFollowed ? { bootNo: live.openedBootNo ?? 0, n: live.openedN ?? 0 } : null;
  if (opened && (opened.bootNo < order.lineBootNo || !isNewerThan(opened, cell))) return "UNKNOWN";
  return itemOf(order);
}

/** False if the sensor says that the goods are gone and has never seen them: it may be that of another cabinet. */
export function hasSeenGoods({ cell, lineBootNo }: LockedOrder): boolean {
  return cell?.item !== "EMPTY" || (cell.presentBootNo ?? 0) >= lineBootNo;
}

export function isDoorOpen({ cell }: LockedOrder): boolean {
  return cell?.doorFront === "OPEN" || cell?.doorBack === "OPEN";
}

/** A door may be opening right now, or a command result is still unprocessed. */
export function isDoorAwaited({ cell, hasNews }: LockedOrder): boolean {
  return hasNews || (cell?.isOpening ?? false);
}

export function isPastDue({ overdueAt, now }: LockedOrder): boolean {
  return overdueAt !== null && Date.parse(overdueAt) <= Date.parse(now);
}

/** Timeline event for each transition. */
const eventKinds: Record<OrderHappening["kind"], (to: OrderState) => OrderEventKind> = {
  DOOR_OPENED: () => "DOOR_OPENED",
  DOOR_CLOSED: () => "DOOR_CLOSED",
  DEPOSIT_TIMED_OUT: (to) => (to === "EXCEPTION" ? "EXCEPTION" : "CANCELLED"),
  BECAME_OVERDUE: () => "OVERDUE",
  EXTENDED: () => "EXTENDED",
  CANCELLED: () => "CANCELLED",
  FORCE_COMPLETED: () => "FORCE_COMPLETED",
  CLEARED: () => "CLEARED",
  MARKED_EXCEPTION: () => "EXCEPTION",
  CONTRADICTED: () => "EXCEPTION",
};

function changePrice(order: LockedOrder, kind: "STOPPED" | "CLOSED"): void {
  order.account = settle(order.account, stayOf(order), { kind }).account;
}

/** Applies the transition to `order` and its timeline; null when not allowed in this state. The caller calls `save`. */
export async function move(
  context: OrderContext,
  happening: OrderHappening,
  detail: Record<string, unknown> = {},
): Promise<OrderState | null> {
  const { db, order, actor, commandId = null } = context;
  const from = order.state;
  const to = nextOrderState(from, happening);
  if (!to) return null;
  if (to === "EXCEPTION") changePrice(order, "STOPPED");
  const isFirstOverdue = to === "OVERDUE" && !(await hasBeenOverdue(db, order));
  order.state = to;
  if (happening.kind === "DOOR_CLOSED") changePrice(order, "CLOSED");
  const kind = eventKinds[happening.kind](to);
  const moved = to === from ? {} : { fromState: from, toState: to };
  // DOOR_CLOSED without a state change is not recorded here; doorClosed() records it once.
  if (to !== from || happening.kind !== "DOOR_CLOSED") {
    await insertOrderEvent(db, order, { kind, actor, ...moved, commandId, detail });
  }
  if (to !== from || happening.kind === "EXTENDED") await publishMove(db, order, happening);
  if (to === "EXCEPTION") order.exceptionReason = String(detail.reason ?? "");
  if (to === "OVERDUE" && order.live) order.live.overdueAt = null;
  if (isFirstOverdue) await addFigures(db, order, { overdue: 1 });
  if (happening.kind === "BECAME_OVERDUE" || isFirstOverdue) await remindOverdue(db, order);
  if (!isLive(to)) await end(context, from);
  return to;
}

/** The goods are in: the stay is priced from now on and the recipient gets a pickup code. */
export async function goodsAreIn({ db, order }: OrderContext): Promise<void> {
  const { now, pricing, live } = order;
  order.storedAt = now;
  const overdueMs = pricing.rule.overdueAfterMinutes * 60_000;
  order.overdueAt = new Date(Date.parse(now) + overdueMs).toISOString();
  if (live) Object.assign(live, { depositUntil: null, overdueAt: order.overdueAt });
  await insertOrderEvent(db, order, { kind: "STORED", actor: deviceActor });
  await addFigures(db, order, { stored: 1 });
  await sendCode(db, order, deviceActor);
  await notifyOtherPerson(db, order, "STORED");
}

/** Notifies the other party: the rider of STORED and PICKED_UP, the recipient of TAKEN_BACK; skipped if the same. */
async function notifyOtherPerson(
  db: Db,
  order: LockedOrder,
  context: "STORED" | "PICKED_UP" | "TAKEN_BACK",
): Promise<void> {
  const { riderId, recipientId } = order;
  if (riderId === null || riderId === recipientId) return;
  const endUserId = context === "TAKEN_BACK" ? recipientId : riderId;
  await enqueueOrderNotice(db, order, { scene: context, endUserId });
}

async function end({ db, order, actor }: OrderContext, from: OrderState): Promise<void> {
  order.endedAt = order.now;
  const kind = endKinds[order.state];
  if (kind) await insertOrderEvent(db, order, { kind, actor });
  if (!hasGoods(from) || order.storedAt === null) return;
  if (order.state === "COMPLETED") await notifyOtherPerson(db, order, "PICKED_UP");
  if (order.state === "TAKEN_BACK") await notifyOtherPerson(db, order, "TAKEN_BACK");
  await addFigures(db, order, { completed: 1, stayMinutes: minutesOf(order) ?? 0 });
}

/** Event for the final states that a closing door brings about, recorded beside DOOR_CLOSED. */
const endKinds: Partial<Record<OrderState, OrderEventKind>> = {
  COMPLETED: "COMPLETED",
  TAKEN_BACK: "TAKEN_BACK",
};

/** Actor of events that only sensors observed. */
export const deviceActor: Actor = { kind: "SYSTEM", id: null, name: "设备" };

/** Saves the order and publishes the change on the live channel of the consoles. */
export async function save(db: Db, order: LockedOrder): Promise<void> {
  const { tenantId, cabinetId } = order;
  await Promise.all([
    saveOrder(db, order),
    pushLive(db, { topic: "order", tenantId, cabinetId }),
    pushLive(db, { topic: "cabinet", tenantId, cabinetId }),
  ]);
}
