// Display formats: money in yuan, time in Asia/Shanghai.
import { moneyText } from "@cabinet/contract/kit/money.rules.ts";
import { groupedText } from "@cabinet/contract/kit/number.rules.ts";
import { shanghaiClock } from "@cabinet/contract/kit/shanghai.rules.ts";

const NONE = "—";

function shanghai(time: string | number | null | undefined): string | null {
  if (time === null || time === undefined || time === "") return null;
  const ms = typeof time === "number" ? time : Date.parse(time);
  return Number.isFinite(ms) ? shanghaiClock(ms) : null;
}

/** Formats as `2026-11-21 12:30:05`. */
export function formatDateTime(time: string | number | null | undefined): string {
  return shanghai(time)?.slice(0, 19).replace("T", " ") ?? NONE;
}

/** Formats as `12:30:05`. */
export function formatTime(time: string | number | null | undefined): string {
  return shanghai(time)?.slice(11, 19) ?? NONE;
}

/** Formats as `12:30` on the day of `now`, else as `11-21 12:30`, of another year with the year. */
export function formatNear(time: string | number, now: number): string {
  const at = formatDateTime(time);
  const [day, year] = [formatDateTime(now).slice(0, 10), formatDateTime(now).slice(0, 4)];
  if (at.startsWith(day)) return at.slice(11, 16);
  return at.slice(at.startsWith(year) ? 5 : 0, 16);
}

/** Formats as `3 分钟前`; `now` in milliseconds, `time` in milliseconds or ISO 8601. */
export function formatAge(time: string | number | null | undefined, now: number): string {
  if (time === null || time === undefined) return NONE;
  const ms = typeof time === "number" ? time : Date.parse(time);
  const seconds = Math.max(0, Math.floor((now - ms) / 1_000));
  if (seconds < 60) return seconds < 5 ? "刚刚" : `${seconds} 秒前`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} 分钟前`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} 小时前`;
  return `${Math.floor(seconds / 86_400)} 天前`;
}

/** Formats fen as `¥1,234.50`, `-¥3.00`. */
export function formatMoney(fen: number | null | undefined): string {
  if (fen === null || fen === undefined) return NONE;
  return moneyText(fen);
}

/** Formats as `+¥1,234.50`, `-¥3.00`; `—` for 0. */
export function formatMoneyChange(fen: number): string {
  if (fen === 0) return NONE;
  return `${fen > 0 ? "+" : ""}${formatMoney(fen)}`;
}

/** Formats as `12,345`. */
export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : groupedText(value);
}

/** Formats `0.1234` as `12.3%`. */
export function formatShare(share: number | null | undefined): string {
  return share === null || share === undefined ? NONE : `${(share * 100).toFixed(1)}%`;
}
