// Display texts of a statement.
import type { Statement } from "@cabinet/contract/money/statement/statement.contract.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";

/** `2026 年 10 月` */
export function monthText(month: string): string {
  const [year, no] = month.split("-");
  return `${year} 年 ${Number(no)} 月`;
}

/** The company, or the part of it that the statement is about. */
export function subjectOf({ opening, storeName, side }: Statement): string {
  const parts = [storeName, side && `${sideText[side]}设备`].filter(Boolean);
  if (parts.length > 0) return parts.join(" · ");
  return opening ? "整个公司" : "可查看的门店";
}

/** `2026-10-01 至 2026-10-31`, and that a month has not ended. */
export function periodOf({ from, to, isUnfinished, at }: Statement): string {
  const period = `${from} 至 ${to}`;
  return isUnfinished ? `${period}，本月未结束，截至 ${formatDateTime(at)}` : period;
}
