// Actions of platform staff on firmware: accept signed images, release, withdraw.
import { createPublicKey } from "node:crypto";
import type {
  FirmwareFile,
  firmwareContract,
} from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import {
  type FirmwareState,
  firmwareStateText,
} from "@cabinet/contract/fleet/firmware/firmware.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { ReceivedFile } from "@cabinet/contract/kit/upload.rules.ts";
import { compareVersions, verifyFirmware } from "@cabinet/link";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { updateMakerKey } from "../../link/device/index.ts";
import { insertFile, releaseFile, useFile } from "../../organization/file/index.ts";
import { stopRolloutsOf } from "../rollout/index.ts";
import * as repo from "./firmware.sql.ts";

const what = "固件";

export async function uploadFirmware(ctx: Ctx, file: ReceivedFile): Promise<FirmwareFile> {
  const { tenantId, operatorId } = ctx.session;
  const fileId = await insertFile(ctx.db, {
    tenantId,
    createdBy: operatorId,
    purpose: "FIRMWARE",
    file,
  });
  const { name, sizeBytes, sha256 } = file;
  ctx.audit({ target: `固件文件 ${name}`, after: { fileId, sizeBytes, sha256 } });
  return { fileId, name, sizeBytes, sha256 };
}

/** Every model must have a maker's key, and the signature must be valid for each key. */
export async function createFirmware(
  ctx: Ctx,
  given: Input<typeof firmwareContract.create>["body"],
): Promise<{ id: number }> {
  const { fileId, version, minVersion, modelIds, signature } = given;
  requireAscendingVersions(minVersion, version);
  const models = await repo.findModels(ctx.db, modelIds, version);
  if (models.length < modelIds.length) refuse("NOT_FOUND", { what: "设备型号" });
  if (await repo.isFileTaken(ctx.db, fileId)) refuse("FIRMWARE_FILE_TAKEN");
  const file = await useFile(ctx.db, ctx.session.tenantId, fileId, "FIRMWARE");
  if (!file) refuse("NOT_FOUND", { what: "固件文件" });
  for (const { name, publicKey, hasVersion } of models) {
    if (!publicKey) refuse("FIRMWARE_KEY_MISSING", { model: name });
    if (!verifyFirmware(file.sha256, signature, publicKey)) {
      refuse("FIRMWARE_SIGNATURE_WRONG", { model: name });
    }
    if (hasVersion) refuse("FIRMWARE_VERSION_TAKEN", { model: name, version });
  }
  const { name: fileName, sizeBytes, sha256 } = file;
  const id = await repo.insertFirmware(ctx.db, {
    ...given,
    fileName,
    sizeBytes,
    sha256,
    createdBy: ctx.session.signature,
  });
  const names = models.map(({ name }) => name);
  ctx.audit({
    target: `${what} ${version}`,
    after: { id, version, minVersion, models: names, fileName, sizeBytes, sha256 },
  });
  return { id };
}

export async function updateFirmware(
  ctx: Ctx,
  id: number,
  words: Input<typeof firmwareContract.update>["body"],
): Promise<null> {
  const firmware = await lock(ctx, id);
  const { version, minVersion, notes, state } = firmware;
  // The minimum version sent to cabinets must not change during a roll-out.
  if (state !== "DRAFT" && words.minVersion !== minVersion) {
    requireState(firmware, "DRAFT", "修改最低版本");
  }
  requireAscendingVersions(words.minVersion, version);
  await repo.updateFirmwareWords(ctx.db, id, words);
  ctx.audit({ target: `${what} ${version}`, before: { minVersion, notes }, after: words });
  return null;
}

export async function releaseFirmware(ctx: Ctx, id: number): Promise<null> {
  const firmware = await lock(ctx, id);
  requireState(firmware, "DRAFT", "发布");
  await repo.releaseFirmware(ctx.db, id);
  audit(ctx, firmware, "RELEASED");
  return null;
}

/** Withdraws the firmware for everyone: running roll-outs of it stop in every tenant. */
export async function withdrawFirmware(
  ctx: Ctx,
  id: number,
  reason: string,
): Promise<{ stopped: number }> {
  const firmware = await lock(ctx, id);
  requireState(firmware, "RELEASED", "撤回");
  await repo.withdrawFirmware(ctx.db, id, reason);
  const { signature } = ctx.session;
  const text = `固件 ${firmware.version} 已被平台撤回：${reason}`;
  const stopped = await stopRolloutsOf(ctx.db, id, text, signature);
  for (const { tenantId } of stopped) {
    await pushLive(ctx.db, { topic: "rollout", tenantId, cabinetId: null });
  }
  audit(ctx, firmware, "WITHDRAWN", reason);
  return { stopped: stopped.length };
}

export async function removeFirmware(ctx: Ctx, id: number): Promise<null> {
  const firmware = await lock(ctx, id);
  requireState(firmware, "DRAFT", "删除");
  await repo.deleteFirmware(ctx.db, id);
  await releaseFile(ctx.db, ctx.session.tenantId, firmware.fileId);
  ctx.audit({ target: `${what} ${firmware.version}`, before: firmware });
  return null;
}

export async function saveMakerKey(
  ctx: Ctx,
  modelId: number,
  { publicKey, reason }: { publicKey: string; reason: string },
): Promise<null> {
  const pem = normalised(publicKey);
  if (!pem) refuse("MAKER_KEY_INVALID");
  const model = await updateMakerKey(ctx.db, modelId, pem);
  if (!model) refuse("NOT_FOUND", { what: "设备型号" });
  ctx.audit({
    target: `设备型号 ${model.name}`,
    reason,
    before: { makerPublicKey: model.before },
    after: { makerPublicKey: pem },
  });
  return null;
}

/**
 * Canonical PEM of a public key; null for a private key, another algorithm than Ed25519, or no key.
 */
function normalised(text: string): string | null {
  if (!text.includes("BEGIN PUBLIC KEY")) return null;
  try {
    const key = createPublicKey(text.trim());
    const pem = key.export({ type: "spki", format: "pem" });
    return key.asymmetricKeyType === "ed25519" ? String(pem) : null;
  } catch {
    return null;
  }
}

async function lock(ctx: Ctx, id: number): Promise<repo.FirmwareRow> {
  return (await repo.lockFirmware(ctx.db, id)) ?? refuse("NOT_FOUND", { what });
}

function requireState(firmware: repo.FirmwareRow, state: FirmwareState, action: string): void {
  if (firmware.state === state) return;
  const now = firmwareStateText[firmware.state];
  refuse("STATE_NOT_ALLOWED", { what: `${what} ${firmware.version} `, state: now, action });
}

function requireAscendingVersions(minVersion: string, version: string): void {
  if (compareVersions(minVersion, version) > 0) {
    refuse("FIRMWARE_MINIMUM_TOO_HIGH");
  }
}

function audit(ctx: Ctx, firmware: repo.FirmwareRow, state: FirmwareState, reason?: string) {
  ctx.audit({
    target: `${what} ${firmware.version}`,
    ...(reason && { reason }),
    before: { state: firmware.state },
    after: { state },
  });
}
