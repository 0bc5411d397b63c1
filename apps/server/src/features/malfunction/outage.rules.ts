// When the absence of several cabinets is their store's, and when a store's outage is over.

/** Offline for so long before anybody is bothered: most restarts and short gaps end sooner. */
export const TELL_AFTER_SECONDS = 60;
/** Last words no further apart than this went silent together: two heartbeats' time. */
const TOGETHER_MS = 60_000;
/** The line is back: who does not follow within this time has a trouble of its own. */
const REST_AFTER_MS = 5 * 60_000;

export interface StoreCabinet {
  cabinetId: number;
  /** When it was last heard, in milliseconds, if it is offline; null while it is online. */
  lastSeenMs: number | null;
}

/**
 * The cabinets of a store's outage; empty when there is none. At least two, and at least half of
 * those that were connected, fell silent together; whoever followed them belongs to it as well.
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
  /** All are back. */
  | { do: "END" }
  /** The line is back and the rest are not: each of them is a malfunction of its own. */
  | { do: "SPLIT" };

/** What becomes of an outage now; `lineBackMs` is when half of its cabinets were back. */
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

/** What a malfunction of the whole store says. */
export function outageText({ total, back }: OutageCount): string {
  return back === 0
    ? `门店断网或断电：${total} 台设备同时离线`
    : `门店断网或断电：${total} 台设备离线，已恢复 ${back}/${total} 台`;
}

export const absenceText = "设备离线";
export const restText = "门店网络恢复后仍未上线";
