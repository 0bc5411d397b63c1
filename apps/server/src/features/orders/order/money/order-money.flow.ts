// Money of an order: carries out what `settle` decides, in the ledger, with cards, and in the timeline.
import { owedFen, paidFen } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import {
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
import { findAgreement, hasUsedCard } from "../transitions/opening.sql.ts";
import {
  type Agreement,
  type Before,
  type CardCover,
  coverableFen,
  type MoneyHappening,
  type OrderAccount,
  type Payer,
  type Posting,
  priced,
  restored,
  type Stay,
  settle,
  type Undone,
  withoutRequest,
} from "./settle.rules.ts";

interface Cause {
  actor: Actor;
  commandId?: string | null;
  reason?: string;
}

export function stayOf({ state, pricing, chargeableMinutes }: LockedOrder): Stay {
  return { state, rule: pricing.rule, chargeableMinutes };
}

/** Changes the order's account, and whatever wallets and cards have to do with it. The caller calls `save`. */
export async function settleOrder(
  db: Db,
  order: LockedOrder,
  happening: MoneyHappening,
  cause: Cause,
): Promise<void> {
  const { account: before } = order;
  const { account, postings } = settle(before, stayOf(order), happening);
  order.account = account;
  for (const posting of postings) {
    if (posting.do === "CAPTURE") await capture(db, order, posting, cause);
    else if (posting.do === "PAY") await pay(db, order, posting, { ...cause, before });
    else await hold(db, order, posting);
  }
}

/** The same for what moves no money: requests, and openings that did not happen. */
export async function settleHold(
  db: Db,
  order: LockedOrder,
  happening: MoneyHappening,
): Promise<void> {
  const { account, postings } = settle(order.account, stayOf(order), happening);
  order.account = account;
  for (const posting of postings) {
    if (posting.do === "CAPTURE" || posting.do === "PAY") throw new Error(`${happening.kind} pays`);
    await hold(db, order, posting);
  }
}

type PostingOf<Kind extends Posting["do"]> = Extract<Posting, { do: Kind }>;

async function hold(
  db: Db,
  order: LockedOrder,
  posting: PostingOf<"UNCOVER" | "RELEASE" | "HOLD">,
): Promise<void> {
  const { tenantId, id: orderId } = order;
  if (posting.do === "UNCOVER") await undoCover(db, { tenantId, orderId });
  else if (posting.do === "RELEASE") await releaseHold(db, { tenantId, holdId: posting.holdId });
  else {
    const { payerId: endUserId, fen } = posting;
    order.account.hold = await takeHold(db, { tenantId, endUserId, orderId, fen });
  }
}

async function capture(
  db: Db,
  order: LockedOrder,
  { holdId }: PostingOf<"CAPTURE">,
  cause: Cause,
): Promise<void> {
  const { tenantId, side } = order;
  const posted = await postHold(db, { tenantId, holdId, side, actor: cause.actor });
  if (!posted) throw new Error(`hold ${holdId} was released without its order`);
  await notePaid(db, order, posted, cause);
}

async function pay(
  db: Db,
  order: LockedOrder,
  { payerId: endUserId, fen }: PostingOf<"PAY">,
  { actor, reason, before }: Cause & { before: OrderAccount },
): Promise<void> {
  const { tenantId, id, side } = order;
  const posted = await payFromWallet(db, {
    ...{ tenantId, endUserId, kind: "PAYMENT", fen, actor },
    ...{ bizType: "ORDER_PAYMENT", bizId: `${id}:${paidFen(before)}` },
    order: { id, side },
    ...(reason && { reason }),
  });
  await notePaid(db, order, posted, { actor });
}

async function notePaid(
  db: Db,
  order: LockedOrder,
  posted: PostedJournal,
  { actor, commandId = null }: Cause,
): Promise<void> {
  const [principalFen, bonusFen] = [-posted.principalFen, -posted.bonusFen];
  const fen = principalFen + bonusFen;
  await insertOrderEvent(db, order, {
    ...{ kind: "PAID", actor, commandId },
    detail: { fen, principalFen, bonusFen, payerId: posted.endUserId },
  });
  await addFigures(db, order, { incomeFen: fen, bonusFen });
  await publishPaid(db, order, fen);
}

/** A person at the door requests that it opens to take the goods out, or an operator or a third party does. */
export async function settleRequest(
  db: Db,
  order: LockedOrder,
  { payerId, waives }: { payerId: number | null; waives: boolean },
): Promise<void> {
  const account = priced(order.account, stayOf(order));
  const cover = payerId === null ? null : await takeCover(db, order, payerId, account);
  await settleHold(db, order, { kind: "REQUESTED", payerId, cover, waives });
}

/** The door opened. */
export async function settleOpened(
  db: Db,
  order: LockedOrder,
  cause: Cause & { commandId: string },
): Promise<void> {
  const { actor, commandId } = cause;
  const { undone, ...agreement } = await findAgreement(db, order, commandId);
  const payer = await payerOfOpening(db, order, actor, { ...agreement, undone });
  const isAwaited = order.cell?.isOpening ?? false;
  await settleOrder(db, order, { kind: "OPENED", agreement, undone, payer, isAwaited }, cause);
  const { coveredFen, userPackageId } = order.account;
  if (coveredFen > 0) {
    const detail = { fen: coveredFen, userPackageId };
    await insertOrderEvent(db, order, { kind: "COVERED", actor, commandId, detail });
  }
}

/** The door did not open. `doubtId`: an earlier opening whose result is not known. */
export async function settleNotOpened(
  db: Db,
  order: LockedOrder,
  { before, doubtId }: { before: Before | null; doubtId: string | null },
): Promise<void> {
  const earlier = doubtId === null ? null : await findAgreement(db, order, doubtId);
  const keepsCard = earlier ? earlier.coveredFen > 0 : await hasUsedCard(db, order);
  const account = withoutRequest(order.account, stayOf(order), before);
  const cover = keepsCard ? await takeCover(db, order, order.recipientId, account) : null;
  await settleHold(db, order, { kind: "NOT_OPENED", before, earlier, cover });
}

/** Null where nothing has to be known of a wallet. */
async function payerOfOpening(
  db: Db,
  order: LockedOrder,
  actor: Actor,
  { payerId, agreedFen, undone }: Agreement & { undone: Undone | null },
): Promise<(Payer & { cover: CardCover | null }) | null> {
  const { hold } = order.account;
  if (payerId !== null && hold?.endUserId === payerId) {
    const owed = owedFen(order.account);
    const isAll = agreedFen === hold.principalFen + hold.bonusFen && owed >= agreedFen && !undone;
    return isAll ? null : { ...(await payerOf(db, order, payerId)), cover: null };
  }
  // Staff who open the door have nobody pay but whoever has a hold.
  if (actor.kind !== "END_USER" || payerId === null || !(undone || agreedFen > 0)) return null;
  const cover = undone && (await takeCover(db, order, payerId, restored(order.account, undone)));
  return { ...(await payerOf(db, order, payerId)), cover };
}

/** Takes what a card (package) of the payer covers; an order keeps the card it already used. */
async function takeCover(
  db: Db,
  { tenantId, id: orderId, side }: LockedOrder,
  endUserId: number,
  account: OrderAccount,
): Promise<CardCover | null> {
  if (owedFen(account) === 0 && account.userPackageId === null) return null;
  return coverByCard(db, { tenantId, endUserId, side, orderId, fen: coverableFen(account) });
}

/** The payer with the balance of a locked wallet. */
export async function payerOf(db: Db, { tenantId }: LockedOrder, payerId: number): Promise<Payer> {
  await lockWallets(db, tenantId, [payerId]);
  return { payerId, wallet: spendable(await walletOf(db, { tenantId, endUserId: payerId })) };
}
