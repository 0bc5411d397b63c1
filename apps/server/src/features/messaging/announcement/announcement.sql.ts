// SQL for announcements: phase by the clock, the list, and changes to one.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page, PageRequest } from "@cabinet/contract/kit/pagination.ts";
import type {
  Announcement,
  AnnouncementDetail,
  AnnouncementDraft,
  AnnouncementEdition,
  announcementContract,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import type {
  AnnouncementAudience,
  AnnouncementKind,
  AnnouncementPhase,
} from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { isAddressedSql } from "./recipient.sql.ts";

export type AnnouncementQuery = Input<typeof announcementContract.list>["query"];

/** Derived from the clock: no job has to run for the phase to change. */
const phase = sql`(case
  when a.state <> 'PUBLISHED' then a.state
  when a.publish_at > now() then 'SCHEDULED'
  when a.expires_at <= now() then 'EXPIRED'
  else 'LIVE' end)`;

const columns = sql`
  a.id, a.tenant_id as "tenantId", t.name as "tenantName", a.kind, a.title, a.version, a.audience,
  a.user_types as "userTypes",
  coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id)
    from tenant x where x.id = any(a.tenant_ids)), '[]') as tenants,
  a.is_pinned as "isPinned", ${phase} as phase, a.publish_at as "publishAt",
  a.expires_at as "expiresAt", a.withdraw_reason as "withdrawReason",
  (select count(*)::int from announcement_read r where r.announcement_id = a.id) as "readCount",
  a.edition, a.edited_by as "editedBy", a.updated_at as "updatedAt"`;

function matching(session: Session, query: AnnouncementQuery): Sql {
  const conditions = [tenantPredicate(session, sql`a.tenant_id`, query.tenantId)];
  if (query.keyword?.trim()) {
    const pattern = contains(query.keyword);
    conditions.push(sql`(a.title ilike ${pattern} or a.version ilike ${pattern})`);
  }
  if (query.kind) conditions.push(sql`a.kind = ${query.kind}`);
  if (query.audience) conditions.push(sql`a.audience = ${query.audience}`);
  if (query.phase) conditions.push(sql`${phase} = ${query.phase}`);
  return join(conditions, " and ");
}

/** Drafts and scheduled ones first, then newest first. */
export function findAnnouncements(
  db: Db,
  session: Session,
  query: AnnouncementQuery,
): Promise<Page<Announcement>> {
  const matched = sql`from announcement a where ${matching(session, query)}`;
  const order = sql`a.publish_at desc nulls first, a.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select a.* ${matched} order by ${order} ${pageLimits(query)}) a
      join tenant t on t.id = a.tenant_id
      order by ${order}`,
  });
}

export function findAnnouncement(
  db: Db,
  session: Session,
  id: number,
): Promise<AnnouncementDetail | null> {
  return db.maybe(sql`
    select ${columns}, a.content, a.created_by as "createdBy", a.created_at as "createdAt",
      case a.audience
        when 'OPERATOR' then (select count(*)::int from operator o where ${isAddressedSql})
        else (select count(*)::int from end_user u
          where u.tenant_id = a.tenant_id and u.deleted_at is null)
      end as "reachCount"
    from announcement a join tenant t on t.id = a.tenant_id
    where a.id = ${id} and ${tenantPredicate(session, sql`a.tenant_id`)}`);
}

export function findEditions(
  db: Db,
  id: number,
  query: PageRequest,
): Promise<Page<AnnouncementEdition>> {
  const matched = sql`from announcement_edition e where e.announcement_id = ${id}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select e.edition, e.title, e.version, e.content, e.edited_at as "editedAt",
        e.edited_by as "editedBy"
      ${matched} order by e.edition desc ${pageLimits(query)}`,
  });
}

export interface AnnouncementRow {
  tenantId: number;
  id: number;
  kind: AnnouncementKind;
  title: string;
  version: string;
  audience: AnnouncementAudience;
  phase: AnnouncementPhase;
  edition: number;
  editedBy: string;
  publishAt: string | null;
  expiresAt: string | null;
}

/** Locked until the transaction ends; null when there is none visible to this account. */
export function lockAnnouncement(
  db: Db,
  session: Session,
  id: number,
): Promise<AnnouncementRow | null> {
  return db.maybe(sql`
    select a.tenant_id as "tenantId", a.id, a.kind, a.title, a.version, a.audience,
      ${phase} as phase, a.edition, a.edited_by as "editedBy", a.publish_at as "publishAt",
      a.expires_at as "expiresAt"
    from announcement a
    where a.id = ${id} and ${tenantPredicate(session, sql`a.tenant_id`)}
    for no key update`);
}

const addressed = (tenantIds: number[]) => (tenantIds.length > 0 ? tenantIds : null);

/** Inserts a draft; returns its id. */
export async function insertAnnouncement(
  db: Db,
  v: AnnouncementDraft & { tenantId: number; by: string },
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into announcement (tenant_id, kind, title, version, content, audience, user_types,
      tenant_ids, is_pinned, expires_at, created_by, edited_by)
    values (${v.tenantId}, ${v.kind}, ${v.title}, ${v.version}, ${v.content}, ${v.audience},
      ${v.userTypes}, ${addressed(v.tenantIds)}, ${v.isPinned}, ${v.expiresAt}, ${v.by}, ${v.by})
    returning id`);
  await insertEdition(db, v.tenantId, id);
  return id;
}

export async function updateAnnouncement(
  db: Db,
  { tenantId, id }: AnnouncementRow,
  v: AnnouncementDraft & { by: string },
): Promise<void> {
  await db.run(sql`
    update announcement set kind = ${v.kind}, title = ${v.title}, version = ${v.version},
      content = ${v.content}, audience = ${v.audience}, user_types = ${v.userTypes},
      tenant_ids = ${addressed(v.tenantIds)}, is_pinned = ${v.isPinned},
      expires_at = ${v.expiresAt}, edited_by = ${v.by}, updated_at = now(),
      edition = edition + 1
    where tenant_id = ${tenantId} and id = ${id}`);
  await insertEdition(db, tenantId, id);
}

async function insertEdition(db: Db, tenantId: number, id: number): Promise<void> {
  await db.run(sql`
    insert into announcement_edition (tenant_id, announcement_id, edition, title, version, content,
      edited_by)
    select tenant_id, id, edition, title, version, content, edited_by from announcement
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** `at` null: now. The caller has compared `at` and `expiresAt` with the same database clock. */
export async function publishAnnouncement(
  db: Db,
  { tenantId, id }: AnnouncementRow,
  at: string | null,
): Promise<void> {
  await db.run(sql`
    update announcement set state = 'PUBLISHED', publish_at = coalesce(${at}::timestamptz, now()),
      told_at = case when ${at}::timestamptz is null then now() end, withdraw_reason = null
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** A scheduled announcement becomes a draft again, because nobody has seen it yet. */
export async function withdrawAnnouncement(
  db: Db,
  { tenantId, id, phase: was }: AnnouncementRow,
  reason: string,
): Promise<void> {
  const state = was === "SCHEDULED" ? "DRAFT" : "WITHDRAWN";
  await db.run(sql`
    update announcement set state = ${state}, withdraw_reason = ${reason}, told_at = null,
      publish_at = case when ${state} = 'WITHDRAWN' then publish_at end
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function deleteAnnouncement(db: Db, { tenantId, id }: AnnouncementRow): Promise<void> {
  await db.run(sql`delete from announcement where tenant_id = ${tenantId} and id = ${id}`);
}

/** The database clock, which decides what is published. */
export async function readClock(db: Db): Promise<string> {
  const { now } = await db.one<{ now: string }>(sql`select now() as now`);
  return now;
}

/** Tenants of announcements that became due since the last call; each is returned once. */
export function takeUnpublished(db: Db): Promise<{ tenantId: number }[]> {
  return db.many(sql`
    update announcement set told_at = now()
    where state = 'PUBLISHED' and told_at is null and publish_at <= now()
    returning tenant_id as "tenantId"`);
}
