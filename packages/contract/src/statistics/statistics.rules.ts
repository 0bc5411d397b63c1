// Pure rules of statistics: spans of days, and what follows from sums of figures.

/** What orders come to, over days, cabinets or both; money in fen. */
export interface FigureSums {
  /** Orders that began. */
  started: number;
  /** Goods that were put in. */
  stored: number;
  /** Stays that ended with the goods out, and the minutes that those lay. */
  completed: number;
  stayMinutes: number;
  /** Stays that became overdue. */
  overdue: number;
  /** Paid for orders; of it bonus; given back of it. */
  incomeFen: number;
  bonusFen: number;
  refundFen: number;
  /** Doors asked to open for orders, and those of them that did. */
  openings: number;
  opened: number;
}

export const MAX_DAYS = 366;
/** What is shown where nobody said which days. */
export const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const SHANGHAI_MS = 8 * 3_600_000;

/** The day in Shanghai, `2026-11-21`. */
export function dayOf(ms: number): string {
  return new Date(ms + SHANGHAI_MS).toISOString().slice(0, 10);
}

/** A day of the calendar (`2026-11-22`), so many days later, or earlier where they are negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Both ends included. */
export interface DaySpan {
  from: string;
  to: string;
}

/** How many days a span has, both ends included. */
export function daysOf({ from, to }: DaySpan): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** The days that are meant, where one end or both are left out; null where they make no span. */
export function spanOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): DaySpan | null {
  const today = dayOf(nowMs);
  const last = to ?? (from && from > today ? from : today);
  const span = { from: from ?? addDays(last, 1 - DEFAULT_DAYS), to: last };
  const days = daysOf(span);
  return days >= 1 && days <= MAX_DAYS ? span : null;
}

/** As many days, just before. */
export function spanBefore(span: DaySpan): DaySpan {
  return { from: addDays(span.from, -daysOf(span)), to: addDays(span.from, -1) };
}

/** Null where there is nothing to divide by. */
function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** 净收入 on every screen: what orders were paid, less what was refunded; bonus money included. */
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

/** How often a compartment was used a day. */
export function turnoverOf(
  { stored }: Pick<FigureSums, "stored">,
  compartments: number,
  days: number,
): number | null {
  return share(stored, compartments * days);
}

/** In whole minutes; null where nobody's stay has ended. */
export function meanStayMinutes(
  sums: Pick<FigureSums, "stayMinutes" | "completed">,
): number | null {
  const mean = share(sums.stayMinutes, sums.completed);
  return mean === null ? null : Math.round(mean);
}

/** `45 分钟`, `12.2 小时`, `2.5 天`: means and sums, not a length that somebody was promised. */
export function stayText(minutes: number): string {
  if (minutes < 60) return `${minutes} 分钟`;
  return minutes < 2_880
    ? `${(minutes / 60).toFixed(1)} 小时`
    : `${(minutes / 1_440).toFixed(1)} 天`;
}

/** 0 to 1; null where nothing was stored. */
export function overdueShare(sums: Pick<FigureSums, "overdue" | "stored">): number | null {
  return share(sums.overdue, sums.stored);
}

/** 0 to 1, of the openings asked for; null where none was. */
export function openShare(sums: Pick<FigureSums, "openings" | "opened">): number | null {
  return share(sums.opened, sums.openings);
}

/** By how much it changed, as a share of what it was; null where it was nothing. */
export function changeOf(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : share(now - before, before);
}

/** How often occupancy is looked at. */
export const SAMPLE_MINUTES = 5;
/** How long it is kept; no report of it spans more days. */
export const OCCUPANCY_DAYS = 92;

/** How full the compartments of one size were in a cabinet. */
export interface SizeUse {
  /** Times that it was looked at. */
  samples: number;
  /** Sums over them: in use, and usable. */
  occupied: number;
  total: number;
  /** Times that none was left. */
  fullSamples: number;
  /** The most that were in use at once. */
  peak: number;
  /** Usable compartments, at the last look. */
  compartments: number;
}

/** For how long no compartment of the size was free, in minutes, as far as it was looked at. */
export function fullMinutes({ fullSamples }: Pick<SizeUse, "fullSamples">): number {
  return fullSamples * SAMPLE_MINUTES;
}

/** Minutes a day, of the time that was watched. */
export function fullMinutesADay({
  samples,
  fullSamples,
}: Pick<SizeUse, "samples" | "fullSamples">): number | null {
  const full = share(fullSamples, samples);
  return full === null ? null : Math.round(full * 1_440);
}

/** 0 to 1, over the whole time that was looked at; null where it was not. */
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
  SPARE: "富余",
  UNKNOWN: "观察中",
};

/** A size that is all taken for so long a day turns people away. */
const SHORT_MINUTES_A_DAY = 30;
/** A size of which never more than this was in use could be fewer. */
const SPARE_PEAK_SHARE = 0.5;
/** Less than three days tell nothing. */
const ENOUGH_SAMPLES = (3 * 1_440) / SAMPLE_MINUTES;

/** UNKNOWN until it was looked at for long enough. */
export function sizeVerdict(use: SizeUse): SizeVerdict {
  if (use.samples < ENOUGH_SAMPLES) return "UNKNOWN";
  if ((fullMinutesADay(use) ?? 0) >= SHORT_MINUTES_A_DAY) return "SHORT";
  return use.peak <= use.compartments * SPARE_PEAK_SHARE && use.compartments > 1 ? "SPARE" : "FIT";
}
