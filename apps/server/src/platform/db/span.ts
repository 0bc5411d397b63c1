// Limits the time span of log searches to a year (promise I2).
import { refuse } from "../errors.ts";

const MAX_SPAN_DAYS = 366;

/** Refuses a reversed or too long span; an open-ended one is bounded by the caller's paging. */
export function requireSpan({ from, to }: { from?: string; to?: string }): void {
  if (from === undefined || to === undefined) return;
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days < 0) refuse("SPAN_REVERSED");
  if (days > MAX_SPAN_DAYS) {
    refuse("SPAN_TOO_LONG", { days: MAX_SPAN_DAYS });
  }
}
