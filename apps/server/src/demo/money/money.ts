// Wallets of the demo over time: top-ups, cards, payments and refunds, each a journal the balance allows.
import {
  type FenSplit,
  type PayChannel,
  splitPayment,
  splitRefund,
  type WalletChange,
} from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { type Card, chooseCard, coverOf } from "@cabinet/contract/money/package/package.rules.ts";
import { owedFen, paidFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../fleet/cabinet.ts";
import type { DemoOrder } from "../orders/order.ts";
import type { DemoPerson } from "../organization/person.ts";
import { Random } from "../random.ts";
import { type DemoCardPackage, type DemoPackage, isCardPackage } from "./package.ts";

/** Until inserted, its id is its 1-based position in `cards`. */
export interface DemoCard extends Card {
  person: DemoPerson;
  sold: DemoCardPackage;
  boughtAt: number;
}

export interface DemoTopUp extends FenSplit {
  person: DemoPerson;
  channel: PayChannel;
  sold: DemoPackage | null;
  createdAt: number;
  paidAt: number;
  outTradeNo: string;
  transactionNo: string | null;
}

export interface DemoHold extends FenSplit {
  order: DemoOrder;
  person: DemoPerson;
  at: number;
  settledAt: number;
}

/** Business record behind a journal. */
export type DemoBusiness =
  | { topUp: DemoTopUp }
  | { card: DemoCard }
  | { hold: DemoHold }
  | { refundOf: DemoOrder }
  | { nth: number };

export type DemoJournal = WalletChange & {
  at: number;
  person: DemoPerson;
  after: FenSplit;
  business: DemoBusiness;
  order: DemoOrder | null;
  /** Null: the person themselves; otherwise the tenant's account of that userType. */
  actor: 1 | null;
  reason: string | null;
};

export interface DemoUse {
  order: DemoOrder;
  card: DemoCard;
  fen: number;
  at: number;
}

const refundReasons = [
  "箱门多次未弹开，用户等待过久，按投诉处理退款",
  "重复扣费，核实后退还",
  "物品被误取，协商退款",
  "柜机断网导致超时，退还超时费用",
] as const;
const adjustReasons = ["活动补偿", "线下收款登记错误，更正", "客诉安抚，赠送余额"] as const;

interface Purse extends FenSplit {
  /** Time of its last journal; the next one is later. */
  at: number;
  cards: DemoCard[];
}

export class DemoMoney {
  readonly journals: DemoJournal[] = [];
  readonly topUps: DemoTopUp[] = [];
  readonly cards: DemoCard[] = [];
  readonly holds: DemoHold[] = [];
  readonly uses: DemoUse[] = [];
  readonly purses = new Map<DemoPerson, Purse>();
  readonly #packages: readonly DemoPackage[];
  readonly #now: number;

  constructor(packages: readonly DemoPackage[], now: number) {
    this.#packages = packages;
    this.#now = now;
  }

  /** Settles orders in the order of their door requests. */
  settle(orders: readonly DemoOrder[]): void {
    const steps: { at: number; run: () => void }[] = [];
    for (const order of orders) {
      const { taking } = order.visit;
      if (!taking) continue;
      steps.push({ at: taking.askedAt, run: () => this.#charge(order) });
      const refundAt = taking.closedAt + order.lot.int(20, 1_500) * MINUTE;
      if (!order.lot.chance(0.011) || refundAt > this.#now) continue;
      steps.push({ at: refundAt, run: () => this.#refund(order, refundAt) });
    }
    for (const { run } of steps.sort((one, other) => one.at - other.at)) run();
    this.#adjust();
  }

  #purse(person: DemoPerson): Purse {
    let purse = this.purses.get(person);
    if (!purse) {
      purse = { principalFen: 0, bonusFen: 0, at: 0, cards: [] };
      this.purses.set(person, purse);
    }
    return purse;
  }

  #post(
    change: WalletChange,
    of: Omit<DemoJournal, keyof WalletChange | "after" | "channel">,
  ): DemoJournal {
    const purse = this.#purse(of.person);
    purse.principalFen += change.principalFen;
    purse.bonusFen += change.bonusFen;
    if (purse.principalFen < 0 || purse.bonusFen < 0) throw new Error("a wallet below zero");
    purse.at = Math.max(of.at, purse.at + SECOND);
    const after = { principalFen: purse.principalFen, bonusFen: purse.bonusFen };
    const journal = { ...of, ...change, after, at: purse.at };
    this.journals.push(journal);
    return journal;
  }

  /** Charges a card first, then the wallet, topped up when short; helped orders are waived or stay owed. */
  #charge(order: DemoOrder): void {
    const { visit, money, lot, recipient, rider } = order;
    const { taking } = visit;
    if (!taking || money.priceFen === 0) return;
    if (visit.helper) {
      if (lot.chance(0.7)) money.waivedFen = money.priceFen;
      return;
    }
    const payer = taking.purpose === "TAKE_BACK" && rider ? rider : recipient;
    const purse = this.#purse(payer);
    if (lot.chance(purse.cards.length > 0 ? 0.02 : 0.006)) this.#buyCard(payer, order, lot);
    this.#cover(order, purse, taking.askedAt);
    const owed = owedFen(money);
    if (owed === 0) return;
    while (purse.principalFen + purse.bonusFen < owed) this.#fill(payer, taking.askedAt, lot);
    const split = splitPayment(owed, purse);
    if (!split) throw new Error("a filled wallet is short");
    const at = taking.openedAt;
    const hold = { order, person: payer, at: taking.askedAt, settledAt: at, ...split };
    this.holds.push(hold);
    const of = { at, person: payer, business: { hold }, order, actor: null, reason: null };
    hold.settledAt = this.#post({ kind: "PAYMENT", ...taken(split) }, of).at;
    order.paidAt = hold.settledAt;
    money.paidPrincipalFen = split.principalFen;
    money.paidBonusFen = split.bonusFen;
  }

  #cover(order: DemoOrder, purse: Purse, at: number): void {
    const { money, side } = order;
    const card = chooseCard(purse.cards, { side, fen: money.priceFen, now: at });
    if (!card) return;
    const fen = coverOf(card, money.priceFen);
    if (card.usesLeft !== null) card.usesLeft--;
    money.coveredFen = fen;
    order.card = { id: card.id, name: card.sold.name };
    this.uses.push({ order, card, fen, at });
  }

  #buyCard(person: DemoPerson, { visit, side }: DemoOrder, lot: Random): void {
    const at = (visit.taking?.askedAt ?? 0) - 100 * SECOND;
    const isBefore = at < this.#now - 41 * DAY;
    const offered = this.#packages.filter(
      (sold) => isCardPackage(sold) && sold.sides.includes(side) && sold.isDeleted === isBefore,
    ) as DemoCardPackage[];
    const sold = lot.pick(offered);
    const purse = this.#purse(person);
    while (purse.principalFen + purse.bonusFen < sold.priceFen) this.#fill(person, at, lot);
    const split = splitPayment(sold.priceFen, purse);
    if (!split) throw new Error("a filled wallet is short");
    const card: DemoCard = {
      id: this.cards.length + 1,
      person,
      sold,
      kind: sold.kind,
      sides: sold.sides,
      usesLeft: sold.uses,
      coverLimitFen: sold.coverLimitFen,
      boughtAt: at,
      expiresAt: at + sold.validDays * DAY,
    };
    this.cards.push(card);
    purse.cards.push(card);
    const of = { at, person, business: { card }, order: null, actor: null, reason: null };
    card.boughtAt = this.#post({ kind: "PACKAGE_BUY", ...taken(split) }, of).at;
    card.expiresAt = card.boughtAt + sold.validDays * DAY;
  }

  #fill(person: DemoPerson, before: number, lot: Random): void {
    const isBefore = before < this.#now - 80 * DAY;
    const offers = this.#packages.filter(
      ({ kind, isOnSale }) => kind === "BONUS" && (isOnSale || isBefore),
    );
    const sold = lot.chance(0.42) ? lot.pick(offers) : null;
    const channel: PayChannel = lot.chance(0.12) ? "CASH" : "WECHAT";
    const plainFen = lot.pick([1_000, 1_000, 2_000, 2_000, 3_000, 5_000]);
    const createdAt = before - lot.int(240, 400) * SECOND;
    const paidAt = createdAt + lot.int(6, 45) * SECOND;
    const nth = this.topUps.length + 1;
    const split = { principalFen: sold?.priceFen ?? plainFen, bonusFen: sold?.bonusFen ?? 0 };
    const isCash = channel === "CASH";
    const topUp = {
      person,
      channel,
      sold,
      createdAt,
      paidAt,
      ...split,
      outTradeNo: `CZ${createdAt}${String(nth % 10_000).padStart(4, "0")}`,
      transactionNo: isCash ? null : `4200${String(lot.int(1e8, 9e8))}${createdAt}`,
    };
    this.topUps.push(topUp);
    const reason = isCash ? "门店收取现金，代用户充值" : null;
    const actor = isCash ? 1 : null;
    const of = { at: paidAt, person, business: { topUp }, order: null, actor, reason } as const;
    topUp.paidAt = this.#post({ kind: "RECHARGE", channel, ...split }, of).at;
  }

  #refund(order: DemoOrder, at: number): void {
    const { money, lot, visit, rider, recipient } = order;
    const paid = paidFen(money);
    if (paid === 0) return;
    const fen = lot.chance(0.6) ? paid : Math.max(1, Math.round(paid / 200) * 100);
    const split = splitRefund(Math.min(fen, paid), {
      principalFen: money.paidPrincipalFen,
      bonusFen: money.paidBonusFen,
    });
    if (!split) return;
    const person = visit.taking?.purpose === "TAKE_BACK" && rider ? rider : recipient;
    const reason = lot.pick(refundReasons);
    const business = { refundOf: order };
    const of = { at, person, business, order, actor: 1, reason } as const;
    const posted = this.#post({ kind: "PAYMENT_REFUND", ...split }, of);
    money.refundedPrincipalFen = split.principalFen;
    money.refundedBonusFen = split.bonusFen;
    order.refund = { at: posted.at, ...split, reason };
  }

  /** Adjusts a few wallets by hand in the last days. */
  #adjust(): void {
    const random = new Random(555);
    const people = [...this.purses.keys()];
    for (let nth = 0; nth < Math.min(6, people.length); nth++) {
      const person = random.pick(people);
      const at = Math.min(this.#now - random.int(1, 40) * HOUR, this.#now - HOUR);
      if (this.#purse(person).at > at) continue;
      const change = { principalFen: 0, bonusFen: random.pick([200, 300, 500]) };
      const reason = random.pick(adjustReasons);
      const of = { at, person, business: { nth }, order: null, actor: 1, reason } as const;
      this.#post({ kind: "ADMIN_ADJUST", ...change }, of);
    }
  }
}

/** Negates amounts; `0 -` avoids -0. */
function taken({ principalFen, bonusFen }: FenSplit): FenSplit {
  return { principalFen: 0 - principalFen, bonusFen: 0 - bonusFen };
}
