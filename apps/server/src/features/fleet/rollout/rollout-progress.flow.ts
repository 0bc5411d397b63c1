// Drives a roll-out's lifecycle from jobs and reports: start, advance, automatic stop, offering jobs.
import type { Db } from "../../../platform/db/db.ts";
import { notify } from "../../../platform/db/notify.ts";
import { pushLive } from "../../../platform/http/live.ts";
import type { CabinetKey } from "../../link/device/index.ts";
import { findStageRows } from "./rollout-list.sql.ts";
import { decideStep, type StageCounts } from "./rollout-progress.rules.ts";
import {
  cancelRetired,
  cancelWaiting,
  findOfferable,
  insertRolloutEvent,
  type LockedRollout,
  lockRollout,
  settleSilent,
  updateReached,
  updateRolloutState,
  updateStage,
} from "./rollout-progress.sql.ts";
import type { RolloutKey } from "./rollout-scope.sql.ts";

const MINUTE_MS = 60_000;

/**
 * Does whatever is due for one roll-out, in the caller's transaction. The row lock serializes workers: the
 * second one sees the effects of the first.
 */
export async function advanceRollout(db: Db, key: RolloutKey): Promise<void> {
  const rollout = await lockRollout(db, key);
  if (!rollout) return;
  const settled = await settleSilent(db, rollout);
  let hasChanged = settled > 0;
  if (rollout.state === "SCHEDULED" && rollout.isDue) {
    await begin(db, rollout);
    hasChanged = true;
  }
  // Targets that fall back to WAITING after the roll-out was cancelled are cancelled too.
  if (rollout.state === "CANCELLED" && (await cancelWaiting(db, rollout)) > 0) hasChanged = true;
  if (rollout.state === "RUNNING" && (await cancelRetired(db, rollout)) > 0) hasChanged = true;
  while (rollout.state === "RUNNING" && (await takeStep(db, rollout))) hasChanged = true;
  if (isRunning(rollout)) await offer(db, rollout);
  if (hasChanged) await pushLive(db, { topic: "rollout", tenantId: key.tenantId, cabinetId: null });
}

function isRunning({ state }: LockedRollout): boolean {
  return state === "RUNNING";
}

async function begin(db: Db, rollout: LockedRollout): Promise<void> {
  rollout.state = "RUNNING";
  await updateRolloutState(db, rollout, "RUNNING");
  await insertRolloutEvent(db, rollout, { kind: "STARTED", stage: rollout.stage });
}

/** Takes one step of the rules and updates `rollout` in memory; false when there is none. */
async function takeStep(db: Db, rollout: LockedRollout): Promise<boolean> {
  const counted = await findStageRows(db, rollout);
  const stages = rollout.stagePercents.map((_, at): StageCounts => {
    const row = counted.find((each) => each.stage === at);
    return {
      waiting: row?.waiting ?? 0,
      waitingOffline: row?.waitingOffline ?? 0,
      inFlight: row?.inFlight ?? 0,
      succeeded: row?.succeeded ?? 0,
      failed: row?.failedCounted ?? 0,
    };
  });
  const step = decideStep({
    stage: rollout.stage,
    stages,
    advancePercent: rollout.advancePercent,
    stopPercent: rollout.stopPercent,
    dwellMs: rollout.dwellMinutes * MINUTE_MS,
    reachedForMs: rollout.reachedForMs,
  });
  switch (step.do) {
    case "STOP": {
      const { failed, executed } = step;
      const text = `第 ${rollout.stage + 1} 批：已执行 ${executed} 台，失败 ${failed} 台，超过停止阈值 ${rollout.stopPercent}%`;
      rollout.state = "STOPPED";
      await updateRolloutState(db, rollout, "STOPPED", text);
      await insertRolloutEvent(db, rollout, { kind: "STOPPED", stage: rollout.stage, text });
      return true;
    }
    case "FINISH":
      rollout.state = "FINISHED";
      await updateRolloutState(db, rollout, "FINISHED");
      await insertRolloutEvent(db, rollout, { kind: "FINISHED" });
      return true;
    case "ADVANCE":
      rollout.stage = step.to;
      rollout.reachedForMs = null;
      await updateStage(db, rollout, step.to);
      await insertRolloutEvent(db, rollout, { kind: "ADVANCED", stage: step.to });
      return true;
    case "REACHED":
      rollout.reachedForMs = 0;
      await updateReached(db, rollout, true);
      return true;
    case "NOT_REACHED":
      rollout.reachedForMs = null;
      await updateReached(db, rollout, false);
      return true;
    case "WAIT":
      return false;
  }
}

async function offer(db: Db, rollout: LockedRollout): Promise<void> {
  const { tenantId } = rollout;
  for (const { cabinetId } of await findOfferable(db, rollout)) {
    await notifyJob(db, { tenantId, cabinetId });
  }
}

/** Notifies the gateway that serves this cabinet to check for jobs. */
export function notifyJob(db: Db, { tenantId, cabinetId }: CabinetKey): Promise<void> {
  return notify(db, "job", { tenantId, cabinetId });
}
