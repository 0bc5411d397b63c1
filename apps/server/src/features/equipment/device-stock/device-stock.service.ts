// Actions of platform staff on new devices: register, assign, recall, issue codes, scrap.
import type {
  DeviceStockEvent,
  deviceStockContract,
  IssuedCode,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  type StockEventKind,
  type StockState,
  stockStateText,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { lockCabinetTraces } from "../../fleet/cabinet/index.ts";
import {
  createCabinet,
  createCompartments,
  deleteCabinet,
  deleteUnusedSecrets,
} from "../../link/device/index.ts";
import { lockTenant } from "../../organization/tenant/index.ts";
import { makeActivationCode } from "./activation-code.crypto.ts";
import * as repo from "./device-stock.sql.ts";

type Body<Call extends keyof typeof deviceStockContract> = Input<
  (typeof deviceStockContract)[Call]
>["body"];

/** Digits of the serial number in the name of a new cabinet, after its model. */
const DIGITS_IN_NAME = 4;

export async function listEvents(ctx: Ctx, id: number): Promise<DeviceStockEvent[]> {
  const events = await repo.findStockEvents(ctx.db, id);
  return events.length > 0 ? events : refuse("NOT_FOUND", { what: "新设备" });
}

export async function addDevice(
  ctx: Ctx,
  { sn, modelId, batch = "", remark = "" }: Body<"add">,
): Promise<IssuedCode> {
  const { db, session } = ctx;
  const modelName = await findModelName(ctx, modelId);
  await lockFreeSnsOrRefuse(ctx, [sn]);
  const { activationCode, codeHash } = makeActivationCode(ctx.db.vault, sn);
  const device = { sn, modelId, batch: batch.trim(), remark: remark.trim(), codeHash };
  const importedBy = session.signature;
  const [inserted] = await repo.insertStock(db, [device], { importId: null, importedBy });
  if (!inserted) refuse("STOCK_SN_TAKEN", { sn, why: "已登记过" });
  ctx.audit({ target: `新设备 ${sn}`, after: { modelName, batch } });
  await note(ctx, [inserted], "IMPORTED", "逐台登记");
  const codeExpiresAt = await repo.findCodeExpiry(db);
  return { sn, modelName, batch: device.batch, activationCode, codeExpiresAt };
}

/** The model is fixed once a cabinet with that model's compartments exists. */
export async function changeDevice(ctx: Ctx, id: number, body: Body<"change">): Promise<null> {
  const [device] = await lockAll(ctx, [id]);
  const { sn, modelName, batch, remark } = device;
  const request = {
    modelId: body.modelId,
    batch: body.batch?.trim() ?? batch,
    remark: body.remark?.trim() ?? remark,
  };
  const requestedModel = await findModelName(ctx, request.modelId);
  if (request.modelId !== device.modelId) requireState([device], ["IN_STOCK"], "更换型号");
  await repo.updateDevice(ctx.db, id, request);
  ctx.audit({
    target: `新设备 ${sn}`,
    before: { modelName, batch, remark },
    after: { modelName: requestedModel, batch: request.batch, remark: request.remark },
  });
  const isOtherModel = requestedModel !== modelName;
  await note(
    ctx,
    [device],
    "CHANGED",
    isOtherModel ? `型号：${modelName} → ${requestedModel}` : "",
  );
  return null;
}

/** Each device becomes a cabinet of the tenant, INACTIVE until it first connects. */
export async function assignTenant(
  ctx: Ctx,
  { stockIds, tenantId }: Body<"assign">,
): Promise<{ changed: number }> {
  const { db } = ctx;
  const devices = await lockAll(ctx, stockIds);
  requireState(devices, ["IN_STOCK"], "分配");
  const tenant = (await lockTenant(db, tenantId)) ?? refuse("NOT_FOUND", { what: "租户" });
  await requireStockBelowLimit(ctx, tenant, devices.length);
  await requireNoCabinet(
    ctx,
    devices.map(({ sn }) => sn),
  );
  for (const { id, sn, modelId, modelName } of devices) {
    const name = `${modelName} ${sn.slice(-DIGITS_IN_NAME)}`;
    const cabinet = await createCabinet(db, { tenantId, sn, name, modelId });
    const key = { tenantId, cabinetId: cabinet.id };
    await createCompartments(db, key);
    await repo.updateAssignment(db, id, key);
    await pushLive(db, { ...key, topic: "cabinet" });
  }
  auditSet(ctx, devices, { after: { tenantId, tenantName: tenant.name } });
  await note(ctx, devices, "ASSIGNED", tenant.name);
  return { changed: devices.length };
}

/** Allowed only while the device is unused: its cabinet is deleted without a trace. */
export async function recallDevices(
  ctx: Ctx,
  { stockIds, reason }: Body<"recall">,
): Promise<{ changed: number }> {
  const { db } = ctx;
  const devices = await lockAll(ctx, stockIds);
  requireState(devices, ["ASSIGNED"], "收回");
  const cabinets = devices.flatMap(({ sn, tenantId, cabinetId }) =>
    tenantId === null || cabinetId === null ? [] : [{ sn, tenantId, cabinetId }],
  );
  for (const { sn, tenantId, cabinetId } of cabinets) {
    const traces = await lockCabinetTraces(db, tenantId, cabinetId);
    if (traces?.hasGoods) refuse("STOCK_HAS_HISTORY", { sn, what: "物品或预约" });
    if (traces && (traces.hasHistory || !traces.isInactive)) {
      refuse("STOCK_HAS_HISTORY", { sn, what: "使用记录" });
    }
  }
  await repo.updateWithdrawn(db, stockIds, "IN_STOCK");
  for (const { sn, tenantId, cabinetId } of cabinets) {
    const isGone = await deleteCabinet(db, tenantId, cabinetId);
    if (!isGone) refuse("STOCK_HAS_HISTORY", { sn, what: "关联的业务数据" });
    await pushLive(db, { tenantId, topic: "cabinet", cabinetId });
  }
  auditSet(ctx, devices, {
    reason,
    before: { tenants: [...new Set(devices.map(({ tenantName }) => tenantName))] },
  });
  await note(ctx, devices, "RECALLED", reason);
  return { changed: devices.length };
}

/** Issues new codes; a cabinet in service keeps its secret until it is activated again. */
export async function renewCodes(
  ctx: Ctx,
  { stockIds, reason }: Body<"renewCodes">,
): Promise<IssuedCode[]> {
  const { db } = ctx;
  const devices = await lockAll(ctx, stockIds);
  requireState(devices, ["IN_STOCK", "ASSIGNED", "ACTIVATED"], "重新生成激活码");
  const made = devices.map((device) => ({
    ...device,
    ...makeActivationCode(ctx.db.vault, device.sn),
  }));
  await repo.updateCodes(db, made);
  // Void secrets that were issued for the old code and have not connected yet.
  for (const { tenantId, cabinetId } of made) {
    if (tenantId !== null && cabinetId !== null) {
      await deleteUnusedSecrets(db, { tenantId, cabinetId });
    }
  }
  auditSet(ctx, devices, { reason });
  await note(ctx, devices, "CODE_RENEWED", reason);
  const codeExpiresAt = await repo.findCodeExpiry(db);
  return made.map(({ sn, modelName, batch, activationCode }) => {
    return { sn, modelName, batch, activationCode, codeExpiresAt };
  });
}

export async function scrapDevices(
  ctx: Ctx,
  { stockIds, reason }: Body<"scrap">,
): Promise<{ changed: number }> {
  const devices = await lockAll(ctx, stockIds);
  requireState(devices, ["IN_STOCK"], "报废");
  await repo.updateWithdrawn(ctx.db, stockIds, "SCRAPPED");
  auditSet(ctx, devices, { reason });
  await note(ctx, devices, "SCRAPPED", reason);
  return { changed: devices.length };
}

export async function removeDevice(ctx: Ctx, id: number, reason: string): Promise<null> {
  const [device] = await lockAll(ctx, [id]);
  requireState([device], ["IN_STOCK", "SCRAPPED"], "删除");
  await repo.deleteStock(ctx.db, id);
  const { sn, modelName, batch, state } = device;
  ctx.audit({ target: `新设备 ${sn}`, reason, before: { modelName, batch, state } });
  return null;
}

type NonEmpty<Item> = [Item, ...Item[]];

async function lockAll(ctx: Ctx, ids: number[]): Promise<NonEmpty<repo.StockRow>> {
  const [first, ...others] = await repo.lockStock(ctx.db, ids);
  if (!first || others.length + 1 < ids.length) refuse("NOT_FOUND", { what: "新设备" });
  return [first, ...others];
}

function requireState(devices: repo.StockRow[], allowed: StockState[], action: string): void {
  const wrong = devices.find(({ state }) => !allowed.includes(state));
  if (!wrong) return;
  const state = stockStateText[wrong.state];
  refuse("STATE_NOT_ALLOWED", { what: `设备 ${wrong.sn} `, state, action });
}

/** The tenant's row is locked, so that two assignments cannot together exceed its limit. */
async function requireStockBelowLimit(
  { db }: Ctx,
  { id, name, maxCabinets: max }: { id: number; name: string; maxCabinets: number | null },
  more: number,
): Promise<void> {
  if (max === null) return;
  const count = await repo.countCabinets(db, id);
  const room = Math.max(0, max - count);
  if (more > room) refuse("CABINET_LIMIT", { name, count, max, room });
}

async function findModelName({ db }: Ctx, modelId: number): Promise<string> {
  const model = (await repo.findModels(db)).find(({ id }) => id === modelId);
  return model?.name ?? refuse("NOT_FOUND", { what: "型号" });
}

async function lockFreeSnsOrRefuse(ctx: Ctx, sns: string[]): Promise<void> {
  const [stocked] = await repo.lockStockBySn(ctx.db, sns);
  if (stocked) {
    const why = `已登记过，状态为“${stockStateText[stocked.state]}”`;
    refuse("STOCK_SN_TAKEN", { sn: stocked.sn, why });
  }
  await requireNoCabinet(ctx, sns);
}

async function requireNoCabinet({ db }: Ctx, sns: string[]): Promise<void> {
  const [sn] = await repo.findCabinetNumbers(db, sns);
  if (sn) refuse("STOCK_SN_TAKEN", { sn, why: "已是在用的设备" });
}

function auditSet(
  ctx: Ctx,
  devices: repo.StockRow[],
  note: { reason?: string; before?: unknown; after?: unknown },
): void {
  ctx.audit({ target: `新设备 ${devices.map(({ sn }) => sn).join("、")}`, ...note });
}

async function note(
  { db, session }: Ctx,
  devices: { id: number }[],
  kind: StockEventKind,
  detail: string,
): Promise<void> {
  const stockIds = devices.map(({ id }) => id);
  await repo.insertStockEvent(db, { stockIds, kind, actorName: session.signature, detail });
}
