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
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { swapWithNeighbour } from "../../../platform/db/sort.sql.ts";

export type FaqQuery = Input<typeof faqContract.list>["query"];

const columns = sql`
  q.id, q.tenant_id as "tenantId", t.name as "tenantName", q.category_id as "categoryId",
  c.name as category, c.audience, q.question, q.is_on as "isOn", q.edit_version as "editVersion",
  q.edited_by as "editedBy", q.updated_at as "updatedAt"`;

const joins = sql`
  join faq_category c on c.tenant_id = q.tenant_id and c.id = q.category_id
  join tenant t on t.id = q.tenant_id`;

/** Matches question `q` by keyword, ignoring HTML tags in the answer. */
export function isAbout(keyword: string): Sql {
  const pattern = contains(keyword);
  return sql`(q.question ilike ${pattern}
    or regexp_replace(q.answer, '<[^>]*>', ' ', 'g') ilike ${pattern})`;
}

function matching(session: Session, query: FaqQuery): Sql {
  const conditions = [tenantPredicate(session, sql`q.tenant_id`, query.tenantId)];
  if (query.keyword?.trim()) conditions.push(isAbout(query.keyword));
  if (query.audience) conditions.push(sql`c.audience = ${query.audience}`);
  if (query.categoryId) conditions.push(sql`q.category_id = ${query.categoryId}`);
  if (query.isOn !== undefined) conditions.push(sql`q.is_on = ${query.isOn}`);
  return join(conditions, " and ");
}

/** In the order in which end users read them. */
export function findFaqs(db: Db, session: Session, query: FaqQuery): Promise<Page<Faq>> {
  const matched = sql`from faq q ${joins} where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns} ${matched}
      order by q.tenant_id, c.audience, c.sort, c.id, q.sort, q.id ${pageLimits(query)}`,
  });
}

export function findFaq(db: Db, session: Session, id: number): Promise<FaqDetail | null> {
  return db.maybe(sql`
    select ${columns}, q.answer from faq q ${joins}
    where q.id = ${id} and ${tenantPredicate(session, sql`q.tenant_id`)}`);
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
    select q.tenant_id as "tenantId", q.id, q.category_id as "categoryId", q.question,
      q.is_on as "isOn", q.sort, q.edit_version as "editVersion", q.edited_by as "editedBy"
    from faq q where q.id = ${id} and ${tenantPredicate(session, sql`q.tenant_id`)}
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
