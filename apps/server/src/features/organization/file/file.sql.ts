// Files in the database: owner, kind, and whether anything still uses them.
import type { ReceivedFile } from "@cabinet/contract/kit/upload.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { refuse } from "../../../platform/errors.ts";

/** Purpose of an upload; a file uploaded for one purpose cannot be used for another. */
export type FilePurpose = "ADVERT" | "FIRMWARE" | "LOGO" | "MALFUNCTION" | "NOTICE";

/** Account or app user that uploads a file. */
export type Uploader = { createdBy: number } | { endUserId: number };

export type NewFile = Uploader & {
  tenantId: number;
  purpose: FilePurpose;
  file: ReceivedFile;
};

/** The lock makes uploads of one tenant count one after the other. */
async function requireRoom(db: Db, tenantId: number, sizeBytes: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('storage room'), ${tenantId})`);
  const room = await db.maybe<{
    usedMb: number;
    maxMb: number | null;
    isFull: boolean;
  }>(sql`
    select ceil(used.bytes / 1048576)::int as used_mb, tenant.max_storage_mb as max_mb,
      coalesce(used.bytes + ${sizeBytes} > tenant.max_storage_mb * 1048576::bigint, false) as is_full
    from tenant, lateral (
      select coalesce(sum(size_bytes), 0) as bytes from file where tenant_id = tenant.id) used
    where tenant.id = ${tenantId}`);
  if (!room) refuse("NOT_FOUND", { what: "租户" });
  const { usedMb, maxMb, isFull } = room;
  if (isFull) refuse("STORAGE_FULL", { used: usedMb, max: maxMb ?? 0 });
}

/** Unused until something claims it with `useFile`; returns its id. */
export async function insertFile(db: Db, { tenantId, purpose, file, ...uploader }: NewFile) {
  await requireRoom(db, tenantId, file.sizeBytes);
  const { id } = await db.one<{ id: string }>(sql`
    insert into file (tenant_id, purpose, kind, media_type, name, size_bytes, sha256, storage_key,
      width, height, duration_ms, created_by, end_user_id)
    values (${tenantId}, ${purpose}, ${file.kind}, ${file.mediaType}, ${file.name},
      ${file.sizeBytes}, ${file.sha256}, ${file.key}, ${file.width}, ${file.height},
      ${file.durationMs}, ${"createdBy" in uploader ? uploader.createdBy : null},
      ${"endUserId" in uploader ? uploader.endUserId : null})
    returning id`);
  return id;
}

/** True for the files that this account or app user uploaded. */
export function isUploadedBySql(uploader: Uploader): Sql {
  return "createdBy" in uploader
    ? sql`file.created_by = ${uploader.createdBy}`
    : sql`file.end_user_id = ${uploader.endUserId}`;
}

export interface FileRow extends ReceivedFile {
  tenantId: number;
  id: string;
}

const columns = sql`
  tenant_id, id, kind, media_type, name, size_bytes, sha256, storage_key as key, width, height,
  duration_ms`;

/** Marks it as used, so it is not swept; null when the tenant has no such file for this purpose. */
export function useFile(
  db: Db,
  tenantId: number,
  id: string,
  purpose: FilePurpose,
): Promise<FileRow | null> {
  return db.maybe(sql`
    update file set unused_since = null
    where tenant_id = ${tenantId} and id = ${id} and purpose = ${purpose}
    returning ${columns}`);
}

/** Marks the file as unused: it is swept a day from now. */
export async function releaseFile(db: Db, tenantId: number, id: string): Promise<void> {
  await db.run(sql`
    update file set unused_since = now() where tenant_id = ${tenantId} and id = ${id}`);
}

/** The caller must have checked access: this query has no tenant condition. */
export function findFile(db: Db, id: string): Promise<FileRow | null> {
  return db.maybe(sql`select ${columns} from file where id = ${id}`);
}

/** Deletes files unused for a day; a file shared by two records stays until neither uses it. */
export async function deleteUnusedFiles(db: Db): Promise<void> {
  await db.run(sql`
    delete from file where unused_since < now() - interval '1 day'
      and not exists (select from advert where advert.tenant_id = file.tenant_id
        and advert.file_id = file.id)
      and not exists (select from firmware where firmware.file_id = file.id)
      and not exists (
        select from malfunction_photo photo where photo.tenant_id = file.tenant_id
          and photo.file_id = file.id)
      and not exists (
        select from rich_text_image image where image.tenant_id = file.tenant_id
          and image.file_id = file.id)`);
}
