// Creates and changes cabinet models; cabinets of a model in use follow its layout unless goods
// block it.
import type {
  CabinetModelDetail,
  CabinetModelDraft,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { thresholdProblem } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import {
  changeOf,
  isEmptyChange,
  layoutProblems,
} from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import {
  applyLayout,
  deleteModel,
  insertModel,
  notifyConfig,
  raiseConfigVersions,
  updateModel,
} from "../../link/device/index.ts";
import { lockForRemoval, obstaclesText } from "../compartment/index.ts";
import * as repo from "./cabinet-model.sql.ts";

type Change = Input<typeof cabinetModelContract.update>["body"];

export async function getCabinetModel(ctx: Ctx, id: number): Promise<CabinetModelDetail> {
  const model = await repo.findCabinetModel(ctx.db, ctx.session, id);
  return model ?? refuse("NOT_FOUND", { what: "设备型号" });
}

export async function createCabinetModel(
  ctx: Ctx,
  body: CabinetModelDraft,
): Promise<{ id: number }> {
  const draft = checkDraft(body);
  const made = await insertModel(ctx.db, draft);
  if (!made) refuse("MODEL_NAME_TAKEN", { name: draft.name });
  ctx.audit({ target: `设备型号 ${draft.name}`, after: draft });
  return made;
}

export async function updateCabinetModel(
  ctx: Ctx,
  id: number,
  { version, reason, ...body }: Change,
): Promise<Reply<typeof cabinetModelContract.update>> {
  const { db } = ctx;
  const before = await lock(ctx, id);
  if (before.version !== version) refuse("CONFLICT", { what: "设备型号" });
  const draft = checkDraft(body);
  const { name, side } = draft;
  if (await repo.isNameTaken(db, name, id)) refuse("MODEL_NAME_TAKEN", { name });
  const count = before.cabinetCount;
  if (side !== before.side && count > 0) refuse("MODEL_SIDE_IN_USE", { count });
  const isLayoutKept = isEmptyChange(changeOf(before.layout.cells, draft.layout.cells));
  const cabinets = isLayoutKept ? [] : await repo.lockCabinetsOfModel(db, id);
  if (cabinets.length > 0 && !reason) refuse("REASON_REQUIRED");
  await updateModel(db, id, draft);
  const changed = cabinets.length > 0 ? await moveCompartments(ctx, id, draft) : [];
  if (draft.heartbeatSeconds !== before.heartbeatSeconds) {
    const raised = await raiseConfigVersions(db, id);
    await Promise.all(raised.map((cabinet) => notifyConfig(db, cabinet)));
  }
  ctx.audit({
    target: `设备型号 ${before.name}`,
    ...(reason && { reason }),
    before: draftOf(before),
    after: { ...draft, changedCabinets: changed.length },
  });
  return { changedCabinets: changed.length };
}

/**
 * Applies the layout; refused when it would remove a compartment with goods or an opening in
 * flight.
 */
async function moveCompartments({ db }: Ctx, id: number, { layout }: CabinetModelDraft) {
  const obstacles = await lockForRemoval(
    db,
    id,
    layout.cells.map((cell) => cell.no),
  );
  if (obstacles.length > 0) {
    refuse("MODEL_COMPARTMENTS_IN_USE", { where: obstaclesText(obstacles) });
  }
  const changed = await applyLayout(db, id);
  await Promise.all(changed.map((cabinet) => pushLive(db, { ...cabinet, topic: "cabinet" })));
  return changed;
}

export async function deleteCabinetModel(ctx: Ctx, id: number): Promise<null> {
  const model = await lock(ctx, id);
  const { name, cabinetCount: count } = model;
  if (count > 0) refuse("MODEL_IN_USE", { name, count });
  await deleteModel(ctx.db, id);
  ctx.audit({ target: `设备型号 ${name}`, before: draftOf(model) });
  return null;
}

async function lock(ctx: Ctx, id: number): Promise<CabinetModelDetail> {
  if (!(await repo.lockCabinetModel(ctx.db, id))) refuse("NOT_FOUND", { what: "设备型号" });
  return getCabinetModel(ctx, id);
}

/** Checks what the schema cannot express, with the same rules as the console. */
function checkDraft(draft: CabinetModelDraft): CabinetModelDraft {
  const problem =
    thresholdProblem(draft.heartbeatSeconds, draft.offlineSeconds) ??
    layoutProblems(draft.layout)[0]?.text;
  if (problem) invalid(problem);
  const cells = draft.layout.cells.toSorted((one, other) => one.no - other.no);
  return {
    ...draft,
    name: draft.name.trim(),
    vendor: draft.vendor.trim(),
    remark: draft.remark.trim(),
    layout: { ...draft.layout, cells },
  };
}

function draftOf(model: CabinetModelDetail): CabinetModelDraft {
  const { name, side, vendor, capabilities, heartbeatSeconds, offlineSeconds, remark, layout } =
    model;
  return {
    name,
    side,
    vendor,
    capabilities,
    heartbeatSeconds,
    offlineSeconds,
    remark,
    layout,
  };
}
