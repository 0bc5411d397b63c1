// A rule reads as one sentence without empty parts; what is typed halfway is not reckoned with.
import type { PricingRule } from "@cabinet/contract/pricing/pricing.rules.ts";
import { describe, expect, it } from "vitest";
import { isWholeRule, pricingText } from "./pricing-text.rules.ts";

const rule: PricingRule = {
  freeMinutes: 30,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 150,
  capFen: 1_000,
  overdueAfterMinutes: 1_440,
};

describe("a rule in words", () => {
  it.each<[Partial<PricingRule>, string]>([
    [{}, "前 30 分钟免费，之后起步 1 元，每 1 小时 1.50 元，单次最高 10 元；超过 1 天为滞留"],
    [{ freeMinutes: 0, perUseFen: 0, capFen: null }, "每 1 小时 1.50 元；超过 1 天为滞留"],
    [{ stepFen: 0, capFen: null, freeMinutes: 0 }, "起步 1 元；超过 1 天为滞留"],
    [{ perUseFen: 0, stepFen: 0 }, "免费；超过 1 天为滞留"],
    [{ capFen: 0 }, "免费；超过 1 天为滞留"],
  ])("%o", (change, text) => expect(pricingText({ ...rule, ...change })).toBe(text));
});

describe("what a form holds", () => {
  it("is a rule only when every field is", () => {
    expect(isWholeRule(rule)).toBe(true);
    expect(isWholeRule({ ...rule, capFen: null })).toBe(true);
    expect(isWholeRule({ ...rule, stepFen: "1.234" })).toBe(false);
    expect(isWholeRule({ ...rule, stepMinutes: 0 })).toBe(false);
    expect(isWholeRule({ ...rule, freeMinutes: null })).toBe(false);
    expect(isWholeRule({ ...rule, capFen: "x" })).toBe(false);
    expect(isWholeRule(undefined)).toBe(false);
  });
});
