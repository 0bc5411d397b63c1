// Questions in the database: the list, changes to one, and their order.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  Faq,
  FaqDetail,
  FaqDraft,
  faqContract,
} from "@cabinet/contract/messaging/faq/faq.contract.ts";
import type { FaqAudience } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { swapWithNeighbour } from "../../../platform/db/sort.sql.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";

export type FaqQuery = Input<typeof faqContract.list>["query"];

const columns = sql`
  faq.id, faq.tenant_id, tenant.name as tenant_name, faq.category_id, category.name as category,
  category.audience, faq.question, faq.is_on, faq.edit_version, faq.edited_by, faq.updated_at`;

const joins = sql`
  join faq_category category on category.tenant_id = faq.tenant_id and category.id = faq.category_id
  join tenant on tenant.id = faq.tenant_id`;

/** Matches the row `faq` by keyword, ignoring HTML tags in the answer. */
export function isAbout(keyword: string): Sql {
  const pattern = contains(keyword);
  return sql`(faq.question ilike ${pattern}
    or regexp_replace(faq.answer, '<[^>]*>', ' ', 'g') ilike ${pattern})`;
}

function matching(session: Session, query: FaqQuery): Sql {
  return and(
    tenantPredicate(session, sql`faq.tenant_id`, query.tenantId),
    query.keyword?.trim() && isAbout(query.keyword),
    query.audience && sql`category.audience = ${query.audience}`,
    query.categoryId && sql`faq.category_id = ${query.categoryId}`,
    query.isOn !== undefined && sql`faq.is_on = ${query.isOn}`,
  );
}

/** In the order in which end users read them. */
export function findFaqs(db: Db, session: Session, query: FaqQuery): Promise<Page<Faq>> {
  const matched = sql`from faq ${joins} where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns} ${matched}
      order by faq.tenant_id, category.audience, category.sort, category.id, faq.sort,
        faq.id ${pageLimits(query)}`,
  });
}

export function findFaq(db: Db, session: Session, id: number): Promise<FaqDetail | null> {
  return db.maybe(sql`
    select ${columns}, faq.answer from faq ${joins}
    where faq.id = ${id} and ${tenantPredicate(session, sql`faq.tenant_id`)}`);
}

export interface FaqRow {
  tenantId: number;
  id: number;
  categoryId: number;
  question: string;
  isOn: boolean;
  sort: number;
  editVersion: number;
  editedBy: string;
}

/** Locks the row until the transaction ends; null when there is none that this account may see. */
export function lockFaq(db: Db, session: Session, id: number): Promise<FaqRow | null> {
  return db.maybe(sql`
    select faq.tenant_id, faq.id, faq.category_id, faq.question, faq.is_on, faq.sort,
      faq.edit_version, faq.edited_by
    from faq where faq.id = ${id} and ${tenantPredicate(session, sql`faq.tenant_id`)}
    for no key update`);
}

const lastOf = (tenantId: number, categoryId: number) => sql`
  (select coalesce(max(sort), 0) + 1 from faq
    where tenant_id = ${tenantId} and category_id = ${categoryId})`;

/** Adds it at the end of its category; returns its id. */
export async function insertFaq(
  db: Db,
  tenantId: number,
  v: FaqDraft & { by: string },
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into faq (tenant_id, category_id, question, answer, is_on, sort, edited_by)
    values (${tenantId}, ${v.categoryId}, ${v.question}, ${v.answer}, ${v.isOn},
      ${lastOf(tenantId, v.categoryId)}, ${v.by})
    returning id`);
  return id;
}

/** Moved to another category, it comes last there. */
export async function updateFaq(
  db: Db,
  { tenantId, id, categoryId }: FaqRow,
  v: FaqDraft & { by: string },
): Promise<void> {
  const sort = v.categoryId === categoryId ? sql`sort` : lastOf(tenantId, v.categoryId);
  await db.run(sql`
    update faq set category_id = ${v.categoryId}, question = ${v.question}, answer = ${v.answer},
      is_on = ${v.isOn}, sort = ${sort}, edited_by = ${v.by}, updated_at = now(),
      edit_version = edit_version + 1
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function turnFaq(
  db: Db,
  { tenantId, id }: FaqRow,
  v: { isOn: boolean; by: string },
): Promise<void> {
  await db.run(sql`
    update faq set is_on = ${v.isOn}, edited_by = ${v.by}, updated_at = now(),
      edit_version = edit_version + 1
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function deleteFaq(db: Db, { tenantId, id }: FaqRow): Promise<void> {
  await db.run(sql`delete from faq where tenant_id = ${tenantId} and id = ${id}`);
}

/** Swaps places with its neighbour within its category; false when there is none. */
export function swapFaq(db: Db, row: FaqRow, step: "up" | "down"): Promise<boolean> {
  return swapWithNeighbour(db, row, step, {
    table: sql`faq`,
    among: sql`category_id = ${row.categoryId}`,
  });
}

/** The audience of the tenant's category; null when the tenant has no such category. */
export function findCategoryAudience(
  db: Db,
  tenantId: number,
  id: number,
): Promise<{ audience: FaqAudience } | null> {
  return db.maybe(sql`
    select audience from faq_category where tenant_id = ${tenantId} and id = ${id} for key share`);
}
