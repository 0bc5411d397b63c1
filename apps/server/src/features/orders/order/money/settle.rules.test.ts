// Nobody pays more than they agreed to, or than an operator typed, in any sequence of requests, results and decisions.
import { type FenSplit, splitPayment } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { type PricingRule, priceOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  hasGoods,
  isPriceRunning,
  mayOpenFor,
  owedFen,
  paidFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Agreement,
  type Before,
  chargeableFen,
  coverableFen,
  type MoneyHappening,
  type OrderAccount,
  priced,
  restored,
  settle,
  type Undone,
  withoutRequest,
} from "./settle.rules.ts";

const EMPTY: OrderAccount = {
  ...{ priceFen: 0, coveredFen: 0, waivedFen: 0, paidPrincipalFen: 0, paidBonusFen: 0 },
  ...{ refundedPrincipalFen: 0, refundedBonusFen: 0 },
  ...{ chargedMinutes: null, userPackageId: null, hold: null },
};
const sum = ({ principalFen, bonusFen }: FenSplit) => principalFen + bonusFen;

interface Opening {
  /** Null: staff. */
  payerId: number | null;
  chargedFen: number;
  coveredFen: number;
  before: Before;
  state: "UNDER_WAY" | "UNKNOWN" | "NOT_OPENED" | "OPENED";
  undone: Undone | null;
}

/** An order, its people's wallets, and one card, as the ledger and the timeline keep them. */
class World {
  account = EMPTY;
  state: OrderState = "STORED";
  minutes = 0;
  readonly openings: Opening[] = [];
  doubt: Opening | null = null;
  /** Requests and payments in their order. */
  private readonly timeline: (Opening | number)[] = [];
  readonly paidBy = new Map<number, number>();
  /** Most that each person may have paid by now. */
  readonly allowed = new Map<number, number>();
  private holds = 0;
  private use = 0;
  private isCardUsed = false;
  /** Waived by people who completed the order. */
  private waivedAtEnd = 0;

  readonly rule: PricingRule;
  readonly wallets: Map<number, FenSplit>;
  readonly card: { limitFen: number } | null;

  constructor({ rule, wallets, card }: Pick<World, "rule" | "wallets" | "card">) {
    this.rule = rule;
    this.wallets = wallets;
    this.card = card;
  }

  get stay() {
    return { state: this.state, rule: this.rule, chargeableMinutes: this.minutes };
  }

  isUnderWay = () => this.openings.some(({ state }) => state === "UNDER_WAY");

  wallet(payerId: number): FenSplit {
    return this.wallets.get(payerId) ?? { principalFen: 0, bonusFen: 0 };
  }

  private payer = (payerId: number) => ({ payerId, wallet: this.wallet(payerId) });

  private cover(fen: number) {
    this.use = this.card ? Math.min(fen, this.card.limitFen) : 0;
    return this.use > 0 ? { userPackageId: 1, coveredFen: this.use } : null;
  }

  private add(payerId: number, by: FenSplit, sign: 1 | -1): void {
    const { principalFen, bonusFen } = this.wallet(payerId);
    const wallet = {
      principalFen: principalFen + sign * by.principalFen,
      bonusFen: bonusFen + sign * by.bonusFen,
    };
    expect(Math.min(wallet.principalFen, wallet.bonusFen)).toBeGreaterThanOrEqual(0);
    this.wallets.set(payerId, wallet);
  }

  private allow(payerId: number, fen: number): void {
    const paid = this.paidBy.get(payerId) ?? 0;
    this.allowed.set(payerId, Math.max(this.allowed.get(payerId) ?? 0, paid + fen));
  }

  private settle(happening: MoneyHappening): void {
    const { hold, paidPrincipalFen, paidBonusFen } = this.account;
    const { account, postings } = settle(this.account, this.stay, happening);
    this.account = account;
    for (const posting of postings) {
      if (posting.do === "RELEASE" || posting.do === "CAPTURE")
        expect(posting.holdId).toBe(hold?.id);
      if (posting.do === "RELEASE" && hold) this.add(hold.endUserId, hold, 1);
      if (posting.do === "CAPTURE" && hold) this.note(hold.endUserId, sum(hold));
      if (posting.do === "UNCOVER") this.use = 0;
      if (posting.do === "HOLD") {
        const { payerId, fen } = posting;
        const split = splitPayment(fen, this.wallet(payerId));
        if (!split) throw new Error("BALANCE_SHORT");
        this.add(payerId, split, -1);
        this.account = {
          ...this.account,
          hold: { id: ++this.holds, endUserId: payerId, ...split },
        };
      }
      if (posting.do === "PAY") {
        const { payerId, fen } = posting;
        const split = splitPayment(fen, this.wallet(payerId));
        expect(split).toEqual({
          principalFen: account.paidPrincipalFen - paidPrincipalFen,
          bonusFen: account.paidBonusFen - paidBonusFen,
        });
        if (split) this.add(payerId, split, -1);
        this.note(payerId, fen);
      }
    }
  }

  private note(payerId: number, fen: number): void {
    this.timeline.push(fen);
    this.paidBy.set(payerId, (this.paidBy.get(payerId) ?? 0) + fen);
    expect(paidFen(this.account)).toBe(
      [...this.paidBy.values()].reduce((all, one) => all + one, 0),
    );
  }

  private agreement(opening: Opening): Agreement & { coveredFen: number } {
    const until = this.timeline.indexOf(opening) + 1;
    const agreed =
      opening.payerId === null
        ? this.timeline
            .slice(0, until)
            .findLast((at) => typeof at !== "number" && at.chargedFen > 0)
        : opening;
    if (typeof agreed !== "object") return { payerId: null, agreedFen: 0, coveredFen: 0 };
    const since = this.timeline.slice(this.timeline.indexOf(agreed));
    const paid = since.reduce<number>((all, at) => all + (typeof at === "number" ? at : 0), 0);
    const { payerId, coveredFen } = agreed;
    return { payerId, coveredFen, agreedFen: Math.max(0, agreed.chargedFen - paid) };
  }

  request(payerId: number | null, waives: boolean): void {
    const { hold } = this.account;
    const isRefused = payerId !== null && hold && hold.endUserId !== payerId;
    if (this.isUnderWay() || isRefused || !mayOpenFor(this.state, "PICKUP")) return;
    const { account: former, use: formerUse } = this;
    const shown = priced(this.account, this.stay);
    const isCovered = owedFen(shown) > 0 || shown.userPackageId !== null;
    const cover = payerId !== null && isCovered ? this.cover(coverableFen(shown)) : null;
    const wallets = new Map(this.wallets);
    try {
      this.settle({ kind: "REQUESTED", payerId, cover, waives });
    } catch (error) {
      if ((error as Error).message !== "BALANCE_SHORT") throw error;
      for (const [id, wallet] of wallets) this.wallets.set(id, wallet);
      this.account = former;
      this.use = formerUse;
      return;
    }
    const held = this.account.hold;
    const chargedFen = payerId !== null && held ? sum(held) : 0;
    if (!isPriceRunning(this.state)) expect(this.account.priceFen).toBe(former.priceFen);
    // The person sees the price of the stay up to now, less the card.
    expect(chargedFen).toBeLessThanOrEqual(owedFen(shown));
    if (payerId !== null) this.allow(payerId, chargedFen);
    const waivedFen = this.account.waivedFen - former.waivedFen;
    const { priceFen, chargedMinutes } = former;
    const before = { priceFen, chargedMinutes, waivedFen };
    const { coveredFen } = this.account;
    const opening: Opening = {
      payerId,
      chargedFen,
      coveredFen,
      before,
      state: "UNDER_WAY",
      undone: null,
    };
    this.openings.push(opening);
    this.timeline.push(opening);
  }

  opened(opening: Opening): void {
    const agreement = this.agreement(opening);
    const { agreedFen } = agreement;
    const { undone, payerId } = opening;
    const { hold } = this.account;
    const isHeld = hold !== null && hold.endUserId === agreement.payerId;
    const isAsked = !isHeld && payerId !== null && (undone || agreedFen > 0);
    const isOther =
      isHeld && (agreedFen !== sum(hold) || undone !== null || owedFen(this.account) < agreedFen);
    const asked = undone && isAsked ? restored(this.account, undone) : this.account;
    const isCovered = owedFen(asked) > 0 || asked.userPackageId !== null;
    const cover = isAsked && undone && isCovered ? this.cover(coverableFen(asked)) : null;
    const payer = isAsked || isOther ? { ...this.payer(agreement.payerId ?? 0), cover } : null;
    opening.state = "OPENED";
    this.doubt = null;
    const before = paidFen(this.account);
    const owed = owedFen(this.account);
    const others = new Map(this.paidBy);
    this.settle({ kind: "OPENED", agreement, undone, payer, isAwaited: this.isUnderWay() });
    expect(paidFen(this.account) - before).toBeLessThanOrEqual(agreedFen);
    for (const id of [1, 2]) {
      if (id !== agreement.payerId) expect(this.paidBy.get(id)).toBe(others.get(id));
    }
    if (isHeld && !undone) expect(paidFen(this.account) - before).toBe(Math.min(agreedFen, owed));
    // The hold of a later request stays the same one where this opening costs nothing.
    if (isHeld && agreedFen === 0 && this.isUnderWay()) expect(this.account.hold).toEqual(hold);
    this.isCardUsed ||= this.account.coveredFen > 0;
    if (mayOpenFor(this.state, "PICKUP")) this.state = "PICKING";
  }

  unknown(opening: Opening): void {
    opening.state = "UNKNOWN";
    if (hasGoods(this.state)) this.doubt = opening;
    else this.letGo(opening);
  }

  notOpened(opening: Opening): void {
    opening.state = "NOT_OPENED";
    if (this.doubt === opening) {
      this.doubt = this.openings.findLast(({ state }) => state === "UNKNOWN") ?? null;
    }
    this.letGo(opening);
  }

  private letGo(opening: Opening): void {
    const isLast = this.openings.at(-1) === opening;
    if (hasGoods(this.state) && !isLast && (this.doubt || this.isUnderWay())) return;
    const isUndone = hasGoods(this.state) && isLast;
    const { priceFen } = this.account;
    const before = isUndone ? opening.before : null;
    const earlier = this.doubt && this.agreement(this.doubt);
    const keepsCard = earlier ? earlier.coveredFen > 0 : this.isCardUsed;
    const account = withoutRequest(this.account, this.stay, before);
    const isCovered = owedFen(account) > 0 || account.userPackageId !== null;
    const cover = keepsCard && isCovered ? this.cover(coverableFen(account)) : null;
    this.settle({ kind: "NOT_OPENED", before, earlier, cover });
    opening.undone = isUndone ? { priceFen, waivedFen: opening.before.waivedFen } : null;
  }

  closes(isEmpty: boolean): void {
    if (this.state !== "PICKING") return;
    this.state = isEmpty ? "COMPLETED" : "STORED";
    this.settle({ kind: "CLOSED" });
  }

  stops(): void {
    if (!hasGoods(this.state) || this.state === "EXCEPTION") return;
    this.settle({ kind: "STOPPED" });
    this.state = "EXCEPTION";
  }

  completes(share: number): void {
    if (!hasGoods(this.state) || this.isUnderWay()) return;
    const payerId = this.account.hold?.endUserId ?? 1;
    const chargeFen = Math.floor(chargeableFen(this.account, this.stay) * share);
    this.allow(payerId, chargeFen);
    const payer = chargeFen > 0 ? this.payer(payerId) : null;
    const { hold, chargedMinutes, priceFen, waivedFen } = this.account;
    const isEnough = sum(this.wallet(payerId)) + (hold ? sum(hold) : 0) >= chargeFen;
    this.settle({ kind: "COMPLETED", chargeFen, payer });
    this.waivedAtEnd += this.account.waivedFen - waivedFen;
    expect(owedFen(this.account)).toBe(isEnough ? 0 : chargeFen);
    if (chargedMinutes !== null) expect(this.account.priceFen).toBe(priceFen);
    this.state = "COMPLETED";
    this.doubt = null;
  }

  paysDebt(payerId: number): void {
    const owed = owedFen(this.account);
    if (hasGoods(this.state) || owed === 0 || !splitPayment(owed, this.wallet(payerId))) return;
    this.allow(payerId, owed);
    this.settle({ kind: "PAID", payer: this.payer(payerId) });
    expect(owedFen(this.account)).toBe(0);
  }

  check(): void {
    for (const [payerId, paid] of this.paidBy) {
      expect(paid).toBeLessThanOrEqual(this.allowed.get(payerId) ?? 0);
    }
    const { hold, coveredFen, userPackageId } = this.account;
    expect(coveredFen).toBe(this.use);
    expect(userPackageId === null).toBe(this.use === 0);
    const { priceFen, waivedFen } = this.account;
    expect(paidFen(this.account) + waivedFen + coveredFen).toBeLessThanOrEqual(priceFen);
    // A waiver counts once: that of each request which was not taken back, or was restored.
    const requests = this.openings.filter(({ state, undone }) => state === "OPENED" || !undone);
    const waived = requests.reduce((all, { before }) => all + before.waivedFen, this.waivedAtEnd);
    expect(waivedFen).toBeLessThanOrEqual(waived);
    const isAwaited = this.isUnderWay() || this.doubt !== null;
    if (hold) expect(isAwaited).toBe(true);
    // The price stands while a result is awaited, and counts the whole stay otherwise.
    if (isPriceRunning(this.state) && !isAwaited) expect(this.account.chargedMinutes).toBe(null);
  }
}

const rule: PricingRule = {
  ...{ freeMinutes: 0, perUseFen: 0, stepMinutes: 60, stepFen: 100 },
  ...{ capFen: null, overdueAfterMinutes: 1_440 },
};
const wait = fc.record({
  do: fc.constant("wait" as const),
  minutes: fc.constantFrom(1, 70, 999),
});
const request = fc.record({
  do: fc.constant("request" as const),
  payerId: fc.constantFrom(1, 1, 1, 2, null),
  waives: fc.constantFrom(false, false, true),
});
const report = (
  kinds: readonly ("opened" | "unknown" | "notOpened")[],
  at: readonly number[] = [0],
) => fc.record({ do: fc.constantFrom(...kinds), at: fc.constantFrom(...at) });
const step = fc.oneof(
  { weight: 4, arbitrary: wait },
  { weight: 6, arbitrary: request },
  { weight: 10, arbitrary: report(["opened", "unknown", "notOpened"], [0, 0, 0, 1, 2]) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("closes" as const), isEmpty: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stops" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("completes" as const),
      share: fc.constantFrom(0, 0.5, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("paysDebt" as const), payerId: fc.constantFrom(1, 2) }),
  },
);
/** The proof of a first opening comes after the request, and perhaps the result, of a second one. */
const lateProof = fc
  .tuple(wait, request, report(["unknown", "notOpened"]), wait, request, report(["opened"], [1]))
  .chain((steps) =>
    fc
      .option(report(["unknown"]))
      .map((result) => (result ? [...steps.slice(0, 5), result, ...steps.slice(5)] : steps)),
  );
const steps = fc
  .array(
    fc.oneof(
      { weight: 25, arbitrary: step.map((each) => [each]) },
      { weight: 1, arbitrary: lateProof as fc.Arbitrary<Step[]> },
    ),
    { maxLength: 30 },
  )
  .map((each) => each.flat());
const fen = fc.constantFrom(0, 150, 1_000, 50_000);
const purse = fc.record({ principalFen: fen, bonusFen: fen });

function take(world: World, each: Step): void {
  if (each.do === "wait") world.minutes += each.minutes;
  else if (each.do === "request") world.request(each.payerId, each.waives);
  else if (each.do === "closes") world.closes(each.isEmpty);
  else if (each.do === "stops") world.stops();
  else if (each.do === "completes") world.completes(each.share);
  else if (each.do === "paysDebt") world.paysDebt(each.payerId);
  else {
    const opening = world.openings.at(-1 - each.at);
    // A report may contradict a person's decision, but not another report.
    const mayFollow = {
      opened: ["UNDER_WAY", "UNKNOWN", "NOT_OPENED"],
      unknown: ["UNDER_WAY"],
      notOpened: ["UNDER_WAY", "UNKNOWN"],
    };
    if (opening && mayFollow[each.do].includes(opening.state)) world[each.do](opening);
  }
  world.check();
}
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

describe("settle", () => {
  it("any sequence: nobody pays more than they agreed to, and no fen appears or disappears", () => {
    fc.assert(
      fc.property(
        steps,
        fc.tuple(purse, purse),
        fc.option(fc.record({ limitFen: fc.constantFrom(50, 250, 9_000) }), { freq: 2 }),
        (taken, [one, two], card) => {
          const world = new World({
            rule,
            wallets: new Map([
              [1, one],
              [2, two],
            ]),
            card,
          });
          for (const each of taken) take(world, each);
          const { hold } = world.account;
          const left = [1, 2].reduce(
            (all, id) => all + sum(world.wallet(id)),
            hold ? sum(hold) : 0,
          );
          expect(left + paidFen(world.account)).toBe(sum(one) + sum(two));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it("an opening that happens costs the price of its request, however late the result is", () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000), fc.boolean(), (before, after, isInDoubt) => {
        const wallets = new Map([[1, { principalFen: 100_000, bonusFen: 0 }]]);
        const world = new World({ rule, wallets, card: null });
        world.minutes = before;
        world.request(1, false);
        const [opening] = world.openings;
        if (!opening) throw new Error("refused");
        if (isInDoubt) world.unknown(opening);
        world.minutes += after;
        world.opened(opening);
        expect(paidFen(world.account)).toBe(priceOf(rule, before));
      }),
    );
  });
});
