// Judges whether births under one identity can come from one cabinet: a copied storage card makes two of them.

/** One start of a cabinet, by its newest birth and heartbeat. */
export interface CabinetRun {
  bootNo: number;
  /** Number of the newest birth. */
  n: number;
  mono: number;
  /** When the newest of the two arrived: Unix milliseconds by the database's clock. */
  atMs: number;
  /** Absent in rows of earlier releases. */
  line?: CabinetLine;
  /** Boot number of the run before this one. */
  replaced: number | null;
  /** Evidence of two cabinets, and when the last of it arrived. */
  score: number;
  scoredMs: number;
}

/**
 * Starts and connections that are provably one cabinet's, since the last one that need not be. Its reports prove nothing
 * about commands that were sent, doors that opened and goods that were seen before it.
 */
export interface CabinetLine {
  /** Number of its first start, as the platform counts. */
  bootNo: number;
  epoch: number;
  /** Highest number of a command before it. */
  seq: number;
  atMs: number;
}

export const lineOf = (run: CabinetRun | null): CabinetLine =>
  run?.line ?? { bootNo: 0, epoch: 0, seq: 0, atMs: Number.NEGATIVE_INFINITY };

type Birth = Pick<CabinetRun, "bootNo" | "n" | "mono" | "atMs">;

/** Command numbers: the highest that was given, and the highest that the cabinet acknowledged. */
interface KnownCommands {
  commandSeq: number;
  acknowledgedSeq: number;
}

/** Longest way of a report, beyond that of a birth. */
const WAY_MS = 15_000;
/** Part by which the clocks of cabinet and database may drift apart. */
const DRIFT = 0.001;
/** Within one start, a birth with an older number: one or two may have been overtaken on their way. */
const REPEATED = 1;
const ENOUGH = 3;
/** Evidence counts as long as the next follows within this time. */
const FORGOTTEN_MS = 10 * 60_000;
/** After a break of the line, a higher boot number alone continues it no more. */
const SUSPECTED_MS = 24 * 3_600_000;

/**
 * `birth`: the first one over a new connection. `isShared`: it shows once more that two cabinets share the identity.
 * `isContinued`: it can only be that of the cabinet that was heard before.
 */
export function judgeBirth(
  stored: CabinetRun | null,
  { lastSeq, ...birth }: Birth & { lastSeq: number },
  known: KnownCommands,
): { run: CabinetRun; isShared: boolean; isContinued: boolean } {
  const run = stored && notAhead(stored, birth.atMs);
  if (run === null) {
    const unknown = { replaced: null, score: 0, scoredMs: 0 };
    return { run: { ...birth, ...unknown }, isShared: false, isContinued: true };
  }
  const isContinued = knowsNewest(run, lastSeq, known) || isNext(run, birth, lastSeq, known);
  const isSameStart = birth.bootNo === run.bootNo;
  // A reconnect, however poor the network is: numbers and clock of one start only rise.
  if (isSameStart && birth.n > run.n && birth.mono > run.mono) {
    return { run: { ...run, ...birth }, isShared: false, isContinued };
  }
  const isOverlapping = overlaps(run, birth);
  const before = birth.atMs - run.scoredMs > FORGOTTEN_MS ? 0 : run.score;
  const evidence = isOverlapping ? evidenceOf(run, birth) : 0;
  const score = Math.min(before + evidence, ENOUGH);
  return {
    run: {
      ...run,
      ...birth,
      replaced: isSameStart ? run.replaced : run.bootNo,
      score,
      scoredMs: evidence > 0 ? birth.atMs : run.scoredMs,
    },
    isShared: evidence > 0 && score === ENOUGH,
    isContinued,
  };
}

/** A clock that was ahead, and has been set back, leaves none of these times in the future (0119). */
function notAhead({ line, ...run }: CabinetRun, nowMs: number): CabinetRun {
  return {
    ...run,
    atMs: Math.min(run.atMs, nowMs),
    scoredMs: Math.min(run.scoredMs, nowMs),
    ...(line && { line: { ...line, atMs: Math.min(line.atMs, nowMs) } }),
  };
}

/** The new start had already been running when the run before it was heard last. */
const overlaps = (run: CabinetRun, birth: Birth) => birth.atMs - birth.mono + WAY_MS < run.atMs;

/** Nobody else got the newest command, unless the card was copied since. */
const knowsNewest = (run: CabinetRun, lastSeq: number, { commandSeq }: KnownCommands) =>
  lastSeq === commandSeq && commandSeq > lineOf(run).seq;

/** A reconnect, or the start after this one, of a cabinet that has forgotten no command that it acknowledged. */
function isNext(
  run: CabinetRun,
  birth: Birth,
  lastSeq: number,
  { acknowledgedSeq }: KnownCommands,
): boolean {
  if (lastSeq < acknowledgedSeq) return false;
  if (birth.bootNo > run.bootNo) {
    return !overlaps(run, birth) && birth.atMs - lineOf(run).atMs > SUSPECTED_MS;
  }
  const isLater = birth.bootNo === run.bootNo && birth.n > run.n && birth.mono > run.mono;
  return isLater && hasSameBeginning(run, birth);
}

/** False for a copy with the same boot number that was switched on at another time, or if a clock was set. */
function hasSameBeginning(run: CabinetRun, birth: Birth): boolean {
  const apart = Math.abs(birth.atMs - birth.mono - (run.atMs - run.mono));
  return apart <= WAY_MS + DRIFT * Math.abs(birth.atMs - run.atMs);
}

function evidenceOf(run: CabinetRun, { bootNo, n }: Birth): number {
  // A cabinet may forget its boot number, and its clock may run on over a restart: then it begins with number 1.
  if (bootNo === run.bootNo) return n === 1 ? 0 : REPEATED;
  // No cabinet returns to a start that it had left, and has been running all the while.
  return bootNo === run.replaced ? ENOUGH : 0;
}

/** The run after a later birth over the same connection, or a heartbeat. */
export function heardAgain(
  run: CabinetRun | null,
  { n, ...heard }: Omit<Birth, "n"> & { n?: number },
): CabinetRun | null {
  if (run?.bootNo !== heard.bootNo || heard.mono <= run.mono) return run;
  return { ...run, ...heard, n: Math.max(run.n, n ?? 0) };
}
