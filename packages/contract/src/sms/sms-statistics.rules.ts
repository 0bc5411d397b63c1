// Pure rules of the overview of text messages: success rate, and how long the credit lasts.
import { isCreditLow } from "./sms-credit.rules.ts";

/** The pace is that of so many days, today included. */
export const PACE_DAYS = 14;
const SHORT_DAYS = 7;
const LONGEST_DAYS = 999;

export interface Runway {
  /** Segments a day, to the tenth; null while nothing was used. */
  perDay: number | null;
  /** Whole days until nothing is left at this pace; null while nothing is used. */
  daysLeft: number | null;
}

/** `used`: in the last `days` days, of which at most `PACE_DAYS` count. */
export function runwayOf(left: number, used: number, days: number): Runway {
  const span = Math.min(Math.max(days, 1), PACE_DAYS);
  if (used <= 0) return { perDay: null, daysLeft: null };
  const perDay = used / span;
  return {
    perDay: Math.round(perDay * 10) / 10,
    daysLeft: Math.min(Math.floor(Math.max(left, 0) / perDay), LONGEST_DAYS),
  };
}

/** Somebody should buy more now: hardly any left, or not for a week. */
export function isRunningOut(left: number, daysLeft: number | null): boolean {
  return isCreditLow(left) || (daysLeft !== null && daysLeft < SHORT_DAYS);
}

/** Of those whose end is known; null while that is none. */
export function successRate({
  delivered,
  failed,
}: {
  delivered: number;
  failed: number;
}): number | null {
  const known = delivered + failed;
  return known === 0 ? null : delivered / known;
}
