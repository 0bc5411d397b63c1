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
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
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
  const isVisible = cabinetPredicate(session, sql`c`);
  const conditions = [
    isWhole
      ? sql`true`
      : sql`f.state = 'RELEASED' and exists (
          select from firmware_model fm join cabinet c on c.model_id = fm.model_id
          where fm.firmware_id = f.id and ${isVisible})`,
  ];
  if (query.keyword?.trim()) {
    const pattern = contains(query.keyword);
    conditions.push(sql`(f.version ilike ${pattern} or f.notes ilike ${pattern})`);
  }
  if (query.state) conditions.push(sql`f.state = ${query.state}`);
  if (query.modelId) {
    conditions.push(sql`exists (select from firmware_model fm
      where fm.firmware_id = f.id and fm.model_id = ${query.modelId})`);
  }
  const matching = sql`from firmware f where ${join(conditions, " and ")}`;
  const order = sql`f.created_at desc, f.id desc`;
  const theirs = sql`from cabinet c join firmware_model fm on fm.model_id = c.model_id
    where fm.firmware_id = f.id and c.lifecycle <> 'RETIRED' and ${isVisible}`;
  return findPage(db, {
    matching,
    rows: sql`
      select f.id, f.version, f.min_version as "minVersion", f.notes, f.file_name as "fileName",
        f.size_bytes as "sizeBytes", f.sha256, f.signature, f.state,
        f.withdrawn_reason as "withdrawnReason", f.created_by as "createdBy",
        f.created_at as "createdAt", f.released_at as "releasedAt",
        f.withdrawn_at as "withdrawnAt",
        (select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name) order by m.name),
            '[]')
          from firmware_model fm join cabinet_model m on m.id = fm.model_id
          where fm.firmware_id = f.id) as models,
        (select count(*) ${theirs}) as "cabinetCount",
        (select count(*) ${theirs} and c.app_version = f.version) as "runningCount"
      from (select f.* ${matching} order by ${order} ${pageLimits(query)}) f
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
    select id, version, min_version as "minVersion", notes, file_id as "fileId", state
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
    select m.id, m.name, m.maker_public_key as "publicKey",
      exists (select from firmware_model fm where fm.model_id = m.id and fm.version = ${version})
        as "hasVersion"
    from cabinet_model m where m.id = any(${ids}) order by m.id for share`);
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
    select id as "modelId", name as "modelName", maker_public_key as "publicKey"
    from cabinet_model order by name, id`);
}

/** Null when there is no such model. */
export function saveMakerKey(
  db: Db,
  modelId: number,
  publicKey: string,
): Promise<{ name: string; before: string | null } | null> {
  return db.maybe(sql`
    update cabinet_model set maker_public_key = ${publicKey} where id = ${modelId}
    returning name, old.maker_public_key as before`);
}
