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
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { isAddressedSql } from "./recipient.sql.ts";

export type AnnouncementQuery = Input<typeof announcementContract.list>["query"];

/** Derived from the clock: no job has to run for the phase to change. */
const phase = sql`(case
  when announcement.state <> 'PUBLISHED' then announcement.state
  when announcement.publish_at > now() then 'SCHEDULED'
  when announcement.expires_at <= now() then 'EXPIRED'
  else 'LIVE' end)`;

const columns = sql`
  announcement.id, announcement.tenant_id, tenant.name as tenant_name, announcement.kind,
  announcement.title, announcement.version, announcement.audience, announcement.user_types,
  coalesce((select json_agg(json_build_object('id', tenant.id, 'name', tenant.name)
    order by tenant.id)
    from tenant where tenant.id = any(announcement.tenant_ids)), '[]') as tenants,
  announcement.is_pinned, ${phase} as phase, announcement.publish_at, announcement.expires_at,
  announcement.withdraw_reason,
  (select count(*)::int from announcement_read
    where announcement_read.announcement_id = announcement.id) as read_count,
  announcement.edition, announcement.edited_by, announcement.updated_at`;

function matching(session: Session, query: AnnouncementQuery): Sql {
  return and(
    tenantPredicate(session, sql`announcement.tenant_id`, query.tenantId),
    textSql(query.keyword, sql`announcement.title`, sql`announcement.version`),
    query.kind && sql`announcement.kind = ${query.kind}`,
    query.audience && sql`announcement.audience = ${query.audience}`,
    query.phase && sql`${phase} = ${query.phase}`,
  );
}

/** Drafts and scheduled ones first, then newest first. */
export function findAnnouncements(
  db: Db,
  session: Session,
  query: AnnouncementQuery,
): Promise<Page<Announcement>> {
  const matched = sql`from announcement where ${matching(session, query)}`;
  const order = sql`announcement.publish_at desc nulls first, announcement.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select announcement.* ${matched} order by ${order} ${pageLimits(query)}) announcement
      join tenant on tenant.id = announcement.tenant_id
      order by ${order}`,
  });
}

export function findAnnouncement(
  db: Db,
  session: Session,
  id: number,
): Promise<AnnouncementDetail | null> {
  return db.maybe(sql`
    select ${columns}, announcement.content, announcement.created_by, announcement.created_at,
      case announcement.audience
        when 'OPERATOR' then (select count(*)::int from operator where ${isAddressedSql})
        else (select count(*)::int from end_user
          where end_user.tenant_id = announcement.tenant_id and end_user.deleted_at is null)
      end as reach_count
    from announcement join tenant on tenant.id = announcement.tenant_id
    where announcement.id = ${id} and ${tenantPredicate(session, sql`announcement.tenant_id`)}`);
}

export function findEditions(
  db: Db,
  id: number,
  query: PageRequest,
): Promise<Page<AnnouncementEdition>> {
  const matched = sql`from announcement_edition edition where edition.announcement_id = ${id}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select edition.edition, edition.title, edition.version, edition.content, edition.edited_at,
        edition.edited_by
      ${matched} order by edition.edition desc ${pageLimits(query)}`,
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
    select announcement.tenant_id, announcement.id, announcement.kind, announcement.title,
      announcement.version, announcement.audience, ${phase} as phase, announcement.edition,
      announcement.edited_by, announcement.publish_at, announcement.expires_at
    from announcement
    where announcement.id = ${id} and ${tenantPredicate(session, sql`announcement.tenant_id`)}
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
    returning tenant_id`);
}
