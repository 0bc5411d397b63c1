// Ranges of a report's numbers relative to what is known of its cabinet; @cabinet/link knows the fixed ranges.

/** A counter further from the known one has lost its memory, or the report is wrong. */
const FAR = 1_000_000;
/** Above this a cabinet's command number leaves too little room for later ones below the limit of 2^53 − 1. */
const MAX_SEQ = 2 ** 52;
/** Our own number is above this only if an earlier release took over such a number. */
const MAX_OWN_SEQ = MAX_SEQ * 1.5;
const DAY_MS = 86_400_000;
/** Longest time for which a cabinet without a network keeps the events that it sends later. */
const MAX_EVENT_AGE_MS = 30 * DAY_MS;

/** Known numbers of a cabinet's reports; `bootNo` is its own number plus `bootBase`. */
export interface KnownReports {
  bootBase: number;
  bootNo: number | null;
  lastN: number | null;
}

/** The counter of a report that cannot follow the known reports; null: none. An earlier start follows at any number. */
export function brokenCounter(
  report: { bootNo: number; n: number },
  known: KnownReports,
): "bootNo" | "n" | null {
  const boots = report.bootNo - ((known.bootNo ?? known.bootBase) - known.bootBase);
  if (Math.abs(boots) > FAR) return "bootNo";
  if (boots < 0) return null;
  const lastN = boots === 0 ? (known.lastN ?? 0) : 0;
  return Math.abs(report.n - lastN) > FAR ? "n" : null;
}

/**
 * Known numbers once a birth begins a new count: its start follows the last known one, whatever its number, so that
 * all earlier reports are older.
 */
export function countedAnew(
  birth: { bootNo: number; n: number; part: number },
  { bootNo }: KnownReports,
): KnownReports {
  const next = (bootNo ?? 0) + 1;
  return { bootBase: next - birth.bootNo, bootNo: next, lastN: birth.n - birth.part };
}

/** True for a heartbeat that is not late: the newer one that is known was wrong. */
export function isMonoReset(mono: number, known: number): boolean {
  return known - mono > FAR;
}

export interface CommandNumbers {
  commandSeq: number;
  acknowledgedSeq: number;
}

/**
 * Command numbers after a birth. A cabinet executes only numbers above its own, so that ours rise with it, also from
 * far behind; at a number that leaves no room, ours go on.
 */
export function numbersAfterBirth(
  lastSeq: number,
  { commandSeq, acknowledgedSeq }: CommandNumbers,
): CommandNumbers & { isMemoryLost: boolean; isFarAhead: boolean } {
  const own = commandSeq > MAX_OWN_SEQ ? MAX_SEQ : commandSeq;
  const isFarAhead = lastSeq - own > FAR;
  return {
    commandSeq: lastSeq > MAX_SEQ && isFarAhead ? own + 1 : Math.max(own, lastSeq),
    acknowledgedSeq: isFarAhead
      ? Math.min(own, acknowledgedSeq)
      : Math.max(Math.min(own, acknowledgedSeq), lastSeq),
    isMemoryLost: isFarAhead || lastSeq < acknowledgedSeq,
    isFarAhead,
  };
}

/** The device time to store; undefined for one that is not the time of an event. */
export function plausibleTime(at: number | undefined, now: number): number | undefined {
  if (at === undefined) return undefined;
  return at <= now + DAY_MS && at >= now - MAX_EVENT_AGE_MS ? at : undefined;
}
