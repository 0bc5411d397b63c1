// Pure rules of prices: price of a stay, rule in force, texts of a rule. Integer fen throughout.
import { yuanOfFen } from "../../kit/money.rules.ts";

/** Price of one stay; minutes are whole and counted from the deposit. */
export interface PricingRule {
  /** Stays up to and including this many minutes are free. */
  freeMinutes: number;
  /** Charged once for a longer stay. */
  perUseFen: number;
  /**
   * The time after the free minutes is charged in steps of this length; a started step counts
   * whole.
   */
  stepMinutes: number;
  stepFen: number;
  /** Most that a stay costs; null: no cap. */
  capFen: number | null;
  /** Stays longer than this are overdue. */
  overdueAfterMinutes: number;
}

/** Level at which a rule is set; DEFAULT: none is set. */
export const PRICING_SCOPES = ["CABINET", "STORE", "TENANT", "DEFAULT"] as const;
export type PricingScope = (typeof PRICING_SCOPES)[number];
export const pricingScopeText: Record<PricingScope, string> = {
  CABINET: "本机规则",
  STORE: "门店规则",
  TENANT: "租户规则",
  DEFAULT: "平台默认",
};

/** Default rule: free, overdue after a day. */
export const defaultPricing: PricingRule = {
  freeMinutes: 0,
  perUseFen: 0,
  stepMinutes: 60,
  stepFen: 0,
  capFen: null,
  overdueAfterMinutes: 24 * 60,
};

/** Returns the nearest rule that is set, with its scope. */
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

/** Price of a stay in fen; a started minute counts whole. */
export function priceOf(rule: PricingRule, minutes: number): number {
  const whole = Math.ceil(minutes);
  if (whole <= rule.freeMinutes) return 0;
  const steps = Math.ceil((whole - rule.freeMinutes) / rule.stepMinutes);
  const price = rule.perUseFen + steps * rule.stepFen;
  return rule.capFen === null ? price : Math.min(price, rule.capFen);
}

/** False for a rule that charges nothing, however long the stay. */
export function isCharging({ perUseFen, stepFen, capFen }: PricingRule): boolean {
  return (perUseFen > 0 || stepFen > 0) && capFen !== 0;
}

/**
 * Time up to which a stay is free, ISO 8601; null before the deposit and where nothing is charged. `uncountedSeconds`: time
 * of the stay that is not charged.
 */
export function freeUntil(
  rule: PricingRule,
  storedAt: string | null,
  uncountedSeconds = 0,
): string | null {
  if (storedAt === null || !isCharging(rule)) return null;
  const freeMs = rule.freeMinutes * 60_000 + uncountedSeconds * 1_000;
  return new Date(Date.parse(storedAt) + freeMs).toISOString();
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

/** Fee part of the text alone: `每 1 小时 1 元`; for limited space. */
export function feeText(rule: PricingRule): string {
  const { freeMinutes, perUseFen, stepMinutes, stepFen, capFen } = rule;
  if (!isCharging(rule)) return "免费";
  const parts = [
    perUseFen > 0 && `起步 ${yuanOfFen(perUseFen)} 元`,
    stepFen > 0 && `每 ${minutesText(stepMinutes)} ${yuanOfFen(stepFen)} 元`,
    capFen !== null && `单次最高 ${yuanOfFen(capFen)} 元`,
  ].filter((part) => part !== false);
  const free = freeMinutes > 0 ? `前 ${minutesText(freeMinutes)}免费，之后` : "";
  return `${free}${parts.join("，")}`;
}

/** Example stays for a rule: around its free time, a few hours, a day, when overdue. */
export function exampleMinutes(rule: PricingRule): number[] {
  const around = rule.freeMinutes > 0 ? [rule.freeMinutes, rule.freeMinutes + 1] : [30];
  const usual = [120, 360, 720, 1440, rule.overdueAfterMinutes];
  return [...new Set([...around, ...usual])].sort((one, other) => one - other);
}
