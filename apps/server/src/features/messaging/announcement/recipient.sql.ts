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
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import type { ImageUse } from "../rich-text/index.ts";

/** Whether the row `announcement` is published and not expired, by the database clock. */
const isLive = sql`(announcement.state = 'PUBLISHED' and announcement.publish_at <= now()
  and (announcement.expires_at is null or announcement.expires_at > now()))`;

/** Whether the row `announcement`, for accounts, addresses those of a tenant. */
const reaches = (tenantId: Sql) => sql`(case when announcement.tenant_id = ${PLATFORM_TENANT_ID}
  then announcement.tenant_ids is null or ${tenantId} = any(announcement.tenant_ids)
  else announcement.tenant_id = ${tenantId} end)`;

/** Whether the row `announcement` addresses the row `operator`. */
export const isAddressedSql = sql`(operator.disabled_at is null
  and operator.user_type = any(announcement.user_types)
  and ${reaches(sql`operator.tenant_id`)})`;

function isReceived({ tenantId, userType }: Session): Sql {
  return sql`(announcement.audience = 'OPERATOR'
    and ${isLive} and ${userType} = any(announcement.user_types)
    and ${reaches(sql`${tenantId}::int`)})`;
}

const isForPeople = sql`(announcement.audience = 'END_USER' and ${isLive})`;

const ofImage = sql`image.announcement_id is not null and exists (
  select from announcement where announcement.tenant_id = image.tenant_id
    and announcement.id = image.announcement_id`;

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
    select announcement.id, announcement.version, announcement.content,
      greatest(announcement.publish_at, announcement.updated_at) as update_time
    from announcement
    where announcement.kind = 'VERSION' and ${isReceived(session)}
    order by announcement.publish_at desc, announcement.id desc
    limit 1`);
}

function hasRead(session: Session): Sql {
  return sql`exists (select from announcement_read
    where announcement_read.tenant_id = ${session.tenantId} and announcement_read.announcement_id = announcement.id
      and announcement_read.reader_kind = 'OPERATOR'
      and announcement_read.reader_id = ${session.operatorId})`;
}

function receivedColumns(session: Session): Sql {
  return sql`
    announcement.id, announcement.kind, announcement.title, announcement.version,
    announcement.tenant_id = ${PLATFORM_TENANT_ID} as is_from_platform, announcement.is_pinned,
    ${hasRead(session)} as is_read, announcement.publish_at,
    greatest(announcement.publish_at, announcement.updated_at) as update_time`;
}

export type ReceivedQuery = Input<typeof announcementContract.received>["query"];

/** Pinned first, then newest first. */
export function findReceived(
  db: Db,
  session: Session,
  query: ReceivedQuery,
): Promise<Page<ReceivedAnnouncement>> {
  const conditions = and(
    isReceived(session),
    textSql(query.keyword, sql`announcement.title`, sql`announcement.version`),
    query.kind && sql`announcement.kind = ${query.kind}`,
    query.isRead !== undefined && sql`${hasRead(session)} = ${query.isRead}`,
  );
  const matched = sql`from announcement where ${conditions}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${receivedColumns(session)} ${matched}
      order by announcement.is_pinned desc, announcement.publish_at desc,
        announcement.id desc ${pageLimits(query)}`,
  });
}

/** Unread announcements, and those of the last 3 days; newest first. Version notices have a dialog of their own. */
export function findNews(db: Db, session: Session, limit: number): Promise<ReceivedAnnouncement[]> {
  return db.many(sql`
    select ${receivedColumns(session)} from announcement
    where announcement.kind = 'NOTICE' and ${isReceived(session)}
      and (announcement.publish_at > now() - interval '3 days' or not ${hasRead(session)})
    order by announcement.publish_at desc, announcement.id desc limit ${limit}`);
}

export function findReceivedOne(
  db: Db,
  session: Session,
  id: number,
): Promise<(ReceivedAnnouncement & { content: string }) | null> {
  return db.maybe(sql`
    select ${receivedColumns(session)}, announcement.content from announcement
    where announcement.id = ${id} and ${isReceived(session)}`);
}

/** Marks those that the account receives as read, and returns their names, also of earlier reads. */
export function markRead(
  db: Db,
  session: Session,
  ids: number[],
): Promise<{ id: number; name: string }[]> {
  return db.many(sql`
    with received as (
      select announcement.id, concat_ws(' ', nullif(announcement.version, ''),
        nullif(announcement.title, '')) as name
      from announcement where announcement.id = any(${ids}) and ${isReceived(session)}
    ), read as (
      insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id)
      select ${session.tenantId}, received.id, 'OPERATOR', ${session.operatorId}::bigint
      from received
      on conflict do nothing
    )
    select id, name from received order by id`);
}

export type RecipientQuery = Input<typeof announcementContract.recipients>["query"];

/** Readers first, the latest on top. */
export function findRecipients(
  db: Db,
  of: { id: number; audience: AnnouncementAudience },
  query: RecipientQuery,
): Promise<Page<AnnouncementRecipient>> {
  const isOf = sql`announcement_read.announcement_id = announcement.id
    and announcement_read.reader_kind = ${of.audience}`;
  const people = {
    OPERATOR: sql`from announcement join operator on ${isAddressedSql}
          join tenant on tenant.id = operator.tenant_id
          left join announcement_read
            on ${isOf} and announcement_read.tenant_id = operator.tenant_id
              and announcement_read.reader_id = operator.id`,
    END_USER: sql`from announcement
          join end_user on end_user.tenant_id = announcement.tenant_id
            and end_user.deleted_at is null
          join tenant on tenant.id = end_user.tenant_id
          left join announcement_read
            on ${isOf} and announcement_read.tenant_id = end_user.tenant_id
              and announcement_read.reader_id = end_user.id`,
  }[of.audience];
  const reader = { OPERATOR: sql`operator`, END_USER: sql`end_user` }[of.audience];
  const who = {
    OPERATOR: sql`operator.display_name as name, operator.user_type::int as user_type`,
    END_USER: sql`coalesce(nullif(end_user.name, ''), left(end_user.phone, 3) || '****' ||
        right(end_user.phone, 4)) as name,
          null::int as user_type`,
  }[of.audience];
  const isRead =
    query.isRead === undefined
      ? sql`true`
      : sql`(announcement_read.read_at is not null) = ${query.isRead}`;
  const matched = sql`${people} where announcement.id = ${of.id} and ${isRead}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${reader}.id, ${who}, tenant.name as tenant_name, announcement_read.read_at ${matched}
      order by announcement_read.read_at desc nulls last, ${reader}.tenant_id, ${reader}.id ${pageLimits(query)}`,
  });
}

/** Announcements of the tenant for users of the app. */
export function findForEndUser(
  db: Db,
  { tenantId, endUserId }: EndUser,
  query: PageRequest,
): Promise<Page<AppAnnouncement>> {
  const matched = sql`from announcement where announcement.tenant_id = ${tenantId} and ${isForPeople}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select announcement.id, announcement.title, announcement.content, announcement.is_pinned,
        announcement.publish_at,
        exists (select from announcement_read where announcement_read.tenant_id = ${tenantId}
          and announcement_read.announcement_id = announcement.id
          and announcement_read.reader_kind = 'END_USER'
          and announcement_read.reader_id = ${endUserId}) as is_read
      ${matched} order by announcement.is_pinned desc, announcement.publish_at desc,
      announcement.id desc ${pageLimits(query)}`,
  });
}

/** False when no such announcement addresses the user. */
export async function markReadByEndUser(
  db: Db,
  { tenantId, endUserId }: EndUser,
  id: number,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select announcement.id from announcement
    where announcement.tenant_id = ${tenantId} and announcement.id = ${id} and ${isForPeople}`);
  if (!found) return false;
  await db.run(sql`
    insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id)
    values (${tenantId}, ${id}, 'END_USER', ${endUserId})
    on conflict do nothing`);
  return true;
}
