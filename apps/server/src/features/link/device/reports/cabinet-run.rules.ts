// Judges whether births under one identity can come from one cabinet: a copied storage card makes two of them.

/** One start of a cabinet, by its newest birth and heartbeat. */
export interface CabinetRun {
  bootNo: number;
  /** Number of the newest birth. */
  n: number;
  mono: number;
  /** When the newest of the two arrived: Unix milliseconds by the database's clock. */
  atMs: number;
  /** False if the run may be that of another cabinet than the one before: its birth proves nothing about earlier commands. */
  isTrusted: boolean;
  /** Boot number of the run before this one. */
  replaced: number | null;
  /** Evidence of two cabinets, and when the last of it arrived. */
  score: number;
  scoredMs: number;
}

type Birth = Pick<CabinetRun, "bootNo" | "n" | "mono" | "atMs">;

/** Longest way of a report, beyond that of a birth. */
const WAY_MS = 15_000;
/** Longest way of a birth over a poor network, and what it may differ between two births. */
const LONGEST_WAY_MS = 150_000;
/** Part by which the clocks of cabinet and database may drift apart. */
const DRIFT = 0.001;
/** Within one start, a birth with an older number: one or two may have been overtaken on their way. */
const REPEATED = 1;
const ENOUGH = 3;
/** Evidence counts as long as the next follows within this time. */
const FORGOTTEN_MS = 10 * 60_000;

/** `birth`: the first one over a new connection. `isShared`: it shows once more that two cabinets share the identity. */
export function judgeBirth(
  run: CabinetRun | null,
  birth: Birth,
): { run: CabinetRun; isShared: boolean } {
  if (run === null) {
    const unknown = { isTrusted: true, replaced: null, score: 0, scoredMs: 0 };
    return { run: { ...birth, ...unknown }, isShared: false };
  }
  const isSameStart = birth.bootNo === run.bootNo;
  // A reconnect, however poor the network is: numbers and clock of one start only rise.
  if (isSameStart && birth.n > run.n && birth.mono > run.mono) {
    const isTrusted = run.isTrusted && hasSameBeginning(run, birth);
    return { run: { ...run, ...birth, isTrusted }, isShared: false };
  }
  // The new start had already been running when the run before it was heard last.
  const isOverlapping = birth.atMs - birth.mono + WAY_MS < run.atMs;
  const isReboot = birth.bootNo > run.bootNo && !isOverlapping;
  const before = birth.atMs - run.scoredMs > FORGOTTEN_MS ? 0 : run.score;
  const evidence = isOverlapping ? evidenceOf(run, birth) : 0;
  const score = Math.min(before + evidence, ENOUGH);
  return {
    run: {
      ...birth,
      isTrusted: isReboot,
      replaced: isSameStart ? run.replaced : run.bootNo,
      score,
      scoredMs: evidence > 0 ? birth.atMs : run.scoredMs,
    },
    isShared: evidence > 0 && score === ENOUGH,
  };
}

/** False for a copy with the same boot number that was switched on at another time, or if a clock was set. */
function hasSameBeginning(run: CabinetRun, birth: Birth): boolean {
  const apart = Math.abs(birth.atMs - birth.mono - (run.atMs - run.mono));
  return apart <= LONGEST_WAY_MS + DRIFT * Math.abs(birth.atMs - run.atMs);
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
