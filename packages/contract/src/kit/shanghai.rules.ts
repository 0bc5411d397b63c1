// Times as people read them: on the clock of Shanghai, which knows no summer time.

const OFFSET_MS = 8 * 3_600_000;

/** `2026-11-21 18:30` */
export function shanghaiMinute(iso: string): string {
  const clock = new Date(Date.parse(iso) + OFFSET_MS).toISOString();
  return clock.slice(0, 16).replace("T", " ");
}
