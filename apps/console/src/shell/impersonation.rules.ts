// Formats the remaining time of an impersonation.

const MINUTE_MS = 60_000;
/** Below this, seconds are shown. */
const SHORT_MS = 5 * MINUTE_MS;

export function timeLeftText(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= SHORT_MS) return `${Math.ceil(left / MINUTE_MS)} 分钟`;
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
