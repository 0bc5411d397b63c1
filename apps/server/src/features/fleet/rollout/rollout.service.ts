// Operators' actions on roll-outs: create, pause, resume, cancel, retry, revert.

import type {
  NewRollout,
  RolloutDetail,
  RolloutPreview,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import {
  type RolloutState,
  rolloutKindText,
  rolloutStateText,
  stagePercentsProblem,
  stageSizes,
} from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { compareVersions } from "@cabinet/link";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { notifyConfigs } from "../../link/device/index.ts";
import { findStore } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { advanceSoon } from "./rollout.jobs.ts";
import { lockChanged, revertConfig } from "./rollout-delivery.sql.ts";
import { findRolloutDetail } from "./rollout-list.sql.ts";
import { drawOrder } from "./rollout-progress.rules.ts";
import * as progress from "./rollout-progress.sql.ts";
import type { RolloutKey } from "./rollout-scope.sql.ts";
import * as choice from "./rollout-select.sql.ts";

const what = "下发任务";

export async function getRollout(ctx: Ctx, id: number): Promise<RolloutDetail> {
  return (await findRolloutDetail(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what });
}

type PreviewQuery = Input<typeof rolloutContract.preview>["query"];

export async function previewRollout(ctx: Ctx, query: PreviewQuery): Promise<RolloutPreview> {
  const cabinetIds = query.cabinetIds?.split(",").map(Number);
  return (await choose(ctx, { ...query, cabinetIds })).preview;
}

interface Choice {
  preview: RolloutPreview;
  tenantId: number;
  chosen: choice.Candidate[];
}

type RolloutRequest = Pick<
  NewRollout,
  "kind" | "firmwareId" | "tenantId" | "modelId" | "storeId" | "side" | "cabinetIds"
>;

/** Selected cabinets, those eligible, and the excluded ones by reason. */
async function choose(ctx: Ctx, request: RolloutRequest): Promise<Choice> {
  const { id: tenantId } = await requireTenant(ctx, request.tenantId);
  const firmware = await firmwareOf(ctx, request);
  if (request.storeId !== undefined) {
    const store = await findStore(ctx.db, ctx.session, request.storeId);
    if (store?.tenantId !== tenantId) refuse("NOT_FOUND", { what: "门店" });
  }
  if (request.cabinetIds) {
    const ids = request.cabinetIds;
    const visible = await choice.countCabinetsIn(ctx.db, ctx.session, tenantId, ids);
    if (visible < ids.length) refuse("NOT_FOUND", { what: "设备" });
  }
  const candidates = await choice.findCandidates(ctx.db, ctx.session, { ...request, tenantId });
  const left = { alreadyThere: 0, otherModel: 0, busy: 0, belowMinVersion: 0 };
  const chosen = candidates.filter((cabinet) => {
    const why = leftOut(cabinet, firmware);
    if (why) left[why]++;
    return !why;
  });
  const isNewer = ({ appVersion }: choice.Candidate) =>
    firmware !== null && appVersion !== null && compareVersions(appVersion, firmware.version) > 0;
  const preview = {
    count: chosen.length,
    online: chosen.filter((cabinet) => cabinet.isOnline).length,
    newer: chosen.filter(isNewer).length,
    ...left,
  };
  return { preview, tenantId, chosen };
}

function leftOut(cabinet: choice.Candidate, firmware: choice.ReleasedFirmware | null) {
  if (!cabinet.isOfModel) return "otherModel";
  if (cabinet.isBusy) return "busy";
  if (!firmware || cabinet.appVersion === null) return null;
  if (cabinet.appVersion === firmware.version) return "alreadyThere";
  return compareVersions(cabinet.appVersion, firmware.minVersion) < 0 ? "belowMinVersion" : null;
}

async function firmwareOf(
  ctx: Ctx,
  { kind, firmwareId }: RolloutRequest,
): Promise<choice.ReleasedFirmware | null> {
  if (kind === "CONFIG") return null;
  if (firmwareId === undefined) refuse("ROLLOUT_FIRMWARE_MISSING");
  return (
    (await choice.findReleased(ctx.db, firmwareId)) ?? refuse("NOT_FOUND", { what: "已发布的固件" })
  );
}

export async function createRollout(
  ctx: Ctx,
  given: NewRollout,
): Promise<{ id: number; count: number }> {
  const { config, ...rest } = given;
  const isConfig = given.kind === "CONFIG";
  if (isConfig && (!config || Object.keys(config).length === 0)) {
    refuse("CONFIG_EMPTY");
  }
  const problem = stagePercentsProblem(given.stagePercents);
  if (problem) invalid(problem);
  const { tenantId, chosen } = await choose(ctx, given);
  if (chosen.length === 0) refuse("ROLLOUT_EMPTY");
  const { firmwareId, ...plain } = rest;
  const rollout = isConfig
    ? { ...plain, ...(config && { config }) }
    : { ...plain, ...(firmwareId !== undefined && { firmwareId }) };
  const key = await choice.insertRollout(ctx.db, tenantId, rollout, ctx.session);
  const sizes = stageSizes(chosen.length, given.stagePercents);
  const stageOf = sizes.flatMap((size, stage) => Array<number>(size).fill(stage));
  const targets = drawOrder(chosen, key.id).map(({ id, appVersion }, place) => ({
    cabinetId: id,
    stage: stageOf[place] ?? 0,
    fromVersion: appVersion,
  }));
  const count = await choice.insertTargets(ctx.db, key, given.kind, targets);
  if (count === 0) refuse("ROLLOUT_EMPTY");
  await note(ctx, key, "CREATED", `${rolloutKindText[given.kind]}，共 ${count} 台设备`);
  ctx.audit({ tenantId, target: `${what} ${given.name.trim()}`, after: { ...given, count } });
  await setGoing(ctx, key);
  return { id: key.id, count };
}

export async function pauseRollout(ctx: Ctx, id: number, reason: string): Promise<null> {
  const rollout = await lock(ctx, id);
  expect(rollout, "暂停", rollout.state === "RUNNING" || rollout.state === "SCHEDULED");
  await progress.updateRolloutState(ctx.db, rollout, "PAUSED", reason);
  await done(ctx, rollout, { kind: "PAUSED", to: "PAUSED", reason });
  return null;
}

/** Resuming after a stop acknowledges the failures so far: they do not stop the roll-out again. */
export async function resumeRollout(ctx: Ctx, id: number, reason: string): Promise<null> {
  const rollout = await lock(ctx, id);
  expect(rollout, "继续", rollout.state === "PAUSED" || rollout.state === "STOPPED");
  if (!rollout.isReleased) refuse("FIRMWARE_WITHDRAWN");
  const excused = rollout.state === "STOPPED" ? await progress.excuseFailures(ctx.db, rollout) : 0;
  const to = rollout.isDue ? "RUNNING" : "SCHEDULED";
  await progress.updateRolloutState(ctx.db, rollout, to);
  const result = excused > 0 ? `已确认 ${excused} 台失败，不再计入失败率` : undefined;
  await done(ctx, rollout, { kind: "RESUMED", to, reason, result });
  return null;
}

/** Waiting cabinets are cancelled; jobs already sent cannot be recalled and are tracked to their end. */
export async function cancelRollout(ctx: Ctx, id: number, reason: string): Promise<null> {
  const rollout = await lock(ctx, id);
  const { state } = rollout;
  expect(rollout, "取消", state !== "FINISHED" && state !== "CANCELLED");
  const cancelled = await progress.cancelWaiting(ctx.db, rollout);
  await progress.updateRolloutState(ctx.db, rollout, "CANCELLED", reason);
  const result = `${cancelled} 台未下发`;
  await done(ctx, rollout, { kind: "CANCELLED", to: "CANCELLED", reason, result });
  return null;
}

export async function retryRollout(ctx: Ctx, id: number, reason: string): Promise<null> {
  const rollout = await lock(ctx, id);
  const { state } = rollout;
  expect(rollout, "重试", state === "RUNNING" || state === "STOPPED" || state === "FINISHED");
  if (!rollout.isReleased) refuse("FIRMWARE_WITHDRAWN");
  const retried = await progress.retryFailures(ctx.db, rollout);
  if (retried === 0) refuse("ROLLOUT_NOTHING", { why: "没有可以重试的失败设备" });
  await progress.updateRolloutState(ctx.db, rollout, "RUNNING");
  const result = `重试 ${retried} 台`;
  await done(ctx, rollout, { kind: "RETRIED", to: "RUNNING", reason, result });
  return null;
}

export async function revertRollout(ctx: Ctx, id: number, reason: string): Promise<null> {
  const rollout = await lock(ctx, id);
  const { kind, state, tenantId } = rollout;
  if (kind !== "CONFIG") refuse("ROLLOUT_NOTHING", { why: "只有下发参数的任务可以回退" });
  expect(rollout, "回退", state === "STOPPED" || state === "FINISHED" || state === "CANCELLED");
  const changed = await lockChanged(ctx.db, tenantId, id);
  if (changed.length === 0) refuse("ROLLOUT_NOTHING", { why: "没有可以回退的设备" });
  await progress.cancelWaiting(ctx.db, rollout);
  const reverted = await revertConfig(ctx.db, tenantId, id);
  const keys = reverted.map(({ cabinetId }) => ({ tenantId, cabinetId }));
  await notifyConfigs(ctx.db, keys);
  await Promise.all(keys.map((key) => pushLive(ctx.db, { topic: "cabinet", ...key })));
  await progress.updateRolloutState(ctx.db, rollout, "CANCELLED", `已回退：${reason}`);
  const result = `回退 ${changed.length} 台`;
  await done(ctx, rollout, { kind: "REVERTED", to: "CANCELLED", reason, result });
  return null;
}

async function lock(ctx: Ctx, id: number): Promise<progress.LockedRollout> {
  return (await progress.lockRolloutFor(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what });
}

function expect({ name, state }: progress.LockedRollout, action: string, isAllowed: boolean): void {
  if (isAllowed) return;
  refuse("STATE_NOT_ALLOWED", { what: `任务 ${name} `, state: rolloutStateText[state], action });
}

interface Action {
  kind: string;
  to: RolloutState;
  reason: string;
  /** Immediate result, shown with the reason. */
  result?: string | undefined;
}

async function done(ctx: Ctx, rollout: progress.LockedRollout, step: Action): Promise<void> {
  const { tenantId, name, state } = rollout;
  const { kind, to, reason, result } = step;
  await note(ctx, rollout, kind, result ? `${reason}（${result}）` : reason);
  const after = { state: to, result };
  ctx.audit({ tenantId, target: `${what} ${name}`, reason, before: { state }, after });
  await setGoing(ctx, rollout);
}

async function note(ctx: Ctx, key: RolloutKey, kind: string, text: string): Promise<void> {
  const { signature } = ctx.session;
  await progress.insertRolloutEvent(ctx.db, key, { kind, text, actorName: signature });
}

/** Queues the next step, which a worker takes at once, and publishes to the consoles. */
async function setGoing(ctx: Ctx, key: RolloutKey): Promise<void> {
  await advanceSoon(ctx.db, key);
  await pushLive(ctx.db, { topic: "rollout", tenantId: key.tenantId, cabinetId: null });
}
