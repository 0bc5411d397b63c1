// Formats times in Shanghai time (UTC+8, no daylight saving).

const OFFSET_MS = 8 * 3_600_000;

/** `2026-11-21 18:30` */
export function shanghaiMinute(iso: string): string {
  const clock = new Date(Date.parse(iso) + OFFSET_MS).toISOString();
  return clock.slice(0, 16).replace("T", " ");
}
