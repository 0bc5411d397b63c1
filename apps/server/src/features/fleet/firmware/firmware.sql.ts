// Firmware images in the database, the models they are for, and the keys of those models' makers.
import type {
  Firmware,
  firmwareContract,
  MakerKey,
} from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import type { FirmwareState } from "@cabinet/contract/fleet/firmware/firmware.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, sql, textSql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../cabinet/index.ts";

type ListQuery = Input<typeof firmwareContract.list>["query"];

/**
 * Released firmware for models of the cabinets that the account may see; `isWhole`: all firmware.
 */
export function findFirmware(
  db: Db,
  session: Session,
  query: ListQuery,
  isWhole: boolean,
): Promise<Page<Firmware>> {
  const isVisible = cabinetPredicate(session, sql`cabinet`);
  const conditions = and(
    isWhole
      ? sql`true`
      : sql`firmware.state = 'RELEASED' and exists (
          select from firmware_model join cabinet on cabinet.model_id = firmware_model.model_id
          where firmware_model.firmware_id = firmware.id and ${isVisible})`,
    textSql(query.keyword, sql`firmware.version`, sql`firmware.notes`),
    query.state && sql`firmware.state = ${query.state}`,
    query.modelId &&
      sql`exists (select from firmware_model
        where firmware_model.firmware_id = firmware.id
          and firmware_model.model_id = ${query.modelId})`,
  );
  const matching = sql`from firmware where ${conditions}`;
  const order = sql`firmware.created_at desc, firmware.id desc`;
  const theirs = sql`from cabinet join firmware_model on firmware_model.model_id = cabinet.model_id
    where firmware_model.firmware_id = firmware.id and cabinet.lifecycle <> 'RETIRED'
      and ${isVisible}`;
  return findPage(db, {
    matching,
    rows: sql`
      select firmware.id, firmware.version, firmware.min_version, firmware.notes,
        firmware.file_name, firmware.size_bytes, firmware.sha256, firmware.signature,
        firmware.state, firmware.withdrawn_reason, firmware.created_by, firmware.created_at,
        firmware.released_at, firmware.withdrawn_at,
        (select coalesce(json_agg(json_build_object('id', model.id, 'name', model.name)
          order by model.name),
            '[]')
          from firmware_model join cabinet_model model on model.id = firmware_model.model_id
          where firmware_model.firmware_id = firmware.id) as models,
        (select count(*) ${theirs}) as cabinet_count,
        (select count(*) ${theirs} and cabinet.app_version = firmware.version) as running_count
      from (select firmware.* ${matching} order by ${order} ${pageLimits(query)}) firmware
      order by ${order}`,
  });
}

export interface FirmwareRow {
  id: number;
  version: string;
  minVersion: string;
  notes: string;
  fileId: string;
  state: FirmwareState;
}

export function lockFirmware(db: Db, id: number): Promise<FirmwareRow | null> {
  return db.maybe(sql`
    select id, version, min_version, notes, file_id, state
    from firmware where id = ${id} for no key update`);
}

export interface KeyedModel {
  id: number;
  name: string;
  publicKey: string | null;
  /** The model has an image of this version already. */
  hasVersion: boolean;
}

export function findModels(db: Db, ids: readonly number[], version: string): Promise<KeyedModel[]> {
  return db.many(sql`
    select model.id, model.name, model.maker_public_key as public_key,
      exists (select from firmware_model where firmware_model.model_id = model.id
        and firmware_model.version = ${version})
        as has_version
    from cabinet_model model where model.id = any(${ids}) order by model.id for share`);
}

export async function isFileTaken(db: Db, fileId: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 from firmware where file_id = ${fileId}`)) !== null;
}

export interface NewImage {
  version: string;
  minVersion: string;
  notes: string;
  fileId: string;
  fileName: string;
  sizeBytes: number;
  sha256: string;
  signature: string;
  createdBy: string;
  modelIds: readonly number[];
}

export async function insertFirmware(db: Db, image: NewImage): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into firmware (version, min_version, notes, file_id, file_name, size_bytes, sha256,
      signature, created_by)
    values (${image.version}, ${image.minVersion}, ${image.notes}, ${image.fileId},
      ${image.fileName}, ${image.sizeBytes}, ${image.sha256}, ${image.signature},
      ${image.createdBy})
    returning id`);
  await db.run(sql`
    insert into firmware_model (firmware_id, model_id, version)
    select ${id}, unnest(${image.modelIds}::bigint[]), ${image.version}`);
  return id;
}

export async function updateFirmwareWords(
  db: Db,
  id: number,
  { minVersion, notes }: { minVersion: string; notes: string },
): Promise<void> {
  await db.run(sql`
    update firmware set min_version = ${minVersion}, notes = ${notes} where id = ${id}`);
}

export async function releaseFirmware(db: Db, id: number): Promise<void> {
  await db.run(sql`update firmware set state = 'RELEASED', released_at = now() where id = ${id}`);
}

export async function withdrawFirmware(db: Db, id: number, reason: string): Promise<void> {
  await db.run(sql`
    update firmware set state = 'WITHDRAWN', withdrawn_at = now(), withdrawn_reason = ${reason}
    where id = ${id}`);
}

export async function deleteFirmware(db: Db, id: number): Promise<void> {
  await db.run(sql`delete from firmware where id = ${id}`);
}

export function findMakerKeys(db: Db): Promise<MakerKey[]> {
  return db.many(sql`
    select id as model_id, name as model_name, maker_public_key as public_key
    from cabinet_model order by name, id`);
}
