// Pure rules of a roll-out's lifecycle: stage membership, when it advances, when it stops automatically.

export interface StageCounts {
  waiting: number;
  /** Subset of `waiting` that is not connected now; excluded from the success share. */
  waitingOffline: number;
  inFlight: number;
  succeeded: number;
  /** Failures that nobody has acknowledged. */
  failed: number;
}

export interface RolloutState {
  /** 0-based. */
  stage: number;
  stages: readonly StageCounts[];
  advancePercent: number;
  stopPercent: number;
  dwellMs: number;
  /** Time since this stage reached its success share; null: not reached. */
  reachedForMs: number | null;
}

export type Step =
  | { do: "STOP"; failed: number; executed: number }
  | { do: "ADVANCE"; to: number }
  | { do: "FINISH" }
  /** The success share is reached: the dwell begins. */
  | { do: "REACHED" }
  /** The share was reached, and no longer is. */
  | { do: "NOT_REACHED" }
  | { do: "WAIT" };

/** Minimum sample size for the failure rate, unless fewer cabinets take part. */
const MIN_SAMPLE = 20;

/**
 * Failure rate over finished cabinets, with a base of at least twenty while few have finished: one failure
 * stops a first stage of up to nineteen (at 5 %), and not one of a thousand.
 */
export function isTooMany(
  { failed, executed, reached }: { failed: number; executed: number; reached: number },
  stopPercent: number,
): boolean {
  const base = Math.max(executed, Math.min(MIN_SAMPLE, reached));
  return failed > 0 && failed * 100 > stopPercent * base;
}

export function decideStep(state: RolloutState): Step {
  const { stage, stages, advancePercent, stopPercent } = state;
  const begun = stages.slice(0, stage + 1);
  const failed = sum(begun, (each) => each.failed);
  const executed = sum(begun, (each) => each.succeeded) + failed;
  const reached = executed + sum(begun, (each) => each.waiting + each.inFlight);
  if (isTooMany({ failed, executed, reached }, stopPercent)) {
    return { do: "STOP", failed, executed };
  }
  const next = stages.findIndex((each, at) => at > stage && sizeOf(each) > 0);
  if (next < 0) {
    const isOver = stages.every((each) => each.waiting + each.inFlight === 0);
    return isOver ? { do: "FINISH" } : { do: "WAIT" };
  }
  const isReached = hasSucceeded(stages[stage], advancePercent);
  if (state.reachedForMs === null) return isReached ? { do: "REACHED" } : { do: "WAIT" };
  if (!isReached) return { do: "NOT_REACHED" };
  return state.reachedForMs >= state.dwellMs ? { do: "ADVANCE", to: next } : { do: "WAIT" };
}

/** Offline cabinets are not waited for once one has succeeded or nobody else is left. */
function hasSucceeded(counts: StageCounts | undefined, advancePercent: number): boolean {
  if (!counts || sizeOf(counts) === 0) return true;
  const { succeeded, failed, inFlight } = counts;
  const expected = succeeded + failed + inFlight + counts.waiting - counts.waitingOffline;
  return succeeded > 0 && succeeded * 100 >= advancePercent * expected;
}

function sizeOf({ waiting, inFlight, succeeded, failed }: StageCounts): number {
  return waiting + inFlight + succeeded + failed;
}

function sum(stages: readonly StageCounts[], of: (stage: StageCounts) => number): number {
  return stages.reduce((total, stage) => total + of(stage), 0);
}

/**
 * Pseudo-random order, reproducible by the seed: stages are cut from it. Online cabinets come first, so that
 * a first stage of one does not wait for a cabinet that is switched off.
 */
export function drawOrder<Cabinet extends { id: number; isOnline: boolean }>(
  cabinets: readonly Cabinet[],
  seed: number,
): Cabinet[] {
  return cabinets.toSorted(
    (one, other) =>
      Number(other.isOnline) - Number(one.isOnline) ||
      draw(seed, one.id) - draw(seed, other.id) ||
      one.id - other.id,
  );
}

function draw(seed: number, id: number): number {
  let mixed = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(id, 0xc2b2ae35)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
