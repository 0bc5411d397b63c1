// Actions on orders besides opening a door: cancel, extend, complete, refund, decide an opening in doubt.
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { splitRefund } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import {
  CODE_RESENDS_PER_ORDER,
  hasGoods,
  isLive,
  mayChangeRecipient,
  owedFen,
  paidFen,
  refundedFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { refuse, refuseOutdated } from "../../../../platform/errors.ts";
import { countAsk } from "../../../../platform/limits/rate-limit.sql.ts";
import { findSmsChannel } from "../../../messaging/sms/index.ts";
import { sendMessage } from "../../../messaging/template/index.ts";
import { postJournal, splitOrRefuse } from "../../../money/ledger/index.ts";
import { addFigures } from "../../../operations/statistics/index.ts";
import { payerOf, settleHold, settleOrder, stayOf } from "../money/order-money.flow.ts";
import { chargeableFen } from "../money/settle.rules.ts";
import { publishRefunded } from "../notify/order-events.flow.ts";
import {
  findNotice,
  findPayers,
  insertOrderEvent,
  type LockedOrder,
  type OrderKey,
  updateRecipient,
} from "./live-order.sql.ts";
import { findPeople } from "./new-order.sql.ts";
import { enqueueOrderNotice } from "./order.queue.ts";
import { depositorOf, isInDoubt, lockOrderOrRefuse, refuseState } from "./order.service.ts";
import { giveUp, openingDidNot, openingHappened } from "./order-opening.flow.ts";
import {
  isDoorAwaited,
  isDoorOpen,
  itemOf,
  move,
  type OrderContext,
  provenItem,
  save,
} from "./order-transitions.flow.ts";
import { sendCode } from "./recipient-message.service.ts";

export interface Action extends OrderKey {
  reason: string;
}

/**
 * Cancels an order before its goods are in, for its depositor, an operator or a third party. Refuses while the door
 * is open or goods may lie inside: then nothing changes, and the order goes on.
 */
export async function cancelOrder(
  db: Db,
  actor: Actor,
  { reason, ...key }: OrderKey & { reason?: string },
): Promise<OrderState> {
  const order = await lockOrderOrRefuse(db, key);
  if (actor.kind === "END_USER" && actor.id !== depositorOf(order)) {
    refuse("NOT_FOUND", { what: "订单" });
  }
  requireNoOpening(order);
  const moved = await giveUp({ db, order, actor }, "CANCELLED", reason);
  if (!moved && (order.state === "PENDING" || order.state === "DEPOSITING")) {
    refuse("ORDER_NOT_CANCELLABLE", { why: whyNotCancellable(order) });
  }
  if (!moved) refuseState(order.state, "取消");
  await save(db, order);
  return order.state;
}

function whyNotCancellable(order: LockedOrder): string {
  if (isDoorOpen(order)) return "箱门未关，请关好箱门后再取消";
  const isUnproven =
    order.live?.doubtId && itemOf(order) !== "UNKNOWN" && provenItem(order) === "UNKNOWN";
  return isUnproven ? "开门结果尚未确定，请一分钟后再取消" : "无法确认格口内没有物品，请现场核实";
}

/** Postpones the overdue time by `hours`; the price keeps running. */
export async function extendOrder(
  db: Db,
  actor: Actor,
  { hours, reason, ...key }: Action & { hours: number },
): Promise<{ overdueAt: string }> {
  const order = await lockOrderOrRefuse(db, key);
  const from = order.overdueAt;
  const start = Math.max(Date.parse(order.now), Date.parse(from ?? order.now));
  const overdueAt = new Date(start + hours * 3_600_000).toISOString();
  const moved = await move(
    { db, order, actor },
    { kind: "EXTENDED" },
    { from, until: overdueAt, reason },
  );
  if (!moved || !order.live) refuseState(order.state, "延长存放");
  order.overdueAt = overdueAt;
  order.live.overdueAt = overdueAt;
  await save(db, order);
  return { overdueAt };
}

/**
 * Completes an order on a person's word that the goods are out. `chargeFen` of the amount owed is paid from the wallet of
 * the recipient, or of whoever agreed to pay at an opening in doubt, if it has enough; the rest is waived.
 */
export async function forceComplete(
  db: Db,
  actor: Actor,
  { reason, chargeFen, ...key }: Action & { chargeFen: number },
): Promise<{ paidFen: number; owedFen: number }> {
  const order = await lockOrderOrRefuse(db, key);
  if (!hasGoods(order.state)) refuseState(order.state, "强制完成");
  requireNoOpening(order);
  if (itemOf(order) === "PRESENT") refuse("COMPARTMENT_OCCUPIED", { no: order.no });
  const scene = { db, order, actor, reason };
  const before = paidFen(order.account);
  await complete(scene, chargeFen);
  await move(scene, { kind: "FORCE_COMPLETED" }, { reason });
  await save(db, order);
  return { paidFen: paidFen(order.account) - before, owedFen: owedFen(order.account) };
}

async function complete(
  { db, order, ...cause }: OrderContext & { reason: string },
  chargeFen: number,
): Promise<void> {
  const most = chargeableFen(order.account, stayOf(order));
  if (chargeFen > most) refuse("CHARGE_TOO_MUCH", { max: yuanOfFen(most) });
  const payerId = order.account.hold?.endUserId ?? order.recipientId;
  const payer = chargeFen > 0 ? await payerOf(db, order, payerId) : null;
  await settleOrder(db, order, { kind: "COMPLETED", chargeFen, payer }, cause);
}

/** 清柜: a person has emptied the compartment; the rest is waived. Runs inside the compartment's own action. */
export async function clearOrder(db: Db, actor: Actor, { reason, ...key }: Action): Promise<void> {
  const order = await lockOrderOrRefuse(db, key);
  requireNoOpening(order);
  if (itemOf(order) === "PRESENT") refuse("COMPARTMENT_OCCUPIED", { no: order.no });
  const scene = { db, order, actor };
  await settleHold(db, order, { kind: "COMPLETED", chargeFen: 0, payer: null });
  if (!(await move(scene, { kind: "CLEARED" }, { reason }))) refuseState(order.state, "清柜");
  await save(db, order);
}

export async function markException(
  db: Db,
  actor: Actor,
  { reason, ...key }: Action,
): Promise<void> {
  const order = await lockOrderOrRefuse(db, key);
  const scene = { db, order, actor };
  if (!(await move(scene, { kind: "MARKED_EXCEPTION" }, { reason }))) {
    refuseState(order.state, "转为异常");
  }
  await save(db, order);
}

/** 盘点: a person has looked, and the order's goods are not there. */
export async function reportMissing(db: Db, actor: Actor, key: OrderKey): Promise<void> {
  const { state } = await lockOrderOrRefuse(db, key);
  if (hasGoods(state) && state !== "EXCEPTION") {
    await markException(db, actor, { ...key, reason: "盘点时未见物品" });
  }
}

/** Records a person's decision on an opening whose result is unknown. */
export async function decideOpening(
  db: Db,
  actor: Actor,
  { isOpened, reason, ...key }: Action & { isOpened: boolean },
): Promise<void> {
  const order = await lockOrderOrRefuse(db, key);
  const doubtId = order.live?.doubtId;
  if (!doubtId) refuse("ORDER_NOT_IN_DOUBT");
  requireNoOpening(order);
  const scene = { db, order, actor, commandId: doubtId };
  if (isOpened) await openingHappened(scene, { isSeenByPerson: true, reason });
  else await openingDidNot(scene, { state: "UNKNOWN", reason });
  await save(db, order);
}

/**
 * Issues a new code when the old one leaked or never arrived. Rate-limited per order. Refuses where nothing can carry the new
 * code: rolled back, the recipient's own stays the one that opens.
 */
export async function resendCode(db: Db, actor: Actor, key: OrderKey): Promise<void> {
  const order = await lockOrderOrRefuse(db, key);
  if (!hasGoods(order.state)) refuseState(order.state, "重发取件码");
  await countCode(db, key);
  const { subscribeId } = await sendCode(db, order, actor);
  if (subscribeId === null && !(await findSmsChannel(db))?.isOn) refuse("CODE_NOT_SENDABLE");
  await save(db, order);
}

async function countCode(db: Db, { tenantId, orderId }: OrderKey): Promise<void> {
  const asked = `pickup-code:${tenantId}:${orderId}`;
  const seconds = await countAsk(db, asked, CODE_RESENDS_PER_ORDER);
  if (seconds > 0) refuse("RATE_LIMITED", { seconds });
}

/**
 * Makes another person the recipient, because the phone was wrong: they get a new code, and that of the former recipient opens
 * nothing any more. Money stays with whoever paid or holds it. Without a channel the code waits in the outbox, where staff can read
 * it: a wrong person must not keep a working one.
 */
export async function changeRecipient(
  db: Db,
  actor: Actor,
  {
    recipientId,
    seenRecipientId,
    reason,
    ...key
  }: Action & { recipientId: number; seenRecipientId: number },
): Promise<{ formerPhone: string }> {
  const order = await lockOrderOrRefuse(db, key);
  if (order.recipientId !== seenRecipientId) refuseOutdated(null);
  if (!mayChangeRecipient(order.state)) refuseState(order.state, "更正取件人");
  requireNoOpening(order);
  const why = whyRecipientStays(order, recipientId);
  if (why) refuse("RECIPIENT_NOT_CHANGEABLE", { why });
  const { tenantId, id: orderId, side } = order;
  // Locked: the person may be deleted meanwhile.
  if ((await findPeople(db, tenantId, [recipientId])).length === 0) {
    refuse("NOT_FOUND", { what: "用户" });
  }
  await countCode(db, key);
  const { phone: formerPhone, place } = await findNotice(db, order);
  order.recipientId = recipientId;
  await updateRecipient(db, order);
  const { phone } = await findNotice(db, order);
  const phones = [maskPhone(formerPhone), maskPhone(phone)];
  const detail = { phones, reason };
  await insertOrderEvent(db, order, { kind: "RECIPIENT_CHANGED", actor, detail });
  await sendCode(db, order, actor);
  await sendMessage(db, {
    ...{ tenantId, orderId, scene: "RECIPIENT_CHANGED", side },
    ...{ phone: formerPhone, endUserId: seenRecipientId },
    facts: { place, no: order.no, orderId },
  });
  await save(db, order);
  return { formerPhone };
}

function whyRecipientStays(order: LockedOrder, recipientId: number): string | null {
  const { hold, userPackageId } = order.account;
  if (recipientId === order.recipientId) return "新手机号与现在的相同";
  // The result decides whether the former recipient has taken the goods and pays.
  if (isInDoubt(order) || hold) return "最近一次开门的结果待核实，请先核实";
  // A card stays with the order that it paid for, and would go on paying for somebody else.
  return userPackageId === null ? null : "原取件人的套餐已抵扣本订单，说明其已取过件";
}

/** Pays the debt of an order that has ended. */
export async function payOrder(db: Db, actor: Actor, key: OrderKey): Promise<{ paidFen: number }> {
  const order = await lockOrderOrRefuse(db, key);
  const payerId = actor.id;
  const isTheirs = payerId === order.recipientId || payerId === order.riderId;
  if (actor.kind !== "END_USER" || payerId === null || !isTheirs) {
    refuse("NOT_FOUND", { what: "订单" });
  }
  if (isLive(order.state)) refuseState(order.state, "补缴，请在取件时支付");
  const owed = owedFen(order.account);
  if (owed === 0) return { paidFen: 0 };
  const payer = await payerOf(db, order, payerId);
  splitOrRefuse(owed, payer.wallet);
  await settleOrder(db, order, { kind: "PAID", payer }, { actor });
  await save(db, order);
  return { paidFen: owed };
}

/** Refunds to the payers, bonus first; at most the amount paid and not yet refunded. */
export async function refundOrder(
  db: Db,
  actor: Actor,
  { fen, reason, ...key }: Action & { fen: number },
): Promise<{ principalFen: number; bonusFen: number }> {
  const order = await lockOrderOrRefuse(db, key);
  const { tenantId, id, side } = order;
  const most = paidFen(order.account) - refundedFen(order.account);
  if (fen > most) refuse("REFUND_TOO_MUCH", { max: yuanOfFen(most) });
  const total = { principalFen: 0, bonusFen: 0 };
  const basis = `${order.state} ${paidFen(order.account)} ${refundedFen(order.account)}`;
  let left = fen;
  for (const { endUserId, ...paid } of await findPayers(db, order)) {
    const part = splitRefund(Math.min(left, paid.principalFen + paid.bonusFen), paid);
    if (!part || part.principalFen + part.bonusFen === 0) continue;
    const bizId = `${id}:${refundedFen(order.account)}`;
    await postJournal(db, {
      ...{ tenantId, endUserId, kind: "PAYMENT_REFUND", ...part, actor, reason },
      ...{ bizType: "ORDER_REFUND", bizId, order: { id, side }, basis },
    });
    const refunded = part.principalFen + part.bonusFen;
    const news = { scene: "REFUNDED", endUserId, occasion: bizId, refundedFen: refunded } as const;
    await enqueueOrderNotice(db, order, news);
    await settleOrder(db, order, { kind: "REFUNDED", refund: part }, { actor });
    total.principalFen += part.principalFen;
    total.bonusFen += part.bonusFen;
    left -= refunded;
  }
  if (left > 0) throw new Error(`the ledger knows ${left} fen less than order ${id} was paid`);
  await insertOrderEvent(db, order, {
    ...{ kind: "REFUNDED", actor },
    detail: { fen, ...total, reason },
  });
  await addFigures(db, order, { refundFen: fen });
  await publishRefunded(db, order, fen);
  await save(db, order);
  return total;
}

/** Refuses with COMMAND_IN_FLIGHT while a door may be opening or a result is unprocessed. */
function requireNoOpening(order: LockedOrder): void {
  if (isDoorAwaited(order)) refuse("COMMAND_IN_FLIGHT", { no: order.no });
}
