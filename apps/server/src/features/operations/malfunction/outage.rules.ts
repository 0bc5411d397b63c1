// Decides when absent cabinets are an outage of their store, and when that outage ends.

/**
 * Grace period before an offline cabinet is a malfunction: most restarts and short gaps end sooner.
 */
export const NOTIFY_AFTER_SECONDS = 60;
/** Cabinets last seen within this span went silent together: two heartbeat intervals. */
const TOGETHER_MS = 60_000;
/** Once the line is back, a cabinet still offline after this time has a malfunction of its own. */
const REST_AFTER_MS = 5 * 60_000;

export interface StoreCabinet {
  cabinetId: number;
  /** Unix time in ms of the last report, if offline; null while online. */
  lastSeenMs: number | null;
}

/**
 * Cabinets of a store outage; empty if there is none. At least two, and at least half of those
 * still connected, went silent together; cabinets that went silent later belong to it as well.
 */
export function findOutage(cabinets: readonly StoreCabinet[]): number[] {
  const gone = cabinets
    .flatMap(({ cabinetId, lastSeenMs }) =>
      lastSeenMs === null ? [] : [{ cabinetId, lastSeenMs }],
    )
    .sort((a, b) => a.lastSeenMs - b.lastSeenMs);
  const online = cabinets.length - gone.length;
  let end = 0;
  for (const [start, first] of gone.entries()) {
    while (end < gone.length && (gone[end]?.lastSeenMs ?? 0) - first.lastSeenMs <= TOGETHER_MS)
      end++;
    const together = end - start;
    const connected = online + gone.length - start;
    if (together >= 2 && together * 2 >= connected) {
      return gone.slice(start).map(({ cabinetId }) => cabinetId);
    }
  }
  return [];
}

export interface OutageCount {
  total: number;
  back: number;
}

export type OutageStep =
  | { do: "WAIT"; lineBackMs: number | null }
  /** All cabinets are back. */
  | { do: "END" }
  /** The line is back but some cabinets are not: each becomes a malfunction of its own. */
  | { do: "SPLIT" };

/** Next step of an outage; `lineBackMs` is when half of its cabinets were back. */
export function judgeOutage(
  { total, back }: OutageCount,
  lineBackMs: number | null,
  nowMs: number,
): OutageStep {
  if (back >= total) return { do: "END" };
  if (back * 2 < total) return { do: "WAIT", lineBackMs: null };
  const since = lineBackMs ?? nowMs;
  return nowMs - since >= REST_AFTER_MS ? { do: "SPLIT" } : { do: "WAIT", lineBackMs: since };
}

/** Description of the malfunction of a whole store. */
export function outageText({ total, back }: OutageCount): string {
  return back === 0
    ? `门店断网或断电：${total} 台设备同时离线`
    : `门店断网或断电：${total} 台设备离线，已恢复 ${back}/${total} 台`;
}

export const absenceText = "设备离线";
export const restText = "门店网络恢复后仍未上线";
