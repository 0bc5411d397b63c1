// A pricing rule in one sentence, and whether what a form holds is one.
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { minutesText, type PricingRule } from "@cabinet/contract/pricing/pricing.rules.ts";

/** `前 30 分钟免费，之后起步 1 元，每 1 小时 1 元，单次最高 10 元；超过 1 天为滞留` */
export function pricingText(rule: PricingRule): string {
  const { freeMinutes, perUseFen, stepMinutes, stepFen, capFen } = rule;
  const overdue = `超过 ${minutesText(rule.overdueAfterMinutes)}为滞留`;
  if ((perUseFen === 0 && stepFen === 0) || capFen === 0) return `免费；${overdue}`;
  const parts = [
    perUseFen > 0 && `起步 ${yuanOfFen(perUseFen)} 元`,
    stepFen > 0 && `每 ${minutesText(stepMinutes)} ${yuanOfFen(stepFen)} 元`,
    capFen !== null && `单次最高 ${yuanOfFen(capFen)} 元`,
  ].filter((part) => part !== false);
  const free = freeMinutes > 0 ? `前 ${minutesText(freeMinutes)}免费，之后` : "";
  return `${free}${parts.join("，")}；${overdue}`;
}

/** Every field is there and a whole number in its range, so that it can be reckoned with. */
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
