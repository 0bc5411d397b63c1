// The span of time that a log is searched for: a year at most (promise I2).
import { invalid } from "./errors.ts";

const MAX_SPAN_DAYS = 366;

/** Refuses a span that runs backwards or is too long; an open one is the caller's page limit to bound. */
export function requireSpan({ from, to }: { from?: string; to?: string }): void {
  if (from === undefined || to === undefined) return;
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days < 0) invalid("开始时间不能晚于结束时间");
  if (days > MAX_SPAN_DAYS) {
    invalid(`时间范围最长 ${MAX_SPAN_DAYS} 天，请缩短后重试`);
  }
}
