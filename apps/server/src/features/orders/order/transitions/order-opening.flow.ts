// Effects of an opening's result on its order: opened, not opened, or in doubt.
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import { mayOpenFor, type OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { requestResync } from "../../../link/device/index.ts";
import { settleNotOpened, settleOpened } from "../money/order-money.flow.ts";
import type { Undone } from "../money/settle.rules.ts";
import { insertOrderEvent, type Position } from "./live-order.sql.ts";
import {
  findEarlierDoubt,
  findLastRequest,
  findOpening,
  hasOpenedSinceReserved,
  type Opening,
} from "./opening.sql.ts";
import {
  deviceActor,
  goodsAreIn,
  isDoorOpen,
  isPastDue,
  itemOf,
  move,
  type OrderContext,
  provenItem,
} from "./order-transitions.flow.ts";

/**
 * The door opened. Reports older than `position` say nothing about its closing. A person's word needs no
 * report, and unless the door is seen open it counts as closed too.
 */
export async function openingHappened(
  context: OrderContext & { commandId: string },
  proof: { position: Position } | { isSeenByPerson: true; reason: string },
): Promise<void> {
  const { db, order, commandId } = context;
  const opening = await findOpening(db, order, commandId);
  if (!opening) throw new Error(`no command ${commandId}`);
  const { purpose, side } = opening;
  const isByPerson = "isSeenByPerson" in proof;
  if (order.live) order.live.doubtId = null;
  if (purpose !== "DEPOSIT") await settleOpened(db, order, { actor: opening.actor, commandId });
  const detail = { purpose, ...(isByPerson && { reason: proof.reason }) };
  const actor = isByPerson ? context.actor : deviceActor;
  const seen: OrderContext = { ...context, actor, commandId };
  if (!mayOpenFor(order.state, purpose)) {
    await insertOrderEvent(db, order, { kind: "DOOR_OPENED", actor, commandId, detail });
    return;
  }
  await move(seen, { kind: "DOOR_OPENED", purpose }, detail);
  order.purpose = purpose;
  const { live, cell } = order;
  if (!live) return;
  const position = isByPerson
    ? { bootNo: cell?.reportedBootNo ?? 0, n: cell?.reportedN ?? 0 }
    : proof.position;
  Object.assign(live, {
    openedSide: side,
    openedBootNo: position.bootNo,
    openedN: position.n,
    closedItem: null,
    forcedAt: null,
  });
  if (isByPerson && !isDoorOpen(order)) await doorClosed(seen);
}

/** No door is waited for to close. */
export const UNFOLLOWED = { openedSide: null, openedBootNo: null, openedN: null, closedItem: null };

/** The door has closed, with or without the goods inside. */
export async function doorClosed(context: OrderContext): Promise<void> {
  const { order } = context;
  const { live, purpose } = order;
  if (!live) return;
  const item = itemOf(order);
  const isOverdue = isPastDue(order);
  const from = order.state;
  const moved = await move(context, { kind: "DOOR_CLOSED", purpose, item, isOverdue }, { item });
  if (moved === "STORED" && order.storedAt === null) await goodsAreIn(context);
  if (moved === from && live.closedItem === null) {
    await insertOrderEvent(context.db, order, {
      ...{ kind: "DOOR_CLOSED", actor: context.actor },
      detail: { item },
    });
  }
  if (order.state === from) live.closedItem = item;
  else Object.assign(live, UNFOLLOWED);
}

/** The door is proven to have stayed shut, or a person says so. */
export async function openingDidNot(
  context: OrderContext & { commandId: string },
  { state, reason }: { state: CommandState; reason?: string },
): Promise<void> {
  const { db, order, actor, commandId } = context;
  const opening = await findOpening(db, order, commandId);
  if (order.live?.doubtId === commandId) {
    // A person's word is about the door as it is; a report is about its own opening alone.
    order.live.doubtId = reason ? null : await findEarlierDoubt(db, order, commandId);
  }
  const purpose: OpenPurpose = opening?.purpose ?? order.purpose;
  const undone = purpose === "DEPOSIT" ? null : await letGo(context);
  const details = { ...(reason && { reason }), ...(undone && { undone }) };
  const detail = { purpose, commandState: state, ...details };
  await insertOrderEvent(db, order, { kind: "DOOR_NOT_OPENED", actor, commandId, detail });
}

/** Restores hold, price and waiver to their values before this opening was requested; returns the last two of the request. */
async function letGo(context: OrderContext & { commandId: string }): Promise<Undone | null> {
  const { db, order, commandId } = context;
  const { live, cell } = order;
  const { priceFen } = order.account;
  const asked = await findLastRequest(db, order);
  const isLast = asked?.commandId === commandId;
  // A later opening, in flight or in doubt, relies on the hold.
  if (live && !isLast && (live.doubtId || cell?.isOpening)) return null;
  // An order that has ended was settled by whoever ended it.
  const isUndone = live !== null && isLast;
  const waivedFen = asked?.waivedFen ?? 0;
  const { priceBeforeFen = priceFen, minutesBefore: chargedMinutes = null } = asked ?? {};
  const before = isUndone ? { priceFen: priceBeforeFen, chargedMinutes, waivedFen } : null;
  await settleNotOpened(db, order, { before, doubtId: live?.doubtId ?? null });
  return isUndone ? { priceFen, waivedFen } : null;
}

/**
 * Result unknown: the hold stays until a person or the sensors decide, by a snapshot that is later than whatever the
 * opening can have caused.
 */
export async function openingInDoubt(
  context: OrderContext & { commandId: string },
  { state, provenFrom }: Pick<Opening, "state" | "provenFrom">,
): Promise<void> {
  const { db, order, commandId } = context;
  if (order.live) {
    Object.assign(order.live, { doubtId: commandId, doubtState: state, isDoubtProven: false });
    await requestResync(db, order, provenFrom);
  }
  // The order has ended: an earlier opening let the goods out, and no new opening will be requested.
  else await letGo(context);
}

/**
 * Ends a deposit without goods. An opening whose result is unknown counts as opened, since goods may lie
 * behind the door. Null when the order cannot be cancelled now; the caller refuses, which rolls back the rest.
 */
export async function giveUp(
  context: OrderContext,
  kind: "CANCELLED" | "DEPOSIT_TIMED_OUT",
  reason = { CANCELLED: "取消", DEPOSIT_TIMED_OUT: "超时未存入" }[kind],
): Promise<OrderState | null> {
  const { db, order } = context;
  const { live } = order;
  if (order.state === "PENDING" && live?.doubtId) {
    await move(
      { ...context, actor: deviceActor, commandId: live.doubtId },
      { kind: "DOOR_OPENED", purpose: "DEPOSIT" },
      { purpose: "DEPOSIT", isInDoubt: true },
    );
  }
  const item = provenItem(order);
  // Without a sensor, whoever opened the reserved compartment may have put the goods in.
  const mayHoldGoods =
    order.state === "PENDING" && item === "UNKNOWN" && (await hasOpenedSinceReserved(db, order));
  const happening = { kind, item, isDoorOpen: isDoorOpen(order) || mayHoldGoods };
  const moved = await move(context, happening, { reason });
  if (moved === "EXCEPTION") order.exceptionReason = `${reason}，格口内可能有物品，请核实`;
  // Without an end the order would keep its compartment for ever.
  if (live && (moved || kind === "DEPOSIT_TIMED_OUT")) live.depositUntil = null;
  return moved;
}
