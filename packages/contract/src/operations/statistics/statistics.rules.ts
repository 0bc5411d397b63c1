// Pure rules of statistics: spans of days, and figures derived from sums.
import { addDays, shanghaiDay } from "../../kit/shanghai.rules.ts";
import { isEverCharging, type RatedRule } from "../../money/pricing/pricing.rules.ts";

/** Sums over orders, by days, cabinets or both; money in fen. */
export interface FigureSums {
  /** Orders created. */
  started: number;
  /** Deposits. */
  stored: number;
  /** Stays ended with the goods taken out, and their total length in minutes. */
  completed: number;
  stayMinutes: number;
  /** Stays that became overdue. */
  overdue: number;
  /** Paid for orders (incomeFen), the bonus part of it, and refunds (refundFen). */
  incomeFen: number;
  bonusFen: number;
  refundFen: number;
  /** Door openings requested for orders, and the successful ones. */
  openings: number;
  opened: number;
}

export const MAX_DAYS = 366;
/** Default span when no days are given. */
export const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Both ends inclusive. */
export interface DaySpan {
  from: string;
  to: string;
}

/** Number of days in a span, both ends inclusive. */
export function daysOf({ from, to }: DaySpan): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/**
 * Completes a span of which one end or both are missing; null where the result is no valid span.
 */
export function spanOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): DaySpan | null {
  const today = shanghaiDay(nowMs);
  const last = to ?? (from && from > today ? from : today);
  const span = { from: from ?? addDays(last, 1 - DEFAULT_DAYS), to: last };
  const days = daysOf(span);
  return days >= 1 && days <= MAX_DAYS ? span : null;
}

/** Span just before: as many months if the span is whole months, else as many days. */
export function spanBefore(span: DaySpan): DaySpan {
  const to = addDays(span.from, -1);
  const isWholeMonths = span.from.endsWith("-01") && addDays(span.to, 1).endsWith("-01");
  if (!isWholeMonths) return { from: addDays(span.from, -daysOf(span)), to };
  const first = new Date(span.from);
  const end = new Date(addDays(span.to, 1));
  const months =
    (end.getUTCFullYear() - first.getUTCFullYear()) * 12 + end.getUTCMonth() - first.getUTCMonth();
  first.setUTCMonth(first.getUTCMonth() - months);
  return { from: first.toISOString().slice(0, 10), to };
}

/** Null where the divisor is zero. */
function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** 净收入 on every screen: payments for orders less refunds, bonus money included. */
export function netFen({ incomeFen, refundFen }: Pick<FigureSums, "incomeFen" | "refundFen">) {
  return incomeFen - refundFen;
}

/** Net income of both sides on the home page; null for an account that may not see money. */
export function homeNetFen({
  sides,
}: {
  sides: readonly {
    incomeFen: number | null;
    refundFen: number | null;
    incomeFenBefore: number | null;
    refundFenBefore: number | null;
  }[];
}): { today: number; yesterday: number } | null {
  const sums = { today: 0, yesterday: 0 };
  for (const { incomeFen, refundFen, incomeFenBefore, refundFenBefore } of sides) {
    if (incomeFen === null || refundFen === null) return null;
    sums.today += netFen({ incomeFen, refundFen });
    sums.yesterday += netFen({
      incomeFen: incomeFenBefore ?? 0,
      refundFen: refundFenBefore ?? 0,
    });
  }
  return sums;
}

/** Deposits per compartment and day. */
export function turnoverOf(
  { stored }: Pick<FigureSums, "stored">,
  compartments: number,
  days: number,
): number | null {
  return share(stored, compartments * days);
}

/** Mean stay in whole minutes; null where no stay has ended. */
export function meanStayMinutes(
  sums: Pick<FigureSums, "stayMinutes" | "completed">,
): number | null {
  const mean = share(sums.stayMinutes, sums.completed);
  return mean === null ? null : Math.round(mean);
}

/**
 * `45 分钟`, `12.2 小时`, `2.5 天`: rounded, for means and sums only, not for lengths that users rely
 * on.
 */
export function stayText(minutes: number): string {
  if (minutes < 60) return `${minutes} 分钟`;
  return minutes < 2_880
    ? `${(minutes / 60).toFixed(1)} 小时`
    : `${(minutes / 1_440).toFixed(1)} 天`;
}

/** Overdue share of the deposits, 0 to 1; null where there were none. */
export function overdueShare(sums: Pick<FigureSums, "overdue" | "stored">): number | null {
  return share(sums.overdue, sums.stored);
}

/** Successful share of the requested openings, 0 to 1; null where there were none. */
export function openShare(sums: Pick<FigureSums, "openings" | "opened">): number | null {
  return share(sums.opened, sums.openings);
}

/** Relative change; null where the earlier value is zero or unknown. */
export function changeOf(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : share(now - before, before);
}

/** Interval of occupancy samples. */
export const SAMPLE_MINUTES = 5;
/** Retention of occupancy samples in days, and longest span of a report on them. */
export const OCCUPANCY_DAYS = 92;

/** Occupancy of one compartment size in a cabinet. */
export interface SizeUse {
  /** Number of samples. */
  samples: number;
  /** Sums over all samples: occupied, and usable compartments. */
  occupied: number;
  total: number;
  /** Samples in which no compartment was free. */
  fullSamples: number;
  /** Most compartments in use at once. */
  peak: number;
  /** Usable compartments at the last sample. */
  compartments: number;
}

/** Minutes without a free compartment of the size, as far as sampled. */
export function fullMinutes({ fullSamples }: Pick<SizeUse, "fullSamples">): number {
  return fullSamples * SAMPLE_MINUTES;
}

/** Full minutes per day of the sampled time. */
export function fullMinutesADay({
  samples,
  fullSamples,
}: Pick<SizeUse, "samples" | "fullSamples">): number | null {
  const full = share(fullSamples, samples);
  return full === null ? null : Math.round(full * 1_440);
}

/** Mean occupancy over all samples, 0 to 1; null without samples. */
export function occupancyShare({
  occupied,
  total,
}: Pick<SizeUse, "occupied" | "total">): number | null {
  return share(occupied, total);
}

export const SIZE_VERDICTS = ["SHORT", "FIT", "SPARE", "UNKNOWN"] as const;
export type SizeVerdict = (typeof SIZE_VERDICTS)[number];
export const sizeVerdictText: Record<SizeVerdict, string> = {
  SHORT: "不足",
  FIT: "合适",
  SPARE: "有余量",
  UNKNOWN: "观察中",
};

/** A size that is full for longer a day turns people away. */
const SHORT_MINUTES_A_DAY = 30;
/** A size whose peak stays at or below this share could have fewer compartments. */
const SPARE_PEAK_SHARE = 0.5;
/** Less than three days of samples allow no verdict. */
const ENOUGH_SAMPLES = (3 * 1_440) / SAMPLE_MINUTES;

/** UNKNOWN until there are enough samples. */
export function sizeVerdict(use: SizeUse): SizeVerdict {
  if (use.samples < ENOUGH_SAMPLES) return "UNKNOWN";
  if ((fullMinutesADay(use) ?? 0) >= SHORT_MINUTES_A_DAY) return "SHORT";
  return use.peak <= use.compartments * SPARE_PEAK_SHARE && use.compartments > 1 ? "SPARE" : "FIT";
}

/** Why a cabinet may earn little, the most likely first. */
export const EARNING_REASONS = [
  "OFFLINE",
  "MALFUNCTIONS",
  "OPENING",
  "FULL",
  "FREE",
  "REFUND",
  "IDLE",
  "DROP",
  "NEW",
] as const;
export type EarningReason = (typeof EARNING_REASONS)[number];
export const earningReasonText: Record<EarningReason, string> = {
  OFFLINE: "离线较多",
  MALFUNCTIONS: "故障较多",
  OPENING: "开门失败较多",
  FULL: "经常满柜",
  FREE: "不收费",
  REFUND: "退款较多",
  IDLE: "订单偏少",
  DROP: "收入下降",
  NEW: "新设备",
};

export interface EarningFacts
  extends Pick<FigureSums, "stored" | "incomeFen" | "refundFen" | "openings" | "opened"> {
  compartments: number;
  days: number;
  netFenBefore: number;
  /** Median of the net income a day over the tenant's cabinets. */
  medianDayFen: number;
  fullMinutes: number;
  offlineMinutes: number;
  malfunctions: number;
  pricing: RatedRule;
}

/** Limits beyond which a fact is a reason. */
const OFFLINE_SHARE = 0.02;
const DAYS_PER_MALFUNCTION = 10;
const OPEN_SHARE = 0.95;
const REFUND_SHARE = 0.1;
const IDLE_TURNOVER = 0.2;
const DROP_SHARE = -0.2;
const NEW_DAYS = 7;

/** Earns less a day than half of the tenant's cabinets, or nothing. */
export function isLowEarner(facts: EarningFacts): boolean {
  const dayFen = Math.round(netFen(facts) / facts.days);
  return dayFen <= 0 || dayFen < facts.medianDayFen;
}

/** None for a cabinet that earns as much as most: its malfunctions explain nothing. */
export function earningReasons(facts: EarningFacts): EarningReason[] {
  if (!isLowEarner(facts)) return [];
  const { days, malfunctions, incomeFen, refundFen, netFenBefore } = facts;
  const change = changeOf(netFen(facts), netFenBefore);
  const isReason: Record<EarningReason, boolean> = {
    OFFLINE: facts.offlineMinutes > days * 1_440 * OFFLINE_SHARE,
    MALFUNCTIONS: malfunctions > 1 && malfunctions * DAYS_PER_MALFUNCTION >= days,
    OPENING: (openShare(facts) ?? 1) < OPEN_SHARE,
    FULL: facts.fullMinutes >= days * SHORT_MINUTES_A_DAY,
    FREE: !isEverCharging(facts.pricing),
    REFUND: refundFen > incomeFen * REFUND_SHARE,
    IDLE: (turnoverOf(facts, facts.compartments, days) ?? 0) < IDLE_TURNOVER,
    DROP: change !== null && netFenBefore > 0 && change <= DROP_SHARE,
    NEW: days < NEW_DAYS,
  };
  return EARNING_REASONS.filter((reason) => isReason[reason]);
}
