// Tags and their assignments in the database.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { TagColor } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import type { Tag, TagMark, tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, sql } from "../../../platform/db/sql.ts";
import { personPredicate } from "../../organization/store/index.ts";
import type { EndUserKey } from "./end-user.sql.ts";

type TagQuery = Input<typeof tagContract.list>["query"];

const columns = sql`
  tag.id, tag.tenant_id, tenant.name as tenant_name, tag.name, tag.color, tag.remark,
  (
    select count(*)::int from end_user_tag user_tag
    where user_tag.tenant_id = tag.tenant_id and user_tag.tag_id = tag.id) as users,
  tag.edited_at, tag.edited_by, tag.edit_version`;

/** Sorted by name: tags are mostly picked from a list. */
export function findTags(db: Db, session: Session, query: TagQuery): Promise<Page<Tag>> {
  const name = query.name?.trim();
  const conditions = and(
    tenantPredicate(session, sql`tag.tenant_id`, query.tenantId),
    name && sql`strpos(tag.name, ${name}) > 0`,
  );
  const matched = sql`
    from tag join tenant on tenant.id = tag.tenant_id where ${conditions}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns} ${matched} order by tag.tenant_id, tag.name, tag.id ${pageLimits(query)}`,
  });
}

export type TagRow = Omit<Tag, "tenantName">;

export function lockTag(db: Db, session: Session, id: number): Promise<TagRow | null> {
  return db.maybe(sql`
    select ${columns} from tag join tenant on tenant.id = tag.tenant_id
    where tag.id = ${id} and ${tenantPredicate(session, sql`tag.tenant_id`)}
    for update of tag`);
}

/** Advisory lock per tenant: serialises changes of tag names. */
export async function lockTagNames(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('tag name'), ${tenantId})`);
}

export function findTagNames(db: Db, tenantId: number): Promise<{ id: number; name: string }[]> {
  return db.many(sql`select id, name from tag where tenant_id = ${tenantId}`);
}

export interface TagDraft {
  name: string;
  color: TagColor;
  remark: string;
}

export async function insertTag(
  db: Db,
  tenantId: number,
  draft: TagDraft,
  editedBy: string,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into tag (tenant_id, name, color, remark, edited_by)
    values (${tenantId}, ${draft.name}, ${draft.color}, ${draft.remark}, ${editedBy})
    returning id`);
  return id;
}

export async function updateTag(
  db: Db,
  { tenantId, id }: EndUserKey,
  draft: TagDraft,
  editedBy: string,
): Promise<void> {
  await db.run(sql`
    update tag set name = ${draft.name}, color = ${draft.color}, remark = ${draft.remark},
      edit_version = edit_version + 1, edited_at = now(), edited_by = ${editedBy}
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Also removes the tag from everyone who has it. */
export async function deleteTag(db: Db, { tenantId, id }: EndUserKey): Promise<void> {
  await db.run(sql`delete from tag where tenant_id = ${tenantId} and id = ${id}`);
}

/** Returns the tags that this account may see, locked until the transaction ends. */
export function lockTags(
  db: Db,
  session: Session,
  ids: readonly number[],
): Promise<(TagMark & { tenantId: number })[]> {
  return db.many(sql`
    select tag.id, tag.tenant_id, tag.name, tag.color from tag
    where tag.id = any(${ids}::bigint[]) and ${tenantPredicate(session, sql`tag.tenant_id`)}
    order by tag.id
    for key share of tag`);
}

export interface TaggedUser extends EndUserKey {
  userName: string;
  phone: string;
  tagIds: number[];
}

/**
 * Locks the users that this account may see, in the order of their ids; returns each with its tags.
 */
export function lockUsersForTags(
  db: Db,
  session: Session,
  ids: readonly number[],
): Promise<TaggedUser[]> {
  return db.many(sql`
    select end_user.id, end_user.tenant_id, end_user.name as user_name,
      end_user.phone, array(
      select user_tag.tag_id from end_user_tag user_tag
      where user_tag.tenant_id = end_user.tenant_id and user_tag.end_user_id = end_user.id
      order by user_tag.tag_id) as tag_ids
    from end_user
    where end_user.id = any(${ids}::bigint[]) and end_user.deleted_at is null
      and ${personPredicate(session, sql`end_user.tenant_id`, sql`end_user.id`)}
    order by end_user.id
    for no key update of end_user`);
}

export function findTagMarks(db: Db, tenantId: number, ids: readonly number[]): Promise<TagMark[]> {
  return db.many(sql`
    select id, name, color from tag
    where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) order by name`);
}

export async function insertUserTags(
  db: Db,
  tenantId: number,
  endUserIds: readonly number[],
  tagIds: readonly number[],
): Promise<void> {
  await db.run(sql`
    insert into end_user_tag (tenant_id, end_user_id, tag_id)
    select ${tenantId}::int, u, g
    from unnest(${endUserIds}::bigint[]) u, unnest(${tagIds}::bigint[]) g
    on conflict do nothing`);
}

export async function deleteUserTags(
  db: Db,
  { tenantId, id }: EndUserKey,
  kept: readonly number[],
): Promise<void> {
  await db.run(sql`
    delete from end_user_tag
    where tenant_id = ${tenantId} and end_user_id = ${id} and tag_id <> all(${kept}::bigint[])`);
}
