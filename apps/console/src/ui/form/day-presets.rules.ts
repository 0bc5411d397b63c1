// Ranges of days that a range picker offers, relative to today; weeks begin on Monday.
import { addDays } from "@cabinet/contract/kit/shanghai.rules.ts";

export interface DayPreset {
  label: string;
  /** `2026-11-21`, both inclusive. */
  from: string;
  to: string;
}

const firstOf = (day: string) => `${day.slice(0, 7)}-01`;

/** First and last day of the month before. */
export function lastMonth(today: string): { from: string; to: string } {
  const to = addDays(firstOf(today), -1);
  return { from: firstOf(to), to };
}

export function dayPresets(today: string): DayPreset[] {
  const since = (days: number) => ({ from: addDays(today, -days), to: today });
  const yesterday = addDays(today, -1);
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
  return [
    { label: "今天", ...since(0) },
    { label: "昨天", from: yesterday, to: yesterday },
    { label: "本周", from: monday, to: today },
    { label: "上周", from: addDays(monday, -7), to: addDays(monday, -1) },
    { label: "本月", from: firstOf(today), to: today },
    { label: "上月", ...lastMonth(today) },
    { label: "近 7 天", ...since(6) },
    { label: "近 30 天", ...since(29) },
  ];
}
