// Converts Shanghai time to UTC; Shanghai has been UTC+8 without daylight saving time since 1991.

/** Converts `2026-11-21T08:00:00` in Shanghai to ISO 8601 in UTC. */
export function shanghaiToIso(clock: string): string {
  return new Date(`${clock}+08:00`).toISOString();
}
