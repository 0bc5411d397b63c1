// Categories of questions in the database, in their order.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { FaqCategory, faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import type { FaqAudience } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { swapWithNeighbour } from "../../../platform/db/sort.sql.ts";
import { and, sql, textSql } from "../../../platform/db/sql.ts";

export type CategoryQuery = Input<typeof faqContract.categories>["query"];

export function findCategories(
  db: Db,
  session: Session,
  query: CategoryQuery,
): Promise<Page<FaqCategory>> {
  const conditions = and(
    tenantPredicate(session, sql`category.tenant_id`, query.tenantId),
    query.audience && sql`category.audience = ${query.audience}`,
    textSql(query.name, sql`category.name`),
  );
  const matched = sql`
    from faq_category category join tenant on tenant.id = category.tenant_id
    where ${conditions}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select category.id, category.tenant_id, tenant.name as tenant_name, category.name,
        category.audience, category.sort, category.edit_version,
        (select count(*)::int from faq
          where faq.tenant_id = category.tenant_id
            and faq.category_id = category.id) as question_count
      ${matched} order by category.tenant_id, category.audience, category.sort,
      category.id ${pageLimits(query)}`,
  });
}

export interface CategoryRow {
  tenantId: number;
  id: number;
  name: string;
  audience: FaqAudience;
  sort: number;
  editVersion: number;
  editedBy: string;
}

/** Locks the row until the transaction ends; null when there is none that this account may see. */
export function lockCategory(db: Db, session: Session, id: number): Promise<CategoryRow | null> {
  return db.maybe(sql`
    select category.tenant_id, category.id, category.name, category.audience, category.sort,
      category.edit_version, category.edited_by
    from faq_category category where category.id = ${id} and ${tenantPredicate(session, sql`category.tenant_id`)}
    for update`);
}

/** Adds it at the end of its audience's categories; null when the name is taken. */
export async function insertCategory(
  db: Db,
  v: { tenantId: number; name: string; audience: FaqAudience; by: string },
): Promise<number | null> {
  const made = await db.maybe<{ id: number }>(sql`
    insert into faq_category (tenant_id, name, audience, sort, edited_by)
    values (${v.tenantId}, ${v.name}, ${v.audience},
      (select coalesce(max(sort), 0) + 1 from faq_category
        where tenant_id = ${v.tenantId} and audience = ${v.audience}), ${v.by})
    on conflict (tenant_id, audience, name) do nothing
    returning id`);
  return made?.id ?? null;
}

export function findCategoryByName(
  db: Db,
  { tenantId, audience }: CategoryRow,
  name: string,
): Promise<{ id: number } | null> {
  return db.maybe(sql`
    select id from faq_category
    where tenant_id = ${tenantId} and audience = ${audience} and name = ${name}`);
}

export async function renameCategory(
  db: Db,
  { tenantId, id }: CategoryRow,
  v: { name: string; by: string },
): Promise<void> {
  await db.run(sql`
    update faq_category set name = ${v.name}, edited_by = ${v.by}, edit_version = edit_version + 1
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function countQuestions(db: Db, { tenantId, id }: CategoryRow): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from faq where tenant_id = ${tenantId} and category_id = ${id}`);
  return count;
}

export async function deleteCategory(db: Db, { tenantId, id }: CategoryRow): Promise<void> {
  await db.run(sql`delete from faq_category where tenant_id = ${tenantId} and id = ${id}`);
}

/** Swaps places with its neighbour within its audience; false when there is none. */
export function swapCategory(db: Db, row: CategoryRow, step: "up" | "down"): Promise<boolean> {
  return swapWithNeighbour(db, row, step, {
    table: sql`faq_category`,
    among: sql`audience = ${row.audience}`,
  });
}
