// Ticks of a time bar, and formatting of durations.
import { SHANGHAI_MS } from "@cabinet/contract/kit/shanghai.rules.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ticks closer to an edge than this share have no space for their label. */
const EDGE = 0.03;

/** Every fourth full hour for up to a day, else midnights. `share`: position along the bar, 0–1. */
export function ticksOf(from: number, to: number): { at: number; share: number }[] {
  const step = to - from <= DAY_MS ? 4 * HOUR_MS : DAY_MS;
  const ticks: { at: number; share: number }[] = [];
  let at = Math.ceil((from + SHANGHAI_MS) / step) * step - SHANGHAI_MS;
  for (; at <= to; at += step) {
    const share = (at - from) / (to - from);
    if (share >= EDGE && share <= 1 - EDGE) ticks.push({ at, share });
  }
  return ticks;
}

/** Formats as `45 秒`, `12 分钟`, `3 小时 5 分钟` or `2 天 4 小时`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} 秒`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} 分钟`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 ? `${hours} 小时 ${minutes % 60} 分钟` : `${hours} 小时`;
  const days = Math.floor(hours / 24);
  return hours % 24 ? `${days} 天 ${hours % 24} 小时` : `${days} 天`;
}
