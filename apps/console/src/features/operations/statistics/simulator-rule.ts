// Reads and writes the simulated pricing rule as URL parameters.
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { isWholeRule } from "../../../domain/pricing/index.ts";

const names = [
  "freeMinutes",
  "perUseFen",
  "stepMinutes",
  "stepFen",
  "capFen",
  "overdueAfterMinutes",
] as const;

/** Picks the rule's fields from form values or a row; null if it is no complete rule. */
export function wholeRule(given: unknown): PricingRule | null {
  if (!isWholeRule(given)) return null;
  const { freeMinutes, perUseFen, stepMinutes, stepFen, capFen, overdueAfterMinutes } = given;
  const rest = { freeMinutes, perUseFen, stepMinutes, stepFen, overdueAfterMinutes };
  return { ...rest, capFen: capFen ?? null };
}

/** Rule from URL parameters; null if incomplete. */
export function ruleOfTexts(texts: Readonly<Record<string, string>>): PricingRule | null {
  const numbers = names.map((name) => [name, texts[name] ? Number(texts[name]) : null]);
  return wholeRule(Object.fromEntries(numbers));
}

/** Rule as URL parameters; no cap is an empty value. */
export function asTexts(rule: PricingRule): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(rule[name] ?? "")]));
}
