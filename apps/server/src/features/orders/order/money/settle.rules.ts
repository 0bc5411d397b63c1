// Price of an order and how it is settled, as one value that only `settle` changes.
import { type FenSplit, splitPayment } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { type PricingRule, priceOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  isPriceRunning,
  type OrderMoney,
  owedFen,
  paidFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";

/** Part of a wallet that is kept for the order until the result of its opening. */
export interface Held extends FenSplit {
  id: number;
  endUserId: number;
}

/** Amounts in fen. */
export interface OrderAccount extends OrderMoney {
  /** Minutes that the standing price was calculated from; null while it runs. */
  chargedMinutes: number | null;
  /** Card that paid a part. */
  userPackageId: number | null;
  hold: Held | null;
}

/** Facts that a price depends on besides the account. */
export interface Stay {
  state: OrderState;
  rule: PricingRule;
  /** Minutes to charge up to now; null before the goods are in. */
  chargeableMinutes: number | null;
}

/** Part that a card pays. */
export interface CardCover {
  userPackageId: number;
  coveredFen: number;
}

/** Price and waiver that were taken back when an opening was recorded as not opened. */
export interface Undone {
  priceFen: number;
  waivedFen: number;
}

export type MoneyHappening =
  /** Somebody requests that the door opens to take the goods out. Only a person at the door has a `payerId`. */
  | { kind: "REQUESTED"; payerId: number | null; cover: CardCover | null; waives: boolean }
  /** The door opened. */
  | {
      kind: "OPENED";
      agreement: Agreement;
      /** Not null: the opening was recorded as not opened before. */
      undone: Undone | null;
      /** Person who agreed, unless the hold is all that they pay with. `cover`: of an opening that was undone. */
      payer: (Payer & { cover: CardCover | null }) | null;
      /** Another opening is under way. */
      isAwaited: boolean;
    }
  /** The door is proven not to have opened, and no later opening relies on the hold. */
  | {
      kind: "NOT_OPENED";
      /** Price before, and what the request waived; null: a later request has replaced it, or the order has ended. */
      before: Before | null;
      /** An earlier opening whose result is not known; null: none. */
      earlier: Agreement | null;
      /** Part that the card pays from now on; null: nothing that happened, or may have, was paid with it. */
      cover: CardCover | null;
    }
  /** The door closed, and the goods may still lie inside. */
  | { kind: "CLOSED" }
  /** Something is wrong with the order. */
  | { kind: "STOPPED" }
  /** A person says that the goods are out; `chargeFen` of what is owed is to be paid, the rest is waived. */
  | { kind: "COMPLETED"; chargeFen: number; payer: Payer | null }
  /** A person pays a debt. */
  | { kind: "PAID"; payer: Payer }
  | { kind: "REFUNDED"; refund: FenSplit };

/** Price, and its minutes, before a request, and what the request waived. */
export interface Before extends Undone {
  chargedMinutes: number | null;
}

/** Amount that somebody agreed to when they requested an opening, less what the order was paid since. */
export interface Agreement {
  /** Null: nobody did. */
  payerId: number | null;
  agreedFen: number;
}

export interface Payer {
  payerId: number;
  /** Spendable balance. */
  wallet: FenSplit;
}

/** A change of wallets and cards that belongs to the change of the account, in this order. */
export type Posting =
  | { do: "UNCOVER" }
  | { do: "RELEASE"; holdId: number }
  | { do: "HOLD"; payerId: number; fen: number }
  | { do: "CAPTURE"; holdId: number }
  | { do: "PAY"; payerId: number; fen: number };

/** The hold of a HOLD is the ledger's, which splits it: the account has none yet. */
export interface Settlement {
  account: OrderAccount;
  postings: Posting[];
}

/** Amount of the price that a card may pay. */
export function coverableFen({ priceFen, waivedFen }: OrderAccount): number {
  return Math.max(0, priceFen - waivedFen);
}

/** The account with the price of the stay up to now, unless that stands. */
export function priced(account: OrderAccount, stay: Stay): OrderAccount {
  const { state, rule, chargeableMinutes } = stay;
  if (!isPriceRunning(state) || chargeableMinutes === null) return account;
  const priceFen = priceOf(rule, chargeableMinutes);
  return { ...account, chargedMinutes: chargeableMinutes, priceFen };
}

/** The price of an opening is that of its request; nobody pays more than they agreed to there, or than an operator typed. */
export function settle(account: OrderAccount, stay: Stay, happening: MoneyHappening): Settlement {
  switch (happening.kind) {
    case "REQUESTED":
      return requested(priced(account, stay), happening);
    case "OPENED":
      return opened(account, happening);
    case "NOT_OPENED":
      return notOpened(account, stay, happening);
    case "CLOSED":
      return unchanged(running(account, stay));
    case "STOPPED":
      return unchanged(standing(account, stay));
    case "COMPLETED": {
      const { payer, chargeFen } = happening;
      const stands = standing(account, stay);
      const waived = waive(stands, owedFen(stands) - chargeFen);
      return pay(waived, payer && withHold(payer, account), chargeFen);
    }
    case "PAID":
      return pay(unchanged(account), happening.payer, owedFen(account));
    case "REFUNDED":
      return unchanged({
        ...account,
        refundedPrincipalFen: account.refundedPrincipalFen + happening.refund.principalFen,
        refundedBonusFen: account.refundedBonusFen + happening.refund.bonusFen,
      });
  }
}

const unchanged = (account: OrderAccount): Settlement => ({ account, postings: [] });

/** The price stands from now on, if it does not yet. */
const standing = (account: OrderAccount, stay: Stay): OrderAccount =>
  account.chargedMinutes === null ? priced(account, stay) : account;

/** The price counts the whole stay again. */
const running = (account: OrderAccount, { state }: Stay): OrderAccount =>
  isPriceRunning(state) ? { ...account, chargedMinutes: null } : account;

function release(account: OrderAccount): Settlement {
  if (!account.hold) return unchanged(account);
  const postings: Posting[] = [{ do: "RELEASE", holdId: account.hold.id }];
  return { account: { ...account, hold: null }, postings };
}

function waive(account: OrderAccount, fen: number): Settlement {
  const released = release(account);
  const waivedFen = released.account.waivedFen + fen;
  return { ...released, account: { ...released.account, waivedFen } };
}

function covered(account: OrderAccount, cover: CardCover | null): OrderAccount {
  const { userPackageId, coveredFen } = cover ?? { userPackageId: null, coveredFen: 0 };
  return { ...account, userPackageId, coveredFen };
}

/** Pays `fen` if the wallet has enough, else nothing. */
function pay({ account, postings }: Settlement, payer: Payer | null, fen: number): Settlement {
  const split = fen > 0 && payer ? splitPayment(fen, payer.wallet) : null;
  if (!split || !payer) return { account, postings };
  const { payerId } = payer;
  return {
    account: addPaid(account, split),
    postings: [...postings, { do: "PAY", payerId, fen }],
  };
}

/** The payer's wallet once the order's hold is released. */
function withHold({ payerId, wallet }: Payer, { hold }: OrderAccount): Payer {
  if (hold?.endUserId !== payerId) return { payerId, wallet };
  const principalFen = wallet.principalFen + hold.principalFen;
  return { payerId, wallet: { principalFen, bonusFen: wallet.bonusFen + hold.bonusFen } };
}

const addPaid = (account: OrderAccount, { principalFen, bonusFen }: FenSplit): OrderAccount => ({
  ...account,
  paidPrincipalFen: account.paidPrincipalFen + principalFen,
  paidBonusFen: account.paidBonusFen + bonusFen,
});

function requested(
  account: OrderAccount,
  { payerId, cover, waives }: Extract<MoneyHappening, { kind: "REQUESTED" }>,
): Settlement {
  if (payerId === null) return waives ? waive(account, owedFen(account)) : unchanged(account);
  const released = release(covered(account, cover));
  const fen = owedFen(released.account);
  if (fen === 0) return released;
  return { ...released, postings: [...released.postings, { do: "HOLD", payerId, fen }] };
}

function opened(
  account: OrderAccount,
  happening: Extract<MoneyHappening, { kind: "OPENED" }>,
): Settlement {
  const { hold } = account;
  const { agreement, undone, payer, isAwaited } = happening;
  const asked = undone ? restored(account, undone) : account;
  if (hold && hold.endUserId === agreement.payerId) return openedUnderHold(asked, hold, happening);
  const settled = undone && payer ? covered(asked, payer.cover) : asked;
  // The hold of somebody else, who requested another opening.
  const others = isAwaited ? unchanged(settled) : release(settled);
  return pay(others, payer, Math.min(agreement.agreedFen, owedFen(settled)));
}

/** A hold that is more than what is due for this opening is that of a later request of the same person. */
function openedUnderHold(
  asked: OrderAccount,
  hold: Held,
  { agreement: { agreedFen }, payer, isAwaited }: Extract<MoneyHappening, { kind: "OPENED" }>,
): Settlement {
  const heldFen = hold.principalFen + hold.bonusFen;
  const dueFen = Math.min(agreedFen, owedFen(asked));
  if (dueFen === 0 && isAwaited) return unchanged(asked);
  const wallet = payer && withHold(payer, asked);
  const isEnough = wallet !== null && splitPayment(dueFen, wallet.wallet) !== null;
  if (dueFen === heldFen || (dueFen > heldFen && !isEnough)) {
    const postings: Posting[] = [{ do: "CAPTURE", holdId: hold.id }];
    return { account: { ...addPaid(asked, hold), hold: null }, postings };
  }
  const paid = pay(release(asked), wallet, dueFen);
  if (!isAwaited || dueFen > heldFen) return paid;
  const rest: Posting = { do: "HOLD", payerId: hold.endUserId, fen: heldFen - dueFen };
  return { ...paid, postings: [...paid.postings, rest] };
}

/** The account as that request had left it; an amount that a later one asks for stays owed. */
export function restored(account: OrderAccount, undone: Undone): OrderAccount {
  const asked = { ...account, priceFen: Math.max(account.priceFen, undone.priceFen) };
  return { ...asked, waivedFen: account.waivedFen + Math.min(undone.waivedFen, owedFen(asked)) };
}

/** The account without the request of an opening that did not happen. */
export function withoutRequest(
  account: OrderAccount,
  { state }: Stay,
  before: Before | null,
): OrderAccount {
  if (!before) return account;
  const { priceFen, chargedMinutes } = before;
  const asked = { ...account, waivedFen: account.waivedFen - before.waivedFen };
  // An exception since then has fixed the price.
  if (chargedMinutes === null && !isPriceRunning(state) && state !== "PICKING") return asked;
  const restoredPrice = {
    ...asked,
    priceFen,
    chargedMinutes: chargedMinutes ?? asked.chargedMinutes,
  };
  return atLeastSettled(restoredPrice, state === "PICKING" ? asked.coveredFen : 0);
}

/** An earlier opening that is proven costs what was settled for it. */
function atLeastSettled(account: OrderAccount, coveredFen: number): OrderAccount {
  const settledFen = paidFen(account) + coveredFen + account.waivedFen;
  return { ...account, priceFen: Math.max(account.priceFen, settledFen) };
}

function notOpened(
  account: OrderAccount,
  stay: Stay,
  { before, earlier, cover }: Extract<MoneyHappening, { kind: "NOT_OPENED" }>,
): Settlement {
  const uncovered = withoutRequest(account, stay, before);
  const asBefore = covered(atLeastSettled(uncovered, cover?.coveredFen ?? 0), cover);
  const { account: settled, postings } = earlier
    ? holdFor(asBefore, earlier)
    : release(running(asBefore, stay));
  const isUncovered = account.userPackageId !== null && cover === null;
  return { account: settled, postings: isUncovered ? [{ do: "UNCOVER" }, ...postings] : postings };
}

function holdFor(account: OrderAccount, { payerId, agreedFen }: Agreement): Settlement {
  const heldFen = account.hold ? account.hold.principalFen + account.hold.bonusFen : 0;
  if (heldFen === agreedFen) return unchanged(account);
  const released = release(account);
  if (payerId === null || agreedFen === 0) return released;
  const held: Posting = { do: "HOLD", payerId, fen: agreedFen };
  return { ...released, postings: [...released.postings, held] };
}

/** Most that a completion by a person may charge. */
export function chargeableFen(account: OrderAccount, stay: Stay): number {
  return owedFen(standing(account, stay));
}
