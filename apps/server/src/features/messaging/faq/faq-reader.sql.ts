// Reads questions for their readers: the tenant's own before the platform's not hidden ones; the platform's for
// accounts.

import { PLATFORM_TENANT_ID } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  FaqAnswer,
  FaqOfPlatform,
  faqContract,
} from "@cabinet/contract/messaging/faq/faq.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, sql } from "../../../platform/db/sql.ts";
import type { ImageUse } from "../rich-text/index.ts";
import { isAbout } from "./faq.sql.ts";

const category = sql`
  join faq_category category on category.tenant_id = faq.tenant_id
    and category.id = faq.category_id`;
const answer = sql`faq.id, category.name as category, faq.question, faq.answer`;
const order = sql`category.sort, category.id, faq.sort, faq.id`;
const isHiddenBy = (tenantId: number) => sql`exists (
  select from faq_hidden where faq_hidden.tenant_id = ${tenantId} and faq_hidden.faq_id = faq.id)`;

const ofImage = sql`image.faq_id is not null and exists (
  select from faq ${category} where faq.tenant_id = image.tenant_id and faq.id = image.faq_id
    and faq.is_on`;

/** Images in answers: every account may read those of the platform. */
export const faqImages: ImageUse = {
  toAccount: () => sql`(${ofImage} and faq.tenant_id = ${PLATFORM_TENANT_ID}))`,
  toPeople: sql`(${ofImage} and category.audience = 'END_USER'))`,
};

/** An upper bound that no list reaches, instead of paging. */
const MOST = 500;

export function findHelp(db: Db, keyword = ""): Promise<FaqAnswer[]> {
  const isFound = keyword.trim() ? isAbout(keyword) : sql`true`;
  return db.many(sql`
    select ${answer} from faq ${category}
    where faq.tenant_id = ${PLATFORM_TENANT_ID} and faq.is_on and category.audience = 'OPERATOR'
      and ${isFound}
    order by ${order} limit ${MOST}`);
}

export function findForPeople(db: Db, tenantId: number, keyword = ""): Promise<FaqAnswer[]> {
  const isFound = keyword.trim() ? isAbout(keyword) : sql`true`;
  return db.many(sql`
    select ${answer} from faq ${category}
    where faq.is_on and category.audience = 'END_USER' and ${isFound}
      and (faq.tenant_id = ${tenantId}
        or (faq.tenant_id = ${PLATFORM_TENANT_ID} and not ${isHiddenBy(tenantId)}))
    order by (faq.tenant_id = ${tenantId}) desc, ${order} limit ${MOST}`);
}

export type PlatformQuery = Omit<Input<typeof faqContract.ofPlatform>["query"], "tenantId">;

export function findOfPlatform(
  db: Db,
  tenantId: number,
  query: PlatformQuery,
): Promise<Page<FaqOfPlatform>> {
  const conditions = and(
    sql`faq.tenant_id = ${PLATFORM_TENANT_ID} and faq.is_on and category.audience = 'END_USER'`,
    query.keyword?.trim() && isAbout(query.keyword),
    query.isHidden !== undefined && sql`${isHiddenBy(tenantId)} = ${query.isHidden}`,
  );
  const matched = sql`from faq ${category} where ${conditions}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${answer}, ${isHiddenBy(tenantId)} as is_hidden ${matched}
      order by ${order} ${pageLimits(query)}`,
  });
}

/** Null when the platform has no such question for end users. */
export function findOneOfPlatform(db: Db, id: number): Promise<{ question: string } | null> {
  return db.maybe(sql`
    select faq.question from faq ${category}
    where faq.tenant_id = ${PLATFORM_TENANT_ID} and faq.id = ${id} and faq.is_on
      and category.audience = 'END_USER'`);
}

/** Returns whether this changed anything. */
export async function hideFaq(
  db: Db,
  v: { tenantId: number; faqId: number; isHidden: boolean; by: string },
): Promise<boolean> {
  const changed = v.isHidden
    ? await db.run(sql`
        insert into faq_hidden (tenant_id, faq_id, hidden_by)
        values (${v.tenantId}, ${v.faqId}, ${v.by}) on conflict do nothing`)
    : await db.run(sql`
        delete from faq_hidden where tenant_id = ${v.tenantId} and faq_id = ${v.faqId}`);
  return changed > 0;
}
