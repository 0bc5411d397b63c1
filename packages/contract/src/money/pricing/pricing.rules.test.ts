// Tests prices: whole fen, never decreasing with time, zero in the free time, never above the cap.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  copyOfPricing,
  defaultPricing,
  exampleMinutes,
  freeUntil,
  isOverdue,
  minutesText,
  nearestRule,
  type PricingRule,
  priceOf,
  pricingOf,
  pricingText,
  wholeRule,
} from "./pricing.rules.ts";

const rule: PricingRule = {
  freeMinutes: 30,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 100,
  capFen: 1_000,
  overdueAfterMinutes: 1_440,
};

const anyRule = fc.record<PricingRule>({
  freeMinutes: fc.nat(10_000),
  perUseFen: fc.nat(100_000),
  stepMinutes: fc.integer({ min: 1, max: 10_000 }),
  stepFen: fc.nat(100_000),
  capFen: fc.option(fc.nat(1_000_000)),
  overdueAfterMinutes: fc.integer({ min: 1, max: 100_000 }),
});
const stay = fc.nat(525_600);

describe("price of a stay", () => {
  it.each([
    [0, 0],
    [30, 0],
    [31, 200],
    [90, 200],
    [91, 300],
    [120, 300],
    [30.2, 200],
    [10_000, 1_000],
  ])("%d minutes cost %d fen", (minutes, fen) => expect(priceOf(rule, minutes)).toBe(fen));

  it("equals a minute-by-minute simulation", () => {
    fc.assert(
      fc.property(anyRule, fc.nat(2_000), (some, minutes) => {
        let owed = 0;
        for (let minute = 1; minute <= minutes; minute++) {
          const charged = minute - some.freeMinutes;
          if (charged === 1) owed += some.perUseFen;
          if (charged >= 1 && (charged - 1) % some.stepMinutes === 0) owed += some.stepFen;
        }
        expect(priceOf(some, minutes)).toBe(Math.min(owed, some.capFen ?? owed));
      }),
    );
  });

  it("is whole fen between 0 and the cap and never decreases", () => {
    fc.assert(
      fc.property(anyRule, stay, stay, (some, one, other) => {
        const [short, long] = one < other ? [one, other] : [other, one];
        const price = priceOf(some, long);
        expect(Number.isSafeInteger(price)).toBe(true);
        expect(price).toBeGreaterThanOrEqual(priceOf(some, short));
        expect(price).toBeLessThanOrEqual(some.capFen ?? Number.MAX_SAFE_INTEGER);
        expect(priceOf(some, some.freeMinutes)).toBe(0);
      }),
    );
  });

  it("is zero up to the end of the free time, and not afterwards", () => {
    fc.assert(
      fc.property(anyRule, (any) => {
        const end = freeUntil(any, "2026-11-22T00:00:00.000Z");
        if (end === null) {
          expect(priceOf(any, 525_600)).toBe(0);
          return;
        }
        const minutes = (Date.parse(end) - Date.parse("2026-11-22T00:00:00.000Z")) / 60_000;
        expect(priceOf(any, minutes)).toBe(0);
        expect(priceOf(any, minutes + 1)).toBeGreaterThan(0);
      }),
    );
    expect(freeUntil(rule, null)).toBeNull();
  });

  it("is zero under the default rule", () => {
    fc.assert(fc.property(stay, (minutes) => priceOf(defaultPricing, minutes) === 0));
  });
});

describe("rule in force", () => {
  it("is the nearest one that is set", () => {
    const tenant = { ...rule, stepFen: 1 };
    const store = { ...rule, stepFen: 2 };
    expect(nearestRule({ CABINET: rule, STORE: store, TENANT: tenant }).scope).toBe("CABINET");
    expect(nearestRule({ CABINET: null, STORE: store, TENANT: tenant })).toEqual({
      scope: "STORE",
      rule: store,
    });
    expect(nearestRule({ CABINET: null, STORE: null, TENANT: tenant }).rule).toBe(tenant);
    expect(nearestRule({})).toEqual({ scope: "DEFAULT", rule: defaultPricing });
  });
});

describe("texts", () => {
  it.each([
    [0, "0 分钟"],
    [45, "45 分钟"],
    [120, "2 小时"],
    [1_441, "1 天 1 分钟"],
    [1_800, "1 天 6 小时"],
  ])("%d minutes as %s", (minutes, text) => expect(minutesText(minutes)).toBe(text));

  it("example stays are sorted, unique and on both sides of the free time", () => {
    fc.assert(
      fc.property(anyRule, (some) => {
        const shown = exampleMinutes(some);
        expect(shown).toEqual([...new Set(shown)].toSorted((one, other) => one - other));
        expect(shown).toContain(some.overdueAfterMinutes);
        if (some.freeMinutes > 0) expect(shown).toContain(some.freeMinutes + 1);
      }),
    );
  });

  it("a stay is overdue only after its limit", () => {
    expect(isOverdue(rule, 1_440)).toBe(false);
    expect(isOverdue(rule, 1_441)).toBe(true);
  });
});

describe("pricingText", () => {
  it.each<[Partial<PricingRule>, string]>([
    [{}, "前 30 分钟免费，之后起步 1 元，每 1 小时 1.50 元，单次最高 10 元；超过 1 天为滞留"],
    [{ freeMinutes: 0, perUseFen: 0, capFen: null }, "每 1 小时 1.50 元；超过 1 天为滞留"],
    [{ stepFen: 0, capFen: null, freeMinutes: 0 }, "起步 1 元；超过 1 天为滞留"],
    [{ perUseFen: 0, stepFen: 0 }, "免费；超过 1 天为滞留"],
    [{ capFen: 0 }, "免费；超过 1 天为滞留"],
  ])("%o", (change, text) => expect(pricingText({ ...rule, stepFen: 150, ...change })).toBe(text));
});

describe("copied rule", () => {
  it("is read as it was stored, also without a version and without a field that came later", () => {
    const copy = JSON.parse(copyOfPricing({ scope: "STORE", rule }));
    expect(pricingOf(copy)).toEqual({ scope: "STORE", rule });
    expect(pricingOf({ scope: "STORE", rule })).toEqual({ scope: "STORE", rule });
    const { capFen: _, ...older } = rule;
    expect(pricingOf({ scope: "STORE", rule: older }).rule).toEqual({ ...rule, capFen: null });
  });

  it.each([
    ["nothing", null],
    ["no rule", { scope: "STORE" }],
    ["an unknown scope", { scope: "CITY", rule }],
    ["a newer version", { version: 2, scope: "STORE", rule }],
    ["a field that is no number", { scope: "STORE", rule: { ...rule, stepFen: "150" } }],
    ["a step of no length", { scope: "STORE", rule: { ...rule, stepMinutes: 0 } }],
  ])("%s is refused, so that no price becomes NaN", (_name, copy) => {
    expect(() => pricingOf(copy)).toThrow("no pricing rule");
  });
});

describe("form values", () => {
  it("are a whole rule only if every field is valid; other fields are left out", () => {
    const given = { ...defaultPricing, version: 3, capFen: undefined };
    expect(wholeRule(given)).toEqual(defaultPricing);
    expect(wholeRule({ ...given, stepFen: "1.234" })).toBeNull();
    expect(wholeRule({ ...given, stepMinutes: 0 })).toBeNull();
    expect(wholeRule({ ...given, freeMinutes: null })).toBeNull();
    expect(wholeRule({ ...given, capFen: "x" })).toBeNull();
    expect(wholeRule(undefined)).toBeNull();
  });
});
