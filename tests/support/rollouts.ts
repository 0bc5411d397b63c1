// Rows of firmware and roll-outs for tests on the real database, signed by a maker whose key the
// models have.
import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { signFirmware } from "@cabinet/link";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";

const maker = generateKeyPairSync("ed25519");
export const MAKER_KEY = String(maker.publicKey.export({ type: "spki", format: "pem" }));
const MAKER_PRIVATE_KEY = String(maker.privateKey.export({ type: "pkcs8", format: "pem" }));

export function signImage(image: Buffer): { sha256: string; signature: string } {
  const sha256 = createHash("sha256").update(image).digest("hex");
  return { sha256, signature: signFirmware(sha256, MAKER_PRIVATE_KEY) };
}

export const IMAGE = Buffer.from("firmware of tests");
export const IMAGE_SIGNATURE = signImage(IMAGE).signature;

/** Sets the test maker's key on the model. */
async function giveMakerKey(db: Db, modelId: number): Promise<void> {
  await db.run(sql`update cabinet_model set maker_public_key = ${MAKER_KEY} where id = ${modelId}`);
}

/**
 * Inserts a firmware file of the platform that no version uses yet; its content is stored under
 * `storageKey`.
 */
export async function insertFirmwareFile(
  db: Db,
  image: Buffer = IMAGE,
  storageKey: string = randomUUID(),
): Promise<string> {
  await db.run(sql`insert into stored_object (key) values (${storageKey})`);
  const { id } = await db.one<{ id: string }>(sql`
    insert into file (tenant_id, purpose, kind, media_type, name, size_bytes, sha256, storage_key)
    values (1, 'FIRMWARE', 'FIRMWARE', 'application/octet-stream', 'cabinet.bin', ${image.length},
      ${signImage(image).sha256}, ${storageKey})
    returning id`);
  return id;
}

export interface FirmwareFixture {
  modelId: number;
  version: string;
  minVersion?: string;
  state?: "DRAFT" | "RELEASED";
  image?: Buffer;
  storageKey?: string;
}

export async function insertFirmware(db: Db, fixture: FirmwareFixture): Promise<number> {
  const { modelId, version, minVersion = "0.0.0", state = "RELEASED" } = fixture;
  const image: Buffer = fixture.image ?? IMAGE;
  const fileId = await insertFirmwareFile(db, image, fixture.storageKey);
  await db.run(sql`update file set unused_since = null where id = ${fileId}`);
  const { sha256, signature } = signImage(image);
  const { id } = await db.one<{ id: number }>(sql`
    insert into firmware (version, min_version, file_id, file_name, size_bytes, sha256, signature,
      state, created_by)
    values (${version}, ${minVersion}, ${fileId}, 'cabinet.bin', ${image.length}, ${sha256},
      ${signature}, ${state}, '厂家')
    returning id`);
  await db.run(sql`
    insert into firmware_model (firmware_id, model_id, version) values (${id}, ${modelId}, ${version})`);
  return id;
}

/** Inserts roll-outs of parameters: running, paused, and stopped at a failure. */
export async function insertRollouts(
  db: Db,
  tenantId: number,
  cabinetIds: { running: number; paused: number; stopped: number },
  mark: string,
) {
  const make = async (state: string, cabinetId: number, targetState: string) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into rollout (tenant_id, name, kind, config, selection, stage_percents,
        advance_percent, dwell_minutes, stop_percent, timeout_minutes, state, actor_name)
      values (${tenantId}, ${`任务 ${mark}`}, 'CONFIG', '{"volume": 30}', '{}', '{1,10,100}', 90, 30,
        5, 30, ${state}, ${mark})
      returning id`);
    await db.run(sql`
      insert into rollout_target (tenant_id, rollout_id, cabinet_id, kind, stage, state, old_config,
        detail)
      values (${tenantId}, ${id}, ${cabinetId}, 'CONFIG', 0, ${targetState}, '{"volume": 60}',
        ${mark})`);
    await db.run(sql`
      insert into rollout_event (tenant_id, rollout_id, kind, text, actor_name)
      values (${tenantId}, ${id}, 'CREATED', ${mark}, ${mark})`);
    return id;
  };
  return {
    rolloutId: await make("RUNNING", cabinetIds.running, "WAITING"),
    pausedRolloutId: await make("PAUSED", cabinetIds.paused, "WAITING"),
    stoppedRolloutId: await make("STOPPED", cabinetIds.stopped, "FAILED"),
  };
}

/** Inserts firmware of the platform: one released, one draft, and a file without a version. */
export async function insertPlatformFirmware(db: Db, modelId: number, spareModelId: number) {
  await giveMakerKey(db, spareModelId);
  const random = () => Math.floor(Math.random() * 90_000);
  const version = () => `9.${random()}.${random()}`;
  return {
    firmwareId: await insertFirmware(db, { modelId, version: version() }),
    draftFirmwareId: await insertFirmware(db, { modelId, version: version(), state: "DRAFT" }),
    firmwareFileId: await insertFirmwareFile(db),
  };
}
