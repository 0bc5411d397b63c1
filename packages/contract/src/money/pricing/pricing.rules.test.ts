// Tests prices: whole fen, never decreasing with time, zero in the free time, never above the cap.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIZES, type Size } from "../../vocabulary/hardware.rules.ts";
import {
  copyOfPricing,
  defaultPricing,
  exampleMinutes,
  freeUntil,
  isOverdue,
  minutesText,
  nearestRule,
  type PricingRate,
  type PricingRule,
  priceOf,
  pricingOf,
  pricingText,
  ratesOfText,
  ratesProblem,
  ratesText,
  ruleFor,
  wholeRatedRule,
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

const rateOf = (size: Size | null, hours: string | null, stepFen: number): PricingRate => {
  const { overdueAfterMinutes: _, ...fees } = rule;
  const [from = "", to = ""] = hours?.split("-") ?? [];
  return { ...fees, size, hours: hours === null ? null : { from, to }, stepFen };
};
/** A time of this day on Shanghai's clocks. */
const at = (clock: string) => Date.parse(`2026-11-21T${clock}:00+08:00`);

describe("rule for a size and a time", () => {
  const rates = [
    rateOf("L", "20:00-08:00", 4),
    rateOf("L", null, 3),
    rateOf(null, "20:00-08:00", 2),
  ];
  const clocks = Array.from({ length: 1_440 }, (_, minute) =>
    [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":"),
  );
  const clock = fc.constantFrom(...clocks);
  const anyRate = fc
    .tuple(
      fc.option(fc.constantFrom(...SIZES)),
      fc.option(fc.tuple(clock, fc.oneof(clock, fc.constant("24:00")))),
      fc.nat(1_000_000),
    )
    .map(([size, hours, stepFen]) => rateOf(size, hours?.join("-") ?? null, stepFen));
  const disjoint = fc.array(anyRate, { maxLength: 12 }).map((all) => {
    const kept: PricingRate[] = [];
    for (const rate of all) if (!ratesProblem([...kept, rate])) kept.push(rate);
    return kept;
  });

  it.each<[Size, string, number]>([
    ["L", "20:00", 4],
    ["L", "23:59", 4],
    ["L", "00:00", 4],
    ["L", "07:59", 4],
    ["L", "08:00", 3],
    ["S", "19:59", 100],
    ["S", "20:00", 2],
    ["S", "07:59", 2],
    ["S", "08:00", 100],
  ])("%s at %s costs %d fen a step", (size, time, stepFen) => {
    expect(ruleFor({ ...rule, rates }, size, at(time))).toEqual({ ...rule, stepFen });
  });

  it("without rates is the rule itself", () => {
    fc.assert(
      fc.property(anyRule, fc.constantFrom(...SIZES), clock, (some, size, time) => {
        expect(ruleFor(some, size, at(time))).toEqual(some);
        expect(ruleFor({ ...some, rates: [] }, size, at(time))).toEqual(some);
      }),
    );
  });

  it("is one plain rule at each minute of a day, whatever the order of the rates", () => {
    fc.assert(
      fc.property(disjoint, fc.constantFrom(...SIZES), (some, size) => {
        for (const time of clocks) {
          const fits = some.filter(
            (rate) =>
              (rate.size === null || rate.size === size) &&
              (rate.hours === null || minutesOf(rate.hours).has(time)),
          );
          const [best, ...others] = [
            fits.filter((rate) => rate.size && rate.hours),
            fits.filter((rate) => rate.size && !rate.hours),
            fits.filter((rate) => !rate.size),
          ].find((group) => group.length > 0) ?? [rule];
          expect(others).toEqual([]);
          const expected = { ...rule, stepFen: best?.stepFen };
          expect(ruleFor({ ...rule, rates: some }, size, at(time))).toEqual(expected);
          expect(ruleFor({ ...rule, rates: some.toReversed() }, size, at(time))).toEqual(expected);
        }
      }),
      { numRuns: 10 },
    );

    /** The minutes of a window, counted one by one from its beginning. */
    function minutesOf({ from, to }: { from: string; to: string }): Set<string> {
      const end = to === "24:00" ? "00:00" : to;
      const start = clocks.indexOf(from);
      const length = (clocks.indexOf(end) - start + 1_440) % 1_440;
      return new Set(Array.from({ length }, (_, nth) => clocks[(start + nth) % 1_440] as string));
    }
  });

  it.each([
    [[rateOf(null, null, 1)], "第 1 行请选择规格或时段"],
    [[rateOf("S", "08:00-08:00", 1)], "第 1 行的开始和结束时间相同"],
    [[rateOf("S", "00:00-24:00", 1)], null],
    [
      [rateOf("L", "20:00-08:00", 1), rateOf("S", "06:00-10:00", 1), rateOf("L", "07:59-10:00", 1)],
      "第 1 行（大格，20:00–次日 08:00）与第 3 行（大格，07:59–10:00）的时段重叠",
    ],
    [[rateOf("L", "20:00-08:00", 1), rateOf("L", "08:00-20:00", 1)], null],
    [
      [rateOf("XL", null, 1), rateOf("XL", null, 2)],
      "第 1 行（特大格）与第 2 行（特大格）的规格相同",
    ],
    [[rateOf("XL", null, 1), rateOf(null, "08:00-20:00", 2)], null],
  ])("rates %# have the right problem", (some, problem) => {
    expect(ratesProblem(some)).toBe(problem);
  });

  it("its text has the rates, and the rates survive a URL", () => {
    expect(pricingText({ ...defaultPricing, rates: [rateOf("L", "20:00-08:00", 200)] })).toBe(
      "免费；大格，20:00–次日 08:00：前 30 分钟免费，之后起步 1 元，每 1 小时 2 元，单次最高 10 元；超过 1 天为滞留",
    );
    fc.assert(
      fc.property(disjoint, (some) => {
        expect(ratesOfText(ratesText(some))).toEqual(some);
      }),
    );
    for (const text of ["x", "{}", "[1]", '[{"size":"X"}]']) expect(ratesOfText(text)).toBeNull();
  });

  it("is whole only with whole rates; a copy has none", () => {
    const rated = { ...rule, rates };
    expect(wholeRatedRule(rated)).toEqual(rated);
    expect(wholeRatedRule({ ...rule, rates: [{ ...rates[0], stepFen: null }] })).toBeNull();
    expect(wholeRatedRule({ ...rule, rates: [{ ...rates[0], stepMinutes: 0 }] })).toBeNull();
    expect(
      wholeRatedRule({ ...rule, rates: [{ ...rates[0], hours: { from: "8:00" } }] }),
    ).toBeNull();
    expect(pricingOf(JSON.parse(copyOfPricing({ scope: "STORE", rule: rated }))).rule).toEqual(
      rule,
    );
  });
});
