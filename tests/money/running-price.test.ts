// Price of a stay: app, open API and console show the amount that an opening charges.

import { type PricingRule, priceOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  hasGoods,
  isLive,
  isPriceRunning,
  type OrderMoney,
  owedFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { ORDER_STATES, type OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appOrder } from "../../apps/server/src/features/orders/app/app-order.service.ts";
import type { AppOrderRow } from "../../apps/server/src/features/orders/app/app-order.sql.ts";
import {
  type OrderAccount,
  priced,
} from "../../apps/server/src/features/orders/order/money/settle.rules.ts";
import type { OrderRow } from "../../apps/server/src/features/orders/order/read/order-list.sql.ts";
import { orderOf } from "../../apps/server/src/features/orders/order/read/order-read.service.ts";
import { openOrderOf } from "../../apps/server/src/features/partners/open-api/open-order.service.ts";
import type { OpenOrderRow } from "../../apps/server/src/features/partners/open-api/open-order.sql.ts";

interface Stay extends OrderMoney {
  state: OrderState;
  /** Null before goods are stored. */
  stayMinutes: number | null;
  rule: PricingRule;
}

const fen = fc.integer({ min: 0, max: 5_000 });
const rule: fc.Arbitrary<PricingRule> = fc.record({
  freeMinutes: fc.integer({ min: 0, max: 120 }),
  perUseFen: fen,
  stepMinutes: fc.integer({ min: 1, max: 120 }),
  stepFen: fen,
  capFen: fc.option(fen),
  overdueAfterMinutes: fc.constant(1_440),
});

/** Any possible order; its recorded price is that of an earlier minute of the same stay. */
const stay: fc.Arbitrary<Stay> = fc
  .record({
    state: fc.constantFrom(...ORDER_STATES),
    isStored: fc.boolean(),
    minutes: fc.integer({ min: 0, max: 10_000 }),
    recordedAt: fc.double({ min: 0, max: 1, noNaN: true }),
    rule,
    money: fc.record({
      ...{ coveredFen: fen, waivedFen: fen, paidPrincipalFen: fen, paidBonusFen: fen },
      ...{ refundedPrincipalFen: fc.constant(0), refundedBonusFen: fc.constant(0) },
    }),
  })
  .map(({ state, isStored, minutes, recordedAt, rule: of, money }) => {
    const wasStored = isStored && state !== "PENDING" && state !== "DEPOSITING";
    const stayMinutes = wasStored ? minutes : null;
    const priceFen = wasStored ? priceOf(of, Math.floor(minutes * recordedAt)) : 0;
    return { ...money, state, stayMinutes, rule: of, priceFen };
  });

const START = Date.parse("2026-03-01T00:00:00Z");

/** A row with the columns that prices depend on; the mapping functions copy the others unread. */
const partOf = <Row>(row: Partial<Row>): Row => row as Row;

function rowOf({ state, stayMinutes, ...money }: Stay) {
  const storedAt = stayMinutes === null ? null : new Date(START).toISOString();
  const now = new Date(START + (stayMinutes ?? 0) * 60_000).toISOString();
  const endedAt = isLive(state) ? null : now;
  const runningMinutes = isPriceRunning(state) ? stayMinutes : null;
  return {
    ...money,
    ...{ state, runningMinutes, chargeableMinutes: stayMinutes, storedAt, endedAt, now },
  };
}

function answersOf(of: Stay) {
  const { rule: ofStay, ...row } = rowOf(of);
  const pricing = { scope: "TENANT", rule: ofStay } as const;
  const phone = "13812345678";
  const recipient = { id: 1, name: "", phone };
  const app = appOrder(partOf<AppOrderRow>({ ...row, pricing }));
  const open = openOrderOf(partOf<OpenOrderRow>({ ...row, pricing, unreachableSeconds: 0, phone }));
  const console = orderOf(partOf<OrderRow>({ ...row, pricing, rider: null, recipient }));
  return { app, open, console };
}

/** Amount that the next opening, or completion by an operator, charges. */
function chargedFen(of: Stay): number {
  return priced(partOf<OrderAccount>(of), { ...of, chargeableMinutes: of.stayMinutes }).priceFen;
}

describe("price of a stay", () => {
  it("app, open API and console: same price and same debt in every state", () => {
    fc.assert(
      fc.property(stay, (of) => {
        const { app, open, console } = answersOf(of);
        expect([app.priceFen, open.priceFen]).toEqual([console.priceFen, console.priceFen]);
        expect([app.owedFen, open.owedFen]).toEqual([owedFen(console), owedFen(console)]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("goods inside: the price shown is the one that an opening or an operator's completion charges", () => {
    fc.assert(
      fc.property(stay, (of) => {
        fc.pre(hasGoods(of.state));
        expect(answersOf(of).app.priceFen).toBe(chargedFen(of));
      }),
      { numRuns: 1_000 },
    );
  });

  it("pickup door open over a price step: the price stays the one that was paid", () => {
    const hourly = {
      ...{ freeMinutes: 0, perUseFen: 0, stepMinutes: 60, stepFen: 100 },
      ...{ capFen: null, overdueAfterMinutes: 1_440 },
    };
    const picking: Stay = {
      ...{ state: "PICKING", stayMinutes: 61, rule: hourly, priceFen: 100 },
      ...{ coveredFen: 0, waivedFen: 0, paidPrincipalFen: 100, paidBonusFen: 0 },
      ...{ refundedPrincipalFen: 0, refundedBonusFen: 0 },
    };
    const { app, open, console } = answersOf(picking);
    const prices = [app.priceFen, open.priceFen, console.priceFen, chargedFen(picking)];
    expect(prices).toEqual([100, 100, 100, 100]);
    expect([app.owedFen, open.owedFen, owedFen(console)]).toEqual([0, 0, 0]);
  });
});
