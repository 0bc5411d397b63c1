// Operator actions on adverts: upload, edit, put on and take off, reorder, retry a download.
import type {
  Advert,
  AdvertDraft,
  AdvertFile,
  advertContract,
} from "@cabinet/contract/fleet/advert/advert.contract.ts";
import {
  advertStateText,
  minuteOfTime,
  type TargetKind,
  targetKindText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import type { Input, Reply, StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { notifyConfigs } from "../../link/device/index.ts";
import { insertFile, releaseFile, useFile } from "../../organization/file/index.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import * as repo from "./advert.sql.ts";
import { findCrowdedCabinet, refreshPlaylists, retryDownloads } from "./playlist.sql.ts";

export async function getAdvert(ctx: Ctx, id: number): Promise<Advert> {
  return (await repo.findAdvert(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what: "广告" });
}

export async function uploadAdvertFile(
  ctx: Ctx,
  { file, tenantId: requested }: Input<typeof advertContract.upload>["body"],
): Promise<AdvertFile> {
  const { id: tenantId } = await requireTenant(ctx, requested);
  const createdBy = ctx.session.operatorId;
  const id = await insertFile(ctx.db, { tenantId, createdBy, purpose: "ADVERT", file });
  const { kind, name, sizeBytes, width, height, durationMs, sha256 } = file;
  ctx.audit({ tenantId, target: `文件 ${name}`, after: { id, kind, sizeBytes, sha256 } });
  return { id, kind, name, sizeBytes, width, height, durationMs };
}

export async function getAdvertFile(ctx: Ctx, fileId: string): Promise<StoredFile> {
  const file = await repo.findAdvertFile(ctx.db, ctx.session, fileId);
  return file ?? refuse("NOT_FOUND", { what: "文件" });
}

/** Platform staff create adverts for any tenant, other accounts for their own. */
export async function createAdvert(
  ctx: Ctx,
  { tenantId: requested, ...draft }: AdvertDraft & { tenantId?: number },
): Promise<Reply<typeof advertContract.create>> {
  const { id: tenantId } = await requireTenant(ctx, requested);
  const values = await valuesOf(ctx, tenantId, draft);
  const id = await repo.insertAdvert(ctx.db, tenantId, ctx.session.operatorId, values);
  ctx.audit({ tenantId, target: nameOf(values), after: values });
  return { id };
}

export async function updateAdvert(ctx: Ctx, id: number, draft: AdvertDraft): Promise<null> {
  const advert = await lock(ctx, id);
  const before = await getAdvert(ctx, id);
  const values = await valuesOf(ctx, advert.tenantId, draft);
  await repo.updateAdvert(ctx.db, advert, values);
  if (values.fileId !== advert.fileId) {
    await releaseFile(ctx.db, advert.tenantId, advert.fileId);
  }
  const { downloads: _, ...was } = before;
  ctx.audit({ tenantId: advert.tenantId, target: nameOf(values), before: was, after: values });
  if (advert.state === "ON") await show(ctx, advert.tenantId);
  return null;
}

export async function putOn(ctx: Ctx, id: number): Promise<null> {
  const advert = await lock(ctx, id);
  requireState(advert, advert.state !== "ON", "上架");
  if (advert.isEnded) {
    refuse("ADVERT_OVER");
  }
  return changeState(ctx, advert, "ON");
}

export async function takeOff(ctx: Ctx, id: number): Promise<null> {
  const advert = await lock(ctx, id);
  requireState(advert, advert.state === "ON", "下架");
  return changeState(ctx, advert, "OFF");
}

async function changeState(ctx: Ctx, advert: repo.AdvertRow, to: "ON" | "OFF"): Promise<null> {
  const { tenantId, state } = advert;
  await repo.updateState(ctx.db, advert, to);
  ctx.audit({ tenantId, target: nameOf(advert), before: { state }, after: { state: to } });
  await show(ctx, tenantId);
  return null;
}

/** An advert that is on must be taken off first, because cabinets are showing it. */
export async function deleteAdvert(ctx: Ctx, id: number): Promise<null> {
  const advert = await lock(ctx, id);
  requireState(advert, advert.state !== "ON", "删除，请先下架");
  const { downloads: _, ...before } = await getAdvert(ctx, id);
  await repo.deleteAdvert(ctx.db, advert);
  await releaseFile(ctx.db, advert.tenantId, advert.fileId);
  ctx.audit({ tenantId: advert.tenantId, target: nameOf(advert), before });
  return null;
}

export async function moveAdvert(
  ctx: Ctx,
  id: number,
  step: "up" | "down",
): Promise<{ isMoved: boolean }> {
  const advert = await lock(ctx, id);
  requireAllStores(ctx, "播放顺序");
  const isMoved = await repo.swapAdvert(ctx.db, advert, step);
  ctx.audit({ tenantId: advert.tenantId, target: nameOf(advert), after: { step, isMoved } });
  if (isMoved) await show(ctx, advert.tenantId);
  return { isMoved };
}

export async function retryAdvert(ctx: Ctx, id: number): Promise<{ cabinets: number }> {
  const advert = await lock(ctx, id);
  const { tenantId } = advert;
  const cabinets = await retryDownloads(ctx.db, tenantId, id);
  ctx.audit({ tenantId, target: nameOf(advert), after: { retried: cabinets.length } });
  await notifyConfigs(ctx.db, cabinets);
  return { cabinets: cabinets.length };
}

/** Recalculates the playlists of all cabinets of the tenant, and notifies the changed ones. */
async function show(ctx: Ctx, tenantId: number): Promise<void> {
  const crowded = await findCrowdedCabinet(ctx.db, tenantId);
  if (crowded) refuse("ADVERT_TOO_MANY", { cabinet: crowded.name, count: crowded.count });
  await notifyConfigs(ctx.db, await refreshPlaylists(ctx.db, tenantId));
}

/** A store-bound account changes only adverts whose targets are all within its own stores. */
async function lock(ctx: Ctx, id: number): Promise<repo.AdvertRow> {
  const advert = await repo.lockAdvert(ctx.db, ctx.session, id);
  if (!advert) refuse("NOT_FOUND", { what: "广告" });
  if (ctx.session.isStoreBound) {
    const { tenantId, targetKind, targetIds } = advert;
    if (!isOfPlaces(targetKind)) requireAllStores(ctx, nameOf(advert));
    const seen = await repo.countTargets(ctx.db, ctx.session, tenantId, targetKind, targetIds);
    if (seen < targetIds.length) requireAllStores(ctx, nameOf(advert));
  }
  return advert;
}

const isOfPlaces = (kind: TargetKind) => kind === "STORE" || kind === "CABINET";

function requireState(advert: repo.AdvertRow, isAllowed: boolean, action: string): void {
  if (isAllowed) return;
  const state = advertStateText[advert.state];
  refuse("STATE_NOT_ALLOWED", { what: nameOf(advert), state, action });
}

const nameOf = ({ title }: { title: string }) => `广告“${title}”`;

/** Checks what the schema cannot express, and drops fields that the target kind does not use. */
async function valuesOf(
  ctx: Ctx,
  tenantId: number,
  draft: AdvertDraft,
): Promise<repo.AdvertValues> {
  const { title, fromTime, untilTime, targetKind, targetSide, fromDate, untilDate } = draft;
  if (fromDate && untilDate && untilDate < fromDate) refuse("ADVERT_DAYS_REVERSED");
  if ((fromTime === null) !== (untilTime === null)) {
    refuse("ADVERT_HOURS_INCOMPLETE");
  }
  if (fromTime !== null && fromTime === untilTime) refuse("ADVERT_HOURS_EMPTY");
  if (targetKind === "SIDE" && targetSide === null) refuse("ADVERT_SIDE_MISSING");
  if (!isOfPlaces(targetKind)) requireAllStores(ctx, `投放到${targetKindText[targetKind]}的广告`);
  const isOfMany = targetKind !== "ALL" && targetKind !== "SIDE";
  const targetIds = isOfMany ? draft.targetIds : [];
  if (isOfMany && targetIds.length === 0)
    refuse("ADVERT_TARGET_MISSING", { kind: targetKindText[targetKind] });
  const found = await repo.countTargets(ctx.db, ctx.session, tenantId, targetKind, targetIds);
  if (found < targetIds.length) refuse("NOT_FOUND", { what: "所选的投放对象" });
  const file = await useFile(ctx.db, tenantId, draft.fileId, "ADVERT");
  if (!file) refuse("NOT_FOUND", { what: "图片或视频" });
  return {
    ...draft,
    title: title.trim(),
    fromMinute: fromTime === null ? null : minuteOfTime(fromTime),
    untilMinute: untilTime === null ? null : minuteOfTime(untilTime),
    targetIds,
    targetSide: targetKind === "SIDE" ? targetSide : null,
  };
}
