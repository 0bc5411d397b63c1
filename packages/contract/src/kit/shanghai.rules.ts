// Times and days of Shanghai, which has been UTC+8 without daylight saving time since 1991.

export const SHANGHAI_MS = 8 * 3_600_000;

/** `2026-11-21T18:30:05.000` on Shanghai's clocks. */
export function shanghaiClock(ms: number): string {
  return new Date(ms + SHANGHAI_MS).toISOString().slice(0, -1);
}

/** `2026-11-21 18:30` */
export function shanghaiMinute(iso: string): string {
  return shanghaiClock(Date.parse(iso)).slice(0, 16).replace("T", " ");
}

/** `2026-11-21` */
export function shanghaiDay(ms: number): string {
  return shanghaiClock(ms).slice(0, 10);
}

/** Converts `2026-11-21T08:00:00` in Shanghai to ISO 8601 in UTC. */
export function shanghaiToIso(clock: string): string {
  return new Date(`${clock}+08:00`).toISOString();
}

/** Adds days to a calendar day (`2026-11-22`); negative numbers subtract. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
