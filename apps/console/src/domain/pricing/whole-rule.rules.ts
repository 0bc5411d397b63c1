// Type guard: form values that are a complete pricing rule.
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";

/** True if every field is a whole number in its range, so that prices can be calculated. */
export function isWholeRule(rule: unknown): rule is PricingRule {
  const some = (rule ?? {}) as Partial<Record<keyof PricingRule, unknown>>;
  const isCount = (value: unknown, least: number) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least;
  return (
    isCount(some.freeMinutes, 0) &&
    isCount(some.perUseFen, 0) &&
    isCount(some.stepMinutes, 1) &&
    isCount(some.stepFen, 0) &&
    (some.capFen === null || some.capFen === undefined || isCount(some.capFen, 0)) &&
    isCount(some.overdueAfterMinutes, 1)
  );
}
