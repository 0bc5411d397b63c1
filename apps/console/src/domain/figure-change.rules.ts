// Compares a figure with the previous period: text of the change and whether it is good.
import { changeOf } from "@cabinet/contract/operations/statistics/statistics.rules.ts";

export interface FigureChange {
  note: string;
  tone: "good" | "bad" | "even";
}

export interface FigureKind {
  /** A share changes in percentage points; every other figure in percent of its former value. */
  isShare?: true;
  /** An increase is bad. */
  isBurden?: true;
}

/** Smaller changes would be displayed as 0.0%. */
const SMALLEST = 0.0005;

/** A `null` figure means that there is nothing to compare. */
export function figureChange(
  now: number | null,
  before: number | null,
  { isShare, isBurden }: FigureKind = {},
): FigureChange {
  const change = isShare ? pointsOf(now, before) : changeOf(now, before);
  if (change === null) return { note: "上期无数据", tone: "even" };
  if (Math.abs(change) < SMALLEST) return { note: "持平", tone: "even" };
  const isMore = change > 0;
  const size = `${Math.abs(change * 100).toFixed(1)}${isShare ? " 个百分点" : "%"}`;
  return {
    note: `${isMore ? "↑" : "↓"} ${size}`,
    tone: isMore === (isBurden ?? false) ? "bad" : "good",
  };
}

function pointsOf(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before;
}
