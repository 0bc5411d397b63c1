// Reads and writes the simulated pricing rule as URL parameters.
import {
  type RatedRule,
  RULE_FIELDS,
  ratesOfText,
  ratesText,
  wholeRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";

/** Rule from URL parameters; null if incomplete. */
export function ruleOfTexts(texts: Readonly<Record<string, string>>): Required<RatedRule> | null {
  const numbers = RULE_FIELDS.map((name) => [name, texts[name] ? Number(texts[name]) : null]);
  const rule = wholeRule(Object.fromEntries(numbers));
  const rates = ratesOfText(texts.rates ?? "");
  return rule && rates && { ...rule, rates };
}

/** Rule as URL parameters; no cap is an empty value, and so are no rates. */
export function asTexts(rule: RatedRule): Record<string, string> {
  const fields = RULE_FIELDS.map((name) => [name, String(rule[name] ?? "")]);
  return { ...Object.fromEntries(fields), rates: ratesText(rule.rates) };
}
