// Shanghai's clock to UTC; it has kept UTC+8 without summer time since 1991.

/** `2026-11-21T08:00:00` on Shanghai's clock as ISO 8601 in UTC. */
export function shanghaiToIso(clock: string): string {
  return new Date(`${clock}+08:00`).toISOString();
}
