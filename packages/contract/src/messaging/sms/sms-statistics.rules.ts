// Pure rules of the SMS overview: success rate, and how long the credit lasts.
import { isCreditLow } from "./sms-credit.rules.ts";

/** Days, today included, over which the daily use is averaged. */
export const PACE_DAYS = 14;
const SHORT_DAYS = 7;
const LONGEST_DAYS = 999;

export interface Runway {
  /** Segments a day, to the tenth; null while nothing was used. */
  perDay: number | null;
  /** Whole days until the credit ends at this rate; null while nothing is used. */
  daysLeft: number | null;
}

/** `used`: segments used in the last `days` days, capped at `PACE_DAYS`. */
export function runwayOf(left: number, used: number, days: number): Runway {
  const span = Math.min(Math.max(days, 1), PACE_DAYS);
  if (used <= 0) return { perDay: null, daysLeft: null };
  const perDay = used / span;
  return {
    perDay: Math.round(perDay * 10) / 10,
    daysLeft: Math.min(Math.floor(Math.max(left, 0) / perDay), LONGEST_DAYS),
  };
}

/** True if credit should be bought now: it is low, or ends within a week. */
export function isRunningOut(left: number, daysLeft: number | null): boolean {
  return isCreditLow(left) || (daysLeft !== null && daysLeft < SHORT_DAYS);
}

/** Share of delivered messages among those with a known result; null while there are none. */
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
