// Tests that the lines of a price sum up for any rule, stay and payments.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PricingRule, priceOf } from "../../money/pricing/pricing.rules.ts";
import { newSimulation, replay } from "../../money/pricing/simulation.rules.ts";
import type { PriceLine, PriceLineKind } from "../../money/pricing/stay-lines.rules.ts";
import { type OrderMoney, owedFen, paidFen } from "./order.rules.ts";
import { explainPrice } from "./price-lines.rules.ts";

const rule: PricingRule = {
  freeMinutes: 30,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 150,
  capFen: 1_000,
  overdueAfterMinutes: 1_440,
};
const nothing: OrderMoney = {
  priceFen: 0,
  coveredFen: 0,
  waivedFen: 0,
  paidPrincipalFen: 0,
  paidBonusFen: 0,
  refundedPrincipalFen: 0,
  refundedBonusFen: 0,
};
const linesOf = (minutes: number | null, money: Partial<OrderMoney> = {}, by = rule) =>
  explainPrice(by, minutes, { ...nothing, ...money }, "十次卡");
const brief = (lines: PriceLine[]) => lines.map(({ kind, fen }) => [kind, fen]);

describe("lines of an order", () => {
  it("explain a capped price and how it was settled", () => {
    const money = { priceFen: 1_000, coveredFen: 600, waivedFen: 50, paidPrincipalFen: 300 };
    expect(linesOf(30 + 7 * 60 + 1, { ...money, paidBonusFen: 50, refundedBonusFen: 50 })).toEqual([
      { kind: "FREE", note: "前 30 分钟免费，计时 7 小时 31 分钟", fen: 0 },
      { kind: "PER_USE", note: "", fen: 100 },
      { kind: "TIME", note: "计费 7 小时 1 分钟：8 × ¥1.50（每 1 小时 ¥1.50）", fen: 1_200 },
      { kind: "CAP", note: "单次最高 ¥10.00", fen: -300 },
      { kind: "PRICE", note: "", fen: 1_000 },
      { kind: "COVERED", note: "十次卡", fen: -600 },
      { kind: "WAIVED", note: "", fen: -50 },
      { kind: "DUE", note: "", fen: 350 },
      { kind: "PAID_PRINCIPAL", note: "", fen: -300 },
      { kind: "PAID_BONUS", note: "", fen: -50 },
      { kind: "REFUNDED", note: "", fen: 50 },
    ]);
  });

  it("stay few for free, cancelled and unpaid orders", () => {
    expect(brief(linesOf(30))).toEqual([
      ["FREE", 0],
      ["PRICE", 0],
    ]);
    expect(brief(linesOf(null))).toEqual([["PRICE", 0]]);
    expect(brief(linesOf(31, { priceFen: 250 })).slice(-2)).toEqual([
      ["PRICE", 250],
      ["OWED", 250],
    ]);
  });

  it("show amounts beside the rule as OTHER", () => {
    expect(brief(linesOf(31, { priceFen: 0 }))).toContainEqual(["OTHER", -250]);
  });
});

const fen = fc.integer({ min: 0, max: 2_000 });
const anyRule = fc.record({
  freeMinutes: fc.integer({ min: 0, max: 120 }),
  perUseFen: fen,
  stepMinutes: fc.integer({ min: 1, max: 240 }),
  stepFen: fen,
  capFen: fc.option(fen),
  overdueAfterMinutes: fc.integer({ min: 1, max: 4_000 }),
});
const anyMinutes = fc.integer({ min: 0, max: 6_000 });
const sumOf = (lines: PriceLine[], kinds: PriceLineKind[]) =>
  lines.filter(({ kind }) => kinds.includes(kind)).reduce((sum, line) => sum + line.fen, 0);

describe("any rule and stay", () => {
  it("stay lines sum to the price, lines below it to DUE and OWED", () => {
    fc.assert(
      fc.property(anyRule, anyMinutes, fen, fen, fen, (by, minutes, covered, waived, paid) => {
        const priceFen = priceOf(by, minutes);
        const coveredFen = Math.min(covered, priceFen);
        const waivedFen = Math.min(waived, priceFen - coveredFen);
        const due = priceFen - coveredFen - waivedFen;
        const paidPrincipalFen = Math.min(paid, due);
        const money = { ...nothing, priceFen, coveredFen, waivedFen, paidPrincipalFen };
        const lines = explainPrice(by, minutes, money);
        expect(sumOf(lines, ["FREE", "PER_USE", "TIME", "CAP", "OTHER"])).toBe(priceFen);
        expect(sumOf(lines, ["OTHER"])).toBe(0);
        expect(sumOf(lines, ["PRICE", "COVERED", "WAIVED"])).toBe(due);
        expect(sumOf(lines, ["OWED"])).toBe(owedFen(money));
        expect(due - paidFen(money)).toBe(owedFen(money));
      }),
    );
  });

  it("replay lines and lengths sum to the totals; replaying the same rule changes nothing", () => {
    const stays = fc.array(fc.record({ minutes: anyMinutes, rule: anyRule }), { maxLength: 30 });
    fc.assert(
      fc.property(stays, fc.option(anyRule), (past, wanted) => {
        const simulation = newSimulation();
        for (const stay of past) {
          const charged = { ...stay, priceFen: priceOf(stay.rule, stay.minutes) };
          replay(simulation, charged, wanted ?? stay.rule);
        }
        const total = (parts: { oldFen: number; newFen: number }[], key: "oldFen" | "newFen") =>
          parts.reduce((sum, part) => sum + part[key], 0);
        for (const key of ["oldFen", "newFen"] as const) {
          expect(total(simulation.lines, key)).toBe(simulation[key]);
          expect(total(simulation.lengths, key)).toBe(simulation[key]);
        }
        expect(simulation.lengths.reduce((sum, { orders }) => sum + orders, 0)).toBe(past.length);
        if (!wanted) expect(simulation).toMatchObject({ cheaper: 0, dearer: 0 });
      }),
    );
  });
});
