// Service period of a cabinet or tenant, and its renewal.
import { addDays } from "./shanghai.rules.ts";

/** Days as `2026-11-21`, both inclusive; null where nothing is agreed. */
export interface ServicePeriod {
  startsOn: string | null;
  endsOn: string | null;
}

export interface RenewalTerms {
  months?: number;
  endsOn?: string;
  /** Allowed only while no period is running. */
  startsOn?: string;
}

export interface Renewal {
  action: "OPENED" | "RENEWED" | "ADJUSTED";
  startsOn: string;
  endsOn: string;
}
export type RenewalProblem = "RUNNING" | "ENDS_BEFORE_START" | "ENDS_IN_PAST" | "UNCHANGED";
export const renewalProblemText: Record<RenewalProblem, string> = {
  RUNNING: "服务期正在进行，不能改开始日期",
  ENDS_BEFORE_START: "到期日不能早于开始日期",
  ENDS_IN_PAST: "到期日不能早于今天；要立即结束请用“停止服务”",
  UNCHANGED: "到期日没有变化，请另选一天",
};
/** Extends a running period from its end; one that is over or was never set begins today. */
export function renewPeriod(
  { startsOn, endsOn }: ServicePeriod,
  request: RenewalTerms,
  today: string,
): Renewal | RenewalProblem {
  const isRunning = startsOn !== null && endsOn !== null && startsOn <= today && endsOn >= today;
  if (isRunning && request.startsOn !== undefined) return "RUNNING";
  const isAhead = startsOn !== null && startsOn > today;
  const start = isRunning ? startsOn : (request.startsOn ?? (isAhead ? startsOn : today));
  const keepsStart = isRunning || (isAhead && request.startsOn === undefined);
  const from = keepsStart && endsOn !== null ? addDays(endsOn, 1) : start;
  const end = request.endsOn ?? addDays(monthsAfter(start, from, request.months ?? 0), -1);
  if (end < start) return "ENDS_BEFORE_START";
  if (end < today) return "ENDS_IN_PAST";
  if (start === startsOn && end === endsOn) return "UNCHANGED";
  const isLonger = endsOn === null || end > endsOn;
  const action = startsOn === null ? "OPENED" : isLonger ? "RENEWED" : "ADJUSTED";
  return { action, startsOn: start, endsOn: end };
}

/**
 * Day `months` after `from`. Where whole months lie between `start` and `from`, they count from `start`: a period that
 * began on the 31st keeps this day beyond a February.
 */
function monthsAfter(start: string, from: string, months: number): string {
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  const passed = monthOf(from) - monthOf(start);
  return addMonths(start, passed) === from
    ? addMonths(start, passed + months)
    : addMonths(from, months);
}

/** Same day of a later month, or another one of that month, at most its last one. */
export function addMonths(day: string, months: number, date = dateOf(day)): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const time = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)));
  return time.toISOString().slice(0, 10);
}

/** `21` of `2026-11-21` */
export const dateOf = (day: string): number => Number(day.slice(8, 10));
