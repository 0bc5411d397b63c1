// Money of an order: priced when a pickup opening is requested, held until the result, paid once the door opened.

import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { owedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { refuse } from "../../../../platform/errors.ts";
import {
  findHoldOfOrder,
  lockWallets,
  type PostedJournal,
  payFromWallet,
  postHold,
  releaseHold,
  spendable,
  takeHold,
  walletOf,
} from "../../../money/ledger/index.ts";
import { coverByCard, undoCover } from "../../../money/package/index.ts";
import { addFigures } from "../../../operations/statistics/index.ts";
import { publishPaid } from "../notify/order-events.flow.ts";
import { insertOrderEvent, type LockedOrder } from "../transitions/live-order.sql.ts";
import { findRequest, findUndone } from "../transitions/opening.sql.ts";

/** Covers the price with a card (package) of the payer; an order keeps the card it already used. */
export async function cover(db: Db, order: LockedOrder, payerId: number | null): Promise<void> {
  const { tenantId, id, side } = order;
  const isCovered = order.userPackageId !== null;
  if (payerId === null || (owedFen(order) === 0 && !isCovered)) return;
  const fen = Math.max(0, order.priceFen - order.waivedFen);
  const taken = await coverByCard(db, { tenantId, endUserId: payerId, side, orderId: id, fen });
  order.coveredFen = taken?.coveredFen ?? 0;
  order.userPackageId = taken?.userPackageId ?? null;
}

/** Holds the owed amount; replaces an earlier hold by the same payer whose opening is still in doubt. */
export async function hold(db: Db, order: LockedOrder, payerId: number | null): Promise<number> {
  const { tenantId, id: orderId } = order;
  const earlier = await findHoldOfOrder(db, { tenantId, orderId });
  if (earlier && earlier.endUserId !== payerId) refuse("ORDER_IN_DOUBT");
  if (earlier) await releaseHold(db, { tenantId, holdId: earlier.id });
  const fen = owedFen(order);
  if (fen === 0) return 0;
  if (payerId === null) refuse("ORDER_OWES", { owed: yuanOfFen(fen) });
  await takeHold(db, { tenantId, endUserId: payerId, orderId, fen });
  return fen;
}

/** Waives this much of what is owed, and releases any hold for it. */
export async function waive(db: Db, order: LockedOrder, fen = owedFen(order)): Promise<void> {
  const { tenantId, id: orderId } = order;
  const held = await findHoldOfOrder(db, { tenantId, orderId });
  if (held) await releaseHold(db, { tenantId, holdId: held.id });
  order.waivedFen += fen;
}

/** The door opened: captures the hold. */
export async function settleOpened(
  db: Db,
  order: LockedOrder,
  actor: Actor,
  commandId: string | null,
): Promise<void> {
  const { tenantId, side } = order;
  if (commandId) await keepToRequest(db, order, commandId);
  const held = await findHoldOfOrder(db, { tenantId, orderId: order.id });
  const posted = held && (await postHold(db, { tenantId, holdId: held.id, side, actor }));
  if (posted) await notePaid(db, order, posted, actor, commandId);
  else await payLate(db, order, actor, commandId);
  if (order.coveredFen > 0) {
    const detail = { fen: order.coveredFen, userPackageId: order.userPackageId };
    await insertOrderEvent(db, order, { kind: "COVERED", actor, commandId, detail });
  }
}

/**
 * A later request has held a higher price, or somebody else's money, and this opening happened instead of that one: its own
 * price counts, and its own person pays.
 */
export async function keepToRequest(db: Db, order: LockedOrder, commandId: string): Promise<void> {
  const { tenantId, id: orderId } = order;
  const held = await findHoldOfOrder(db, { tenantId, orderId });
  const asked = held && (await findRequest(db, order, commandId));
  if (!held || asked?.priceFen == null) return;
  const isOthers = asked.personId !== null && asked.personId !== held.endUserId;
  if (!isOthers && asked.priceFen >= order.priceFen) return;
  order.priceFen = asked.priceFen;
  order.chargedMinutes = asked.chargedMinutes;
  if (isOthers) {
    await releaseHold(db, { tenantId, holdId: held.id });
    await undoCover(db, { tenantId, orderId });
    Object.assign(order, { coveredFen: 0, userPackageId: null });
  } else {
    await cover(db, order, held.endUserId);
    await hold(db, order, held.endUserId);
  }
}

/** The opening was recorded as not opened but did happen: pays what its person agreed to if the wallet has enough, else it stays owed. */
async function payLate(
  db: Db,
  order: LockedOrder,
  actor: Actor,
  commandId: string | null,
): Promise<void> {
  const undone = commandId && (await findUndone(db, order, commandId));
  if (undone) {
    order.priceFen = Math.max(order.priceFen, undone.priceFen);
    order.waivedFen += undone.waivedFen;
  }
  if (actor.kind !== "END_USER" || actor.id === null) return;
  await cover(db, order, actor.id);
  // The card that covered the request may have been used up since: nobody agreed to pay instead.
  const asked = commandId && (await findRequest(db, order, commandId));
  if (asked && asked.chargedFen !== null && owedFen(order) > asked.chargedFen) return;
  await payIfEnough(db, order, { payerId: actor.id, actor });
}

/** The door is proven not to have opened: releases the hold and the card. */
export async function settleNotOpened(
  db: Db,
  order: LockedOrder,
  wasOpenedBefore: boolean,
): Promise<void> {
  const { tenantId, id: orderId } = order;
  // A card that paid for an opening that did happen stays used.
  if (!wasOpenedBefore && order.userPackageId !== null) {
    await undoCover(db, { tenantId, orderId });
    Object.assign(order, { coveredFen: 0, userPackageId: null });
  }
  const held = await findHoldOfOrder(db, { tenantId, orderId });
  if (held) await releaseHold(db, { tenantId, holdId: held.id });
}

interface Payment {
  payerId: number;
  actor: Actor;
  reason?: string;
}

/** Pays the owed amount if the balance, read under the wallet lock, is enough. */
export async function payIfEnough(db: Db, order: LockedOrder, payment: Payment): Promise<void> {
  const { tenantId } = order;
  const { payerId: endUserId } = payment;
  if (owedFen(order) === 0) return;
  await lockWallets(db, tenantId, [endUserId]);
  const { principalFen, bonusFen } = spendable(await walletOf(db, { tenantId, endUserId }));
  if (principalFen + bonusFen >= owedFen(order)) await payOwed(db, order, payment);
}

/** Pays the owed amount at once; refuses when the balance is too low. */
export async function payOwed(
  db: Db,
  order: LockedOrder,
  { payerId, actor, reason }: Payment,
): Promise<number> {
  const fen = owedFen(order);
  if (fen === 0) return 0;
  const { tenantId, id, side } = order;
  const paidBefore = order.paidPrincipalFen + order.paidBonusFen;
  const posted = await payFromWallet(db, {
    ...{ tenantId, endUserId: payerId, kind: "PAYMENT", fen, actor },
    ...{ bizType: "ORDER_PAYMENT", bizId: `${id}:${paidBefore}` },
    order: { id, side },
    ...(reason && { reason }),
  });
  await notePaid(db, order, posted, actor, null);
  return fen;
}

async function notePaid(
  db: Db,
  order: LockedOrder,
  posted: PostedJournal,
  actor: Actor,
  commandId: string | null,
): Promise<void> {
  const [principalFen, bonusFen] = [-posted.principalFen, -posted.bonusFen];
  order.paidPrincipalFen += principalFen;
  order.paidBonusFen += bonusFen;
  const fen = principalFen + bonusFen;
  await insertOrderEvent(db, order, {
    ...{ kind: "PAID", actor, commandId },
    detail: { fen, principalFen, bonusFen, payerId: posted.endUserId },
  });
  await addFigures(db, order, { incomeFen: fen, bonusFen });
  await publishPaid(db, order, fen);
}
