// Reads and writes the simulated pricing rule as URL parameters.
import {
  type PricingRule,
  RULE_FIELDS,
  wholeRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";

/** Rule from URL parameters; null if incomplete. */
export function ruleOfTexts(texts: Readonly<Record<string, string>>): PricingRule | null {
  const numbers = RULE_FIELDS.map((name) => [name, texts[name] ? Number(texts[name]) : null]);
  return wholeRule(Object.fromEntries(numbers));
}

/** Rule as URL parameters; no cap is an empty value. */
export function asTexts(rule: PricingRule): Record<string, string> {
  return Object.fromEntries(RULE_FIELDS.map((name) => [name, String(rule[name] ?? "")]));
}
