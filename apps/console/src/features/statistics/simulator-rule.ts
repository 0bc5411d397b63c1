// The rule that is being tried, as the address bar holds it.
import type { PricingRule } from "@cabinet/contract/pricing/pricing.rules.ts";
import { isWholeRule } from "../pricing/index.ts";

const names = [
  "freeMinutes",
  "perUseFen",
  "stepMinutes",
  "stepFen",
  "capFen",
  "overdueAfterMinutes",
] as const;

/** What a form or a row holds, without what is not of a rule; null when it is none. */
export function wholeRule(given: unknown): PricingRule | null {
  if (!isWholeRule(given)) return null;
  const { freeMinutes, perUseFen, stepMinutes, stepFen, capFen, overdueAfterMinutes } = given;
  const rest = { freeMinutes, perUseFen, stepMinutes, stepFen, overdueAfterMinutes };
  return { ...rest, capFen: capFen ?? null };
}

/** Null where the address names none. */
export function ruleOfTexts(texts: Readonly<Record<string, string>>): PricingRule | null {
  const numbers = names.map((name) => [name, texts[name] ? Number(texts[name]) : null]);
  return wholeRule(Object.fromEntries(numbers));
}

/** No limit is no text. */
export function asTexts(rule: PricingRule): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(rule[name] ?? "")]));
}
