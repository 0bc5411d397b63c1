// Timeline of a malfunction and its photos in SQL.
import type { StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import type { NoticeStep } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { MalfunctionEntry } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
import { storePredicate } from "../../organization/store/index.ts";
import type { MalfunctionKey } from "./malfunction-progress.sql.ts";

/** Actions, newest first. */
export function findEvents(db: Db, { tenantId, id }: MalfunctionKey): Promise<MalfunctionEntry[]> {
  return db.many(sql`
    select 'E' || e.id as key, e.at, e.kind, e.actor_name as "actorName", e.text,
      e.to_state as "toState",
      coalesce((
        select json_agg(json_build_object('id', f.id, 'name', f.name, 'width', f.width,
          'height', f.height) order by f.created_at, f.id)
        from malfunction_photo p join file f on f.tenant_id = p.tenant_id and f.id = p.file_id
        where p.tenant_id = e.tenant_id and p.malfunction_id = e.malfunction_id
          and p.event_id = e.id), '[]') as photos,
      case when o.id is not null then json_build_object('id', o.id, 'state', o.state,
        'detail', o.detail, 'no', o.compartment_no, 'side', o.side) end as command
    from malfunction_event e
    left join command o on o.tenant_id = e.tenant_id and o.id = e.command_id
    where e.tenant_id = ${tenantId} and e.malfunction_id = ${id}
    order by e.at desc, e.id desc`);
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
    select n.created_at as at, n.step, array_agg(n.operator_name order by n.operator_name) as names,
      (count(*) filter (where n.sms_state in ('QUEUED', 'WAITING')))::int as "bySms"
    from maintenance_notice n
    where n.tenant_id = ${tenantId} and n.malfunction_id = ${id}
    group by n.created_at, n.step`);
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

/** The given photos that this account uploaded and that are not attached yet. */
export function findNewPhotos(
  db: Db,
  tenantId: number,
  operatorId: number,
  fileIds: readonly string[],
): Promise<{ id: string }[]> {
  return db.many(sql`
    select f.id from file f
    where f.tenant_id = ${tenantId} and f.id = any(${[...fileIds]}::uuid[])
      and f.purpose = 'MALFUNCTION' and f.created_by = ${operatorId} and not exists (
        select from malfunction_photo p where p.tenant_id = f.tenant_id and p.file_id = f.id)`);
}

/** A photo of a malfunction that this account may see, or one that it uploaded itself. */
export function findPhoto(db: Db, session: Session, fileId: string): Promise<StoredFile | null> {
  return db.maybe(sql`
    select f.storage_key as key, f.media_type as "mediaType", f.size_bytes as "sizeBytes", f.sha256
    from file f
    left join malfunction_photo p on p.tenant_id = f.tenant_id and p.file_id = f.id
    left join malfunction m on m.tenant_id = p.tenant_id and m.id = p.malfunction_id
    left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
    where f.id = ${fileId} and f.purpose = 'MALFUNCTION'
      and case when m.id is null
        then f.created_by = ${session.operatorId} and ${tenantPredicate(session, sql`f.tenant_id`)}
        else ${storePredicate(session, sql`m.tenant_id`, sql`coalesce(m.store_id, c.store_id)`)} end`);
}
