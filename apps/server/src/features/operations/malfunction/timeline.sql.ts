// Timeline of a malfunction and its photos in SQL.
import type { StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import type { NoticeStep } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { MalfunctionEntry } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { isUploadedBySql, releaseFile, type Uploader } from "../../organization/file/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import type { MalfunctionKey } from "./malfunction-progress.sql.ts";

/** Actions, newest first. */
export function findEvents(db: Db, { tenantId, id }: MalfunctionKey): Promise<MalfunctionEntry[]> {
  return db.many(sql`
    select 'E' || malfunction_event.id as key, malfunction_event.at, malfunction_event.kind,
      malfunction_event.actor_name, malfunction_event.text, malfunction_event.to_state,
      coalesce((
        select json_agg(json_build_object('id', file.id, 'name', file.name, 'width', file.width,
          'height', file.height) order by file.created_at, file.id)
        from malfunction_photo photo join file on file.tenant_id = photo.tenant_id
          and file.id = photo.file_id
        where photo.tenant_id = malfunction_event.tenant_id
          and photo.malfunction_id = malfunction_event.malfunction_id
          and photo.event_id = malfunction_event.id), '[]') as photos,
      case when command.id is not null then json_build_object('id', command.id, 'state',
        command.state,
        'detail', command.detail, 'no', command.compartment_no, 'side', command.side) end as command
    from malfunction_event
    left join command on command.tenant_id = malfunction_event.tenant_id
      and command.id = malfunction_event.command_id
    where malfunction_event.tenant_id = ${tenantId} and malfunction_event.malfunction_id = ${id}
    order by malfunction_event.at desc, malfunction_event.id desc`);
}

export interface NotifiedPerson {
  at: string;
  step: NoticeStep;
  names: string[];
  bySms: number;
}

/** Notified people, grouped by the moment of the notice. */
export function findNotified(db: Db, { tenantId, id }: MalfunctionKey): Promise<NotifiedPerson[]> {
  return db.many(sql`
    select notice.created_at as at, notice.step,
      array_agg(notice.operator_name order by notice.operator_name) as names,
      (count(*) filter (where notice.sms_state in ('QUEUED', 'WAITING')))::int as by_sms
    from maintenance_notice notice
    where notice.tenant_id = ${tenantId} and notice.malfunction_id = ${id}
    group by notice.created_at, notice.step
    order by notice.created_at, notice.step`);
}

export async function insertPhotos(
  db: Db,
  { tenantId, id }: MalfunctionKey,
  eventId: number,
  fileIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    insert into malfunction_photo (tenant_id, malfunction_id, event_id, file_id)
    select ${tenantId}, ${id}, ${eventId}, unnest(${[...fileIds]}::uuid[])`);
}

/**
 * Takes photos that their tenant no longer keeps from closed malfunctions; the sweep of unused files deletes them.
 * Returns their number.
 */
export async function removeOldPhotos(db: Db, limit: number): Promise<number> {
  const removed = await db.many<{ tenantId: number; fileId: string }>(sql`
    delete from malfunction_photo where (tenant_id, file_id) in (
      select photo.tenant_id, photo.file_id from malfunction_photo photo
      join malfunction on malfunction.tenant_id = photo.tenant_id
        and malfunction.id = photo.malfunction_id
      where malfunction.closed_at < ${dueBeforeSql("keepPhotosDays", sql`photo.tenant_id`)}
      limit ${limit})
    returning tenant_id, file_id`);
  for (const { tenantId, fileId } of removed) await releaseFile(db, tenantId, fileId);
  return removed.length;
}

/** The given photos that were uploaded by this account or app user and are not attached yet. */
export function findNewPhotos(
  db: Db,
  tenantId: number,
  uploader: Uploader,
  fileIds: readonly string[],
): Promise<{ id: string }[]> {
  return db.many(sql`
    select file.id from file
    where file.tenant_id = ${tenantId} and file.id = any(${[...fileIds]}::uuid[])
      and file.purpose = 'MALFUNCTION' and ${isUploadedBySql(uploader)} and not exists (
        select from malfunction_photo photo where photo.tenant_id = file.tenant_id
          and photo.file_id = file.id)`);
}

/** A photo of a malfunction that this account may see, or one that it uploaded itself. */
export function findPhoto(db: Db, session: Session, fileId: string): Promise<StoredFile | null> {
  return db.maybe(sql`
    select file.storage_key as key, file.media_type, file.size_bytes, file.sha256
    from file
    left join malfunction_photo photo on photo.tenant_id = file.tenant_id
      and photo.file_id = file.id
    left join malfunction on malfunction.tenant_id = photo.tenant_id
      and malfunction.id = photo.malfunction_id
    left join cabinet on cabinet.tenant_id = malfunction.tenant_id
      and cabinet.id = malfunction.cabinet_id
    where file.id = ${fileId} and file.purpose = 'MALFUNCTION'
      and case when malfunction.id is null
        then file.created_by = ${session.operatorId} and ${tenantPredicate(session, sql`file.tenant_id`)}
        else ${storePredicate(session, sql`malfunction.tenant_id`, sql`coalesce(malfunction.store_id, cabinet.store_id)`)} end`);
}
