// An order's course: what happens to it moves it on by the machine's rules, and everything follows from that.
import type { ItemState } from "@cabinet/contract/compartment/compartment.rules.ts";
import {
  hasGoods,
  isLive,
  nextOrderState,
  type OrderEventKind,
  type OrderHappening,
  type OrderState,
} from "@cabinet/contract/order/order.rules.ts";
import type { Actor } from "../../platform/actor.ts";
import type { Db } from "../../platform/db.ts";
import { pushLive } from "../../platform/live.ts";
import type { Vault } from "../../platform/secrets.ts";
import { addFigures } from "../statistics/index.ts";
import { sendCode } from "./code.service.ts";
import { insertOrderEvent, type LockedOrder, saveOrder } from "./live-order.sql.ts";
import { tellMove } from "./order-telling.ts";
import { tellOrderSoon } from "./order-wishes.jobs.ts";

export interface Scene {
  db: Db;
  order: LockedOrder;
  actor: Actor;
  commandId?: string | null;
}

/** The minutes that the goods have lain there; null before they are in. */
export function minutesOf({ storedAt, endedAt, now }: LockedOrder): number | null {
  if (storedAt === null) return null;
  return Math.max(0, Math.ceil((Date.parse(endedAt ?? now) - Date.parse(storedAt)) / 60_000));
}

/** What the item sensor says of the compartment; nothing where there is none any more. */
export function itemOf({ cell }: LockedOrder): ItemState {
  return cell?.item ?? "UNKNOWN";
}

export function isDoorOpen({ cell }: LockedOrder): boolean {
  return cell?.doorFront === "OPEN" || cell?.doorBack === "OPEN";
}

/** A door may be opening this moment, or what came of it is still to be heard. */
export function isDoorAwaited({ cell, hasNews }: LockedOrder): boolean {
  return hasNews || (cell?.isOpening ?? false);
}

export function isPastDue({ overdueAt, now }: LockedOrder): boolean {
  return overdueAt !== null && Date.parse(overdueAt) <= Date.parse(now);
}

/** What a timeline calls each move. */
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
};

/** Moves the order on in memory and its timeline; null where this cannot happen to it. `save` follows. */
export async function move(
  scene: Scene,
  happening: OrderHappening,
  detail: Record<string, unknown> = {},
): Promise<OrderState | null> {
  const { db, order, actor, commandId = null } = scene;
  const from = order.state;
  const to = nextOrderState(from, happening);
  if (!to) return null;
  order.state = to;
  const kind = eventKinds[happening.kind](to);
  const moved = to === from ? {} : { fromState: from, toState: to };
  // A door that closes on nothing new is no step: whoever follows the door says so once.
  if (to !== from || happening.kind !== "DOOR_CLOSED") {
    await insertOrderEvent(db, order, { kind, actor, ...moved, commandId, detail });
  }
  if (to !== from || happening.kind === "EXTENDED") await tellMove(db, order, happening);
  if (to === "EXCEPTION") order.exceptionReason = String(detail.reason ?? "");
  if (to === "OVERDUE" && order.live) {
    order.live.overdueAt = null;
    if (from === "STORED") await addFigures(db, order, { overdue: 1 });
  }
  if (!isLive(to)) await end(scene, from);
  return to;
}

/** From now on it is paid for, and somebody can come for it: the door has closed behind the goods. */
export async function goodsAreIn({ db, order }: Scene, vault: Vault): Promise<void> {
  const { now, pricing, live } = order;
  order.storedAt = now;
  const overdueMs = pricing.rule.overdueAfterMinutes * 60_000;
  order.overdueAt = new Date(Date.parse(now) + overdueMs).toISOString();
  if (live) Object.assign(live, { depositUntil: null, overdueAt: order.overdueAt });
  await insertOrderEvent(db, order, { kind: "STORED", actor: deviceActor });
  await addFigures(db, order, { stored: 1 });
  await sendCode(db, vault, order, deviceActor);
  await tellOther(db, order, "STORED");
}

/** Whoever put goods in for somebody else, or that other one; who did both knows. */
async function tellOther(
  db: Db,
  order: LockedOrder,
  scene: "STORED" | "PICKED_UP" | "TAKEN_BACK",
): Promise<void> {
  const { riderId, recipientId } = order;
  if (riderId === null || riderId === recipientId) return;
  const endUserId = scene === "TAKEN_BACK" ? recipientId : riderId;
  await tellOrderSoon(db, order, { scene, endUserId });
}

async function end({ db, order, actor }: Scene, from: OrderState): Promise<void> {
  order.endedAt = order.now;
  const kind = endKinds[order.state];
  if (kind) await insertOrderEvent(db, order, { kind, actor });
  if (!hasGoods(from) || order.storedAt === null) return;
  if (order.state === "COMPLETED") await tellOther(db, order, "PICKED_UP");
  if (order.state === "TAKEN_BACK") await tellOther(db, order, "TAKEN_BACK");
  await addFigures(db, order, { completed: 1, stayMinutes: minutesOf(order) ?? 0 });
}

/** Ends that a door brings about are told beside its closing. */
const endKinds: Partial<Record<OrderState, OrderEventKind>> = {
  COMPLETED: "COMPLETED",
  TAKEN_BACK: "TAKEN_BACK",
};

/** What its sensors saw, nobody did. */
export const deviceActor: Actor = { kind: "SYSTEM", id: null, name: "设备" };

/** Writes the order down and tells the consoles. */
export async function save(db: Db, order: LockedOrder): Promise<void> {
  const { tenantId, cabinetId } = order;
  await Promise.all([
    saveOrder(db, order),
    pushLive(db, { topic: "order", tenantId, cabinetId }),
    pushLive(db, { topic: "cabinet", tenantId, cabinetId }),
  ]);
}
