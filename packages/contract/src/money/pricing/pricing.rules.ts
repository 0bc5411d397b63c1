// Pure rules of prices: price of a stay, rule in force, texts of a rule. Integer fen throughout.
import { yuanOfFen } from "../../kit/money.rules.ts";
import type { TimeSpan } from "../../kit/opening-hours.rules.ts";
import { shanghaiClock } from "../../kit/shanghai.rules.ts";
import { SIZES, type Size, sizeText } from "../../vocabulary/hardware.rules.ts";

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

/** Other fees for compartments of a size, for deposits that begin in these hours, or both. The overdue time is the rule's. */
export interface PricingRate extends Omit<PricingRule, "overdueAfterMinutes"> {
  size: Size | null;
  /** Shanghai's clock; `to` is excluded. */
  hours: TimeSpan | null;
}

/** Rule as it is set. `ruleFor` makes a plain one of it, which is all that an order knows. */
export interface RatedRule extends PricingRule {
  rates?: PricingRate[];
}

export const MAX_RATES = 12;
/** More than `pricingText` of any plain rule. */
export const MAX_PRICING_TEXT = 500;
const CLOCK = "([01]\\d|2[0-3]):[0-5]\\d";
export const HOURS_PATTERN = { from: `^${CLOCK}$`, to: `^(${CLOCK}|24:00)$` };
export const RATE_FIELDS = RULE_FIELDS.filter((field) => field !== "overdueAfterMinutes");

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

/** The same with its rates; null also if one of these has a wrong field. */
export function wholeRatedRule(given: unknown): Required<RatedRule> | null {
  const rule = wholeRule(given);
  const { rates } = (given ?? {}) as { rates?: unknown };
  const whole = wholeRates(rates ?? []);
  return rule && whole && { ...rule, rates: whole };
}

/** Null unless each rate has all its fields, each in its range. Overlaps are for `ratesProblem`. */
function wholeRates(given: unknown): PricingRate[] | null {
  if (!Array.isArray(given) || given.length > MAX_RATES) return null;
  const rates = given.map(wholeRate);
  return rates.includes(null) ? null : (rates as PricingRate[]);
}

function wholeRate(given: unknown): PricingRate | null {
  const { size = null, hours = null, ...fees } = (given ?? {}) as Partial<PricingRate>;
  const whole = wholeRule({ ...defaultPricing, ...noFees, ...fees });
  if (!whole || (size !== null && !SIZES.includes(size)) || (hours && !isHours(hours))) return null;
  const { overdueAfterMinutes: _, ...rate } = whole;
  return { size, hours: hours && { from: hours.from, to: hours.to }, ...rate };
}

/** Takes the place of the default values, which a rate does not have. */
const noFees = Object.fromEntries(RATE_FIELDS.map((field) => [field, null]));

const isHours = ({ from, to }: TimeSpan) =>
  new RegExp(HOURS_PATTERN.from).test(from) && new RegExp(HOURS_PATTERN.to).test(to);

/** Rates as one text, for URLs and queries. */
export const ratesText = (rates: readonly PricingRate[] = []): string =>
  rates.length > 0 ? JSON.stringify(rates) : "";

/** Null unless it is such a text. */
export function ratesOfText(text: string): PricingRate[] | null {
  try {
    return text === "" ? [] : wholeRates(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * The plain rule for a stay in a compartment of this size that begins at this time. The most specific rate counts: one
 * with size and hours before one with a size, and that before one with hours; without any, the rule's own fees.
 */
export function ruleFor(given: RatedRule, size: Size, at: number): PricingRule {
  const clock = shanghaiClock(at).slice(11, 16);
  const rates = (given.rates ?? []).filter(
    (rate) => (rate.size ?? size) === size && (!rate.hours || isWithin(rate.hours, clock)),
  );
  const [rate] = rates.sort((one, other) => rank(other) - rank(one));
  const source: PricingRule = { ...given, ...rate };
  const fields = RULE_FIELDS.map((field) => [field, source[field] ?? null]);
  return Object.fromEntries(fields) as unknown as PricingRule;
}

const rank = ({ size, hours }: PricingRate) => (size ? 2 : 0) + (hours ? 1 : 0);

const isWithin = ({ from, to }: TimeSpan, clock: string) =>
  from < to ? from <= clock && clock < to : from <= clock || clock < to;

/** `大格，20:00–次日 08:00` */
function rateName({ size, hours }: Pick<PricingRate, "size" | "hours">): string {
  const parts = [
    size && `${sizeText[size]}格`,
    hours && `${hours.from}–${hours.to < hours.from ? "次日 " : ""}${hours.to}`,
  ];
  return parts.filter(Boolean).join("，");
}

/** Problem of the rates as a sentence, or null: at each time at most one of each kind applies to a size. */
export function ratesProblem(rates: readonly Pick<PricingRate, "size" | "hours">[]): string | null {
  for (const [nth, one] of rates.entries()) {
    const { size, hours } = one;
    if (!size && !hours) return `第 ${nth + 1} 行请选择规格或时段`;
    if (hours && hours.from === hours.to) return `第 ${nth + 1} 行的开始和结束时间相同`;
    const clash = rates.findIndex(
      (other, at) => at > nth && other.size === size && doOverlap(hours, other.hours),
    );
    const other = rates[clash];
    if (!other) continue;
    const rows = `第 ${nth + 1} 行（${rateName(one)}）与第 ${clash + 1} 行（${rateName(other)}）`;
    return hours ? `${rows}的时段重叠` : `${rows}的规格相同`;
  }
  return null;
}

function doOverlap(one: TimeSpan | null, other: TimeSpan | null): boolean {
  if (!one || !other) return one === other;
  return isWithin(one, other.from) || isWithin(other, one.from);
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

type Fees = Omit<PricingRule, "overdueAfterMinutes">;

/** False for fees of nothing, however long the stay. */
function isCharging({ perUseFen, stepFen, capFen }: Fees): boolean {
  return (perUseFen > 0 || stepFen > 0) && capFen !== 0;
}

/** False for a rule that charges nothing, in whatever compartment and at whatever time. */
export function isEverCharging(rule: RatedRule): boolean {
  return [rule, ...(rule.rates ?? [])].some(isCharging);
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

/** `前 30 分钟免费，之后起步 1 元，每 1 小时 1 元，单次最高 10 元；大格：每 1 小时 2 元；超过 1 天为滞留` */
export function pricingText(rule: RatedRule): string {
  const rates = (rule.rates ?? []).map(rateText);
  const overdue = `超过 ${minutesText(rule.overdueAfterMinutes)}为滞留`;
  return [feeText(rule), ...rates, overdue].join("；");
}

/** `大格，20:00–次日 08:00：每 1 小时 2 元` */
export const rateText = (rate: PricingRate): string => `${rateName(rate)}：${feeText(rate)}`;

/** Fee part of the text alone: `每 1 小时 1 元`; for limited space. */
export function feeText(fees: Fees): string {
  const { freeMinutes, perUseFen, stepMinutes, stepFen, capFen } = fees;
  if (!isCharging(fees)) return "免费";
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
