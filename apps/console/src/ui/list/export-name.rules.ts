// Name of a list's file: title, scope and period, so that two exports of one list have two names.
import { shanghaiClock } from "@cabinet/contract/kit/shanghai.rules.ts";

type Query = Readonly<Record<string, unknown>>;

/** `2026-10-01`, with the minute where it is not at the border of the day. */
function momentOf(value: unknown, border: string): string {
  const text = typeof value === "string" ? value : "";
  if (!text.includes("T")) return text;
  const [day = "", time = ""] = shanghaiClock(Date.parse(text)).split("T");
  return time.startsWith(border) ? day : `${day} ${time.slice(0, 5).replace(":", ".")}`;
}

/** `2026-10-01至2026-10-31`; empty without a period. */
function periodOf(query: Query): string {
  const from = momentOf(query.from ?? query.fromDay, "00:00:00");
  const to = momentOf(query.to ?? query.toDay, "23:59");
  if (from === to) return from;
  return to ? `${from}至${to}` : `${from}起`;
}

/** `交易记录-单面-2026-10-01至2026-10-31` */
export function exportName(title: string, query: Query, scope?: string): string {
  return [title, scope, periodOf(query)].filter(Boolean).join("-");
}
