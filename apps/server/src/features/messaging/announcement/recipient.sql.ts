// SQL for the recipients of announcements: addressing, received lists and read marks.

import { PLATFORM_TENANT_ID } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page, PageRequest } from "@cabinet/contract/kit/pagination.ts";
import type {
  AnnouncementRecipient,
  announcementContract,
  ReceivedAnnouncement,
  VersionNotice,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import type { AnnouncementAudience } from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import type { AppAnnouncement } from "@cabinet/contract/orders/app/app-notice.contract.ts";
import type { EndUser, Session } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import type { ImageUse } from "../rich-text/index.ts";

/** Whether an announcement `a` is published and not expired, by the database clock. */
const isLive = sql`(a.state = 'PUBLISHED' and a.publish_at <= now()
  and (a.expires_at is null or a.expires_at > now()))`;

/** Whether an announcement `a` for accounts addresses those of a tenant. */
const reaches = (tenantId: Sql) => sql`(case when a.tenant_id = ${PLATFORM_TENANT_ID}
  then a.tenant_ids is null or ${tenantId} = any(a.tenant_ids)
  else a.tenant_id = ${tenantId} end)`;

/** Whether an announcement `a` addresses the account `o`. */
export const isAddressedSql = sql`(o.disabled_at is null and o.user_type = any(a.user_types)
  and ${reaches(sql`o.tenant_id`)})`;

function isReceived({ tenantId, userType }: Session): Sql {
  return sql`(a.audience = 'OPERATOR' and ${isLive} and ${userType} = any(a.user_types)
    and ${reaches(sql`${tenantId}::int`)})`;
}

const isForPeople = sql`(a.audience = 'END_USER' and ${isLive})`;

const ofImage = sql`i.announcement_id is not null and exists (
  select from announcement a where a.tenant_id = i.tenant_id and a.id = i.announcement_id`;

/** Access rule for pictures in announcements. */
export const announcementImages: ImageUse = {
  toAccount: (session) => sql`(${ofImage} and ${isReceived(session)}))`,
  toPeople: sql`(${ofImage} and ${isForPeople}))`,
};

/** The latest version notice; a correction is shown again, but never instead of a newer version. */
export function findLatestVersion(
  db: Db,
  session: Session,
): Promise<(VersionNotice & { id: number }) | null> {
  return db.maybe(sql`
    select a.id, a.version, a.content, greatest(a.publish_at, a.updated_at) as "updateTime"
    from announcement a
    where a.kind = 'VERSION' and ${isReceived(session)}
    order by a.publish_at desc, a.id desc
    limit 1`);
}

function hasRead(session: Session): Sql {
  return sql`exists (select from announcement_read r
    where r.tenant_id = ${session.tenantId} and r.announcement_id = a.id
      and r.reader_kind = 'OPERATOR' and r.reader_id = ${session.operatorId})`;
}

function receivedColumns(session: Session): Sql {
  return sql`
    a.id, a.kind, a.title, a.version, a.tenant_id = ${PLATFORM_TENANT_ID} as "isFromPlatform",
    a.is_pinned as "isPinned", ${hasRead(session)} as "isRead", a.publish_at as "publishAt",
    greatest(a.publish_at, a.updated_at) as "updateTime"`;
}

export type ReceivedQuery = Input<typeof announcementContract.received>["query"];

/** Pinned first, then newest first. */
export function findReceived(
  db: Db,
  session: Session,
  query: ReceivedQuery,
): Promise<Page<ReceivedAnnouncement>> {
  const conditions = [isReceived(session)];
  if (query.keyword?.trim()) {
    const pattern = contains(query.keyword);
    conditions.push(sql`(a.title ilike ${pattern} or a.version ilike ${pattern})`);
  }
  if (query.kind) conditions.push(sql`a.kind = ${query.kind}`);
  if (query.isRead !== undefined) conditions.push(sql`${hasRead(session)} = ${query.isRead}`);
  const matched = sql`from announcement a where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${receivedColumns(session)} ${matched}
      order by a.is_pinned desc, a.publish_at desc, a.id desc ${pageLimits(query)}`,
  });
}

export function findReceivedOne(
  db: Db,
  session: Session,
  id: number,
): Promise<(ReceivedAnnouncement & { content: string }) | null> {
  return db.maybe(sql`
    select ${receivedColumns(session)}, a.content from announcement a
    where a.id = ${id} and ${isReceived(session)}`);
}

/** Marks those that the account received and had not read; returns their names. */
export function markRead(
  db: Db,
  session: Session,
  ids: number[],
): Promise<{ id: number; name: string }[]> {
  return db.many(sql`
    with read as (
      insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id)
      select ${session.tenantId}, a.id, 'OPERATOR', ${session.operatorId}::bigint
      from announcement a where a.id = any(${ids}) and ${isReceived(session)}
      on conflict do nothing
      returning announcement_id
    )
    select a.id, concat_ws(' ', nullif(a.version, ''), nullif(a.title, '')) as name
    from announcement a join read on read.announcement_id = a.id order by a.id`);
}

export type RecipientQuery = Input<typeof announcementContract.recipients>["query"];

/** Readers first, the latest on top. */
export function findRecipients(
  db: Db,
  of: { id: number; audience: AnnouncementAudience },
  query: RecipientQuery,
): Promise<Page<AnnouncementRecipient>> {
  const isOf = sql`r.announcement_id = a.id and r.reader_kind = ${of.audience}`;
  const people =
    of.audience === "OPERATOR"
      ? sql`from announcement a join operator o on ${isAddressedSql}
          join tenant t on t.id = o.tenant_id
          left join announcement_read r
            on ${isOf} and r.tenant_id = o.tenant_id and r.reader_id = o.id`
      : sql`from announcement a
          join end_user o on o.tenant_id = a.tenant_id and o.deleted_at is null
          join tenant t on t.id = o.tenant_id
          left join announcement_read r
            on ${isOf} and r.tenant_id = o.tenant_id and r.reader_id = o.id`;
  const who =
    of.audience === "OPERATOR"
      ? sql`o.display_name as name, o.user_type::int as "userType"`
      : sql`coalesce(nullif(o.name, ''), left(o.phone, 3) || '****' || right(o.phone, 4)) as name,
          null::int as "userType"`;
  const isRead =
    query.isRead === undefined ? sql`true` : sql`(r.read_at is not null) = ${query.isRead}`;
  const matched = sql`${people} where a.id = ${of.id} and ${isRead}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select o.id, ${who}, t.name as "tenantName", r.read_at as "readAt" ${matched}
      order by r.read_at desc nulls last, o.tenant_id, o.id ${pageLimits(query)}`,
  });
}

/** Announcements of the tenant for users of the app. */
export function findForEndUser(
  db: Db,
  { tenantId, endUserId }: EndUser,
  query: PageRequest,
): Promise<Page<AppAnnouncement>> {
  const matched = sql`from announcement a where a.tenant_id = ${tenantId} and ${isForPeople}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select a.id, a.title, a.content, a.is_pinned as "isPinned", a.publish_at as "publishAt",
        exists (select from announcement_read r where r.tenant_id = ${tenantId}
          and r.announcement_id = a.id and r.reader_kind = 'END_USER'
          and r.reader_id = ${endUserId}) as "isRead"
      ${matched} order by a.is_pinned desc, a.publish_at desc, a.id desc ${pageLimits(query)}`,
  });
}

/** False when no such announcement addresses the user. */
export async function markReadByEndUser(
  db: Db,
  { tenantId, endUserId }: EndUser,
  id: number,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select a.id from announcement a
    where a.tenant_id = ${tenantId} and a.id = ${id} and ${isForPeople}`);
  if (!found) return false;
  await db.run(sql`
    insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id)
    values (${tenantId}, ${id}, 'END_USER', ${endUserId})
    on conflict do nothing`);
  return true;
}
