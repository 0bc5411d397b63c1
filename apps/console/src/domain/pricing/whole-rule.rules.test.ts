// isWholeRule: half-typed form values are not priced.
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { describe, expect, it } from "vitest";
import { isWholeRule } from "./whole-rule.rules.ts";

const rule: PricingRule = {
  freeMinutes: 30,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 150,
  capFen: 1_000,
  overdueAfterMinutes: 1_440,
};

describe("form values", () => {
  it("are a pricing rule only if every field is valid", () => {
    expect(isWholeRule(rule)).toBe(true);
    expect(isWholeRule({ ...rule, capFen: null })).toBe(true);
    expect(isWholeRule({ ...rule, stepFen: "1.234" })).toBe(false);
    expect(isWholeRule({ ...rule, stepMinutes: 0 })).toBe(false);
    expect(isWholeRule({ ...rule, freeMinutes: null })).toBe(false);
    expect(isWholeRule({ ...rule, capFen: "x" })).toBe(false);
    expect(isWholeRule(undefined)).toBe(false);
  });
});
