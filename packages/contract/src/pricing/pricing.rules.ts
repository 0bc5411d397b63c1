// Pure rules of prices: what a stay costs, which rule is in force, how a rule reads. Integer fen throughout.
import { yuanOfFen } from "../kit/money.rules.ts";

/** What storing one thing costs; minutes are whole and counted from its storing. */
export interface PricingRule {
  /** Up to and including this many minutes nothing is owed. */
  freeMinutes: number;
  /** Owed once by a stay that is longer. */
  perUseFen: number;
  /** The time after the free minutes is charged by steps of this length, a begun one as a whole. */
  stepMinutes: number;
  stepFen: number;
  /** No stay costs more; null: no limit. */
  capFen: number | null;
  /** A stay longer than this is overdue. */
  overdueAfterMinutes: number;
}

/** Where a rule was set; DEFAULT where nobody has set one. */
export const PRICING_SCOPES = ["CABINET", "STORE", "TENANT", "DEFAULT"] as const;
export type PricingScope = (typeof PRICING_SCOPES)[number];
export const pricingScopeText: Record<PricingScope, string> = {
  CABINET: "本机规则",
  STORE: "门店规则",
  TENANT: "租户规则",
  DEFAULT: "平台默认",
};

/** Where nobody has set a rule storing is free, and overdue after a day. */
export const defaultPricing: PricingRule = {
  freeMinutes: 0,
  perUseFen: 0,
  stepMinutes: 60,
  stepFen: 0,
  capFen: null,
  overdueAfterMinutes: 24 * 60,
};

/** The nearest rule that is set. */
export function nearestRule<Rule>(rules: Partial<Record<PricingScope, Rule | null>>): {
  scope: PricingScope;
  rule: Rule | PricingRule;
} {
  for (const scope of PRICING_SCOPES) {
    const rule = rules[scope];
    if (rule) return { scope, rule };
  }
  return { scope: "DEFAULT", rule: defaultPricing };
}

/** What a stay of so many minutes costs, in fen; a begun minute counts as a whole. */
export function priceOf(rule: PricingRule, minutes: number): number {
  const whole = Math.ceil(minutes);
  if (whole <= rule.freeMinutes) return 0;
  const steps = Math.ceil((whole - rule.freeMinutes) / rule.stepMinutes);
  const price = rule.perUseFen + steps * rule.stepFen;
  return rule.capFen === null ? price : Math.min(price, rule.capFen);
}

export function isOverdue(rule: PricingRule, minutes: number): boolean {
  return minutes > rule.overdueAfterMinutes;
}

/** `45 分钟`, `2 小时`, `1 天 6 小时` */
export function minutesText(minutes: number): string {
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const rest = minutes % 60;
  const parts = [days && `${days} 天`, hours && `${hours} 小时`, rest && `${rest} 分钟`];
  return parts.filter(Boolean).join(" ") || "0 分钟";
}

/** `前 30 分钟免费，之后起步 1 元，每 1 小时 1 元，单次最高 10 元；超过 1 天为滞留` */
export function pricingText(rule: PricingRule): string {
  return `${feeText(rule)}；超过 ${minutesText(rule.overdueAfterMinutes)}为滞留`;
}

/** What it costs alone, for where each letter does: `每 1 小时 1 元` */
export function feeText(rule: PricingRule): string {
  const { freeMinutes, perUseFen, stepMinutes, stepFen, capFen } = rule;
  if ((perUseFen === 0 && stepFen === 0) || capFen === 0) return "免费";
  const parts = [
    perUseFen > 0 && `起步 ${yuanOfFen(perUseFen)} 元`,
    stepFen > 0 && `每 ${minutesText(stepMinutes)} ${yuanOfFen(stepFen)} 元`,
    capFen !== null && `单次最高 ${yuanOfFen(capFen)} 元`,
  ].filter((part) => part !== false);
  const free = freeMinutes > 0 ? `前 ${minutesText(freeMinutes)}免费，之后` : "";
  return `${free}${parts.join("，")}`;
}

/** Stays that show what a rule comes to: around its free time, a few hours, a day, when overdue. */
export function exampleMinutes(rule: PricingRule): number[] {
  const around = rule.freeMinutes > 0 ? [rule.freeMinutes, rule.freeMinutes + 1] : [30];
  const usual = [120, 360, 720, 1440, rule.overdueAfterMinutes];
  return [...new Set([...around, ...usual])].sort((one, other) => one - other);
}
