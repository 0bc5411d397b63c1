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

/** Least value of each field: one list for forms, columns, copies and simulation. A cap of null is no cap. */
const least: Record<keyof PricingRule, number> = {
  freeMinutes: 0,
  perUseFen: 0,
  stepMinutes: 1,
  stepFen: 0,
  capFen: 0,
  overdueAfterMinutes: 1,
};
export const RULE_FIELDS = Object.keys(least) as readonly (keyof PricingRule)[];

/** The fields of a rule alone, from form values, a row or a copy; null unless each is a whole number in its range. */
export function wholeRule(given: unknown): PricingRule | null {
  const some = (given ?? {}) as Partial<Record<keyof PricingRule, unknown>>;
  const rule = { ...defaultPricing };
  for (const field of RULE_FIELDS) {
    const value = some[field] ?? null;
    if (field === "capFen" && value === null) continue;
    if (!Number.isSafeInteger(value) || Number(value) < least[field]) return null;
    rule[field] = Number(value);
  }
  return rule;
}

/** A rule as copied onto an order, with the scope that it came from. */
export interface CopiedPricing {
  scope: PricingScope;
  rule: PricingRule;
}

/** Raised when a field changes its meaning; `pricingOf` then says what older copies mean. */
const COPY_VERSION = 1;

/** JSON of a copy, to be stored with an order; a later change of the rule does not touch it. */
export const copyOfPricing = ({ scope, rule }: CopiedPricing): string =>
  JSON.stringify({ version: COPY_VERSION, scope, rule: wholeRule(rule) });

/**
 * Reads a stored copy; the first ones have no version. A field that an older copy lacks has its default. Throws for a copy that
 * is newer than this program, or no rule: no price is better than a wrong one.
 */
export function pricingOf(copy: unknown): CopiedPricing {
  const { version = 1, scope, rule: given } = (copy ?? {}) as Record<string, unknown>;
  const rule = wholeRule({ ...defaultPricing, ...(given as object) });
  const known = PRICING_SCOPES.find((each) => each === scope);
  if (Number(version) > COPY_VERSION || !given || !rule || !known) {
    throw new Error(`no pricing rule of version ${COPY_VERSION}: ${JSON.stringify(copy)}`);
  }
  return { scope: known, rule };
}

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
