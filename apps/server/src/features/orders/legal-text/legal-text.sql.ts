// SQL for legal texts by version, and the consents of people.

import type {
  LegalText,
  LegalTextDetail,
} from "@cabinet/contract/orders/legal-text/legal-text.contract.ts";
import type { LegalTextKind } from "@cabinet/contract/orders/legal-text/legal-text.rules.ts";
import type {
  Agreed,
  LegalConsent,
  LegalVersion,
} from "@cabinet/contract/orders/legal-text/legal-text.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { PLATFORM_TENANT_ID } from "../../organization/tenant/index.ts";

/** Newest text of each kind: the tenant's own, otherwise the platform's. */
const inForce = (tenantId: number, columns: Sql) => sql`
  select distinct on (legal_text.kind) legal_text.kind, legal_text.version,
    legal_text.tenant_id <> ${tenantId} as is_of_platform, ${columns}
  from legal_text where legal_text.tenant_id in (${tenantId}, ${PLATFORM_TENANT_ID})
  order by legal_text.kind desc, legal_text.tenant_id = ${tenantId} desc, legal_text.version desc`;

export function findInForce(db: Db, tenantId: number): Promise<LegalVersion[]> {
  return db.many(sql`
    select text.kind, text.version, text.is_of_platform
    from (${inForce(tenantId, sql`legal_text.id`)}) text`);
}

export function findTextInForce(
  db: Db,
  tenantId: number,
  kind: LegalTextKind,
): Promise<(LegalVersion & { body: string; publishedAt: string }) | null> {
  return db.maybe(sql`
    select text.* from (${inForce(tenantId, sql`legal_text.body, legal_text.published_at`)}) text
    where text.kind = ${kind}`);
}

interface Person {
  tenantId: number;
  endUserId: number;
}

export function findConsents(db: Db, { tenantId, endUserId }: Person): Promise<LegalConsent[]> {
  return db.many(sql`
    select text.kind, text.version, text.is_of_platform, legal_consent.agreed_at
    from (${inForce(tenantId, sql`legal_text.id`)}) text
    left join legal_consent on legal_consent.tenant_id = ${tenantId}
      and legal_consent.end_user_id = ${endUserId} and legal_consent.legal_text_id = text.id`);
}

/** A version that is not in force any more is not recorded: the person has not seen the one that is. */
export async function insertConsents(
  db: Db,
  { tenantId, endUserId }: Person,
  agreed: Agreed,
): Promise<void> {
  if (agreed.length === 0) return;
  await db.run(sql`
    insert into legal_consent (tenant_id, end_user_id, legal_text_id)
    select ${tenantId}, ${endUserId}, text.id
    from (${inForce(tenantId, sql`legal_text.id`)}) text
    join jsonb_to_recordset(${JSON.stringify(agreed)}::jsonb) given (kind text, version int)
      on given.kind = text.kind and given.version = text.version
    on conflict do nothing`);
}

const columns = (tenantId: number) => sql`
  legal_text.id, legal_text.kind, legal_text.version,
  legal_text.tenant_id <> ${tenantId} as is_of_platform,
  legal_text.published_at, legal_text.published_by,
  (select count(*)::int from legal_consent where legal_consent.legal_text_id = legal_text.id
    and (legal_consent.tenant_id = ${tenantId} or ${tenantId} = ${PLATFORM_TENANT_ID})) as consents`;

export function findTexts(db: Db, tenantId: number): Promise<LegalText[]> {
  return db.many(sql`
    select ${columns(tenantId)} from legal_text
    where legal_text.tenant_id = ${tenantId}
      or legal_text.id in (select text.id from (${inForce(tenantId, sql`legal_text.id`)}) text)
    order by legal_text.kind desc, legal_text.version desc`);
}

export function findText(db: Db, tenantId: number, id: number): Promise<LegalTextDetail | null> {
  return db.maybe(sql`
    select ${columns(tenantId)}, legal_text.body from legal_text
    where legal_text.id = ${id} and legal_text.tenant_id in (${tenantId}, ${PLATFORM_TENANT_ID})`);
}

/** Newest own version under an advisory lock, which serializes publications; null before the first. */
export async function lockNewest(
  db: Db,
  tenantId: number,
  kind: LegalTextKind,
): Promise<{ editVersion: number } | null> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('legal text'), ${tenantId})`);
  return db.maybe(sql`
    select version as edit_version from legal_text
    where tenant_id = ${tenantId} and kind = ${kind} order by version desc limit 1`);
}

export async function insertText(
  db: Db,
  v: { tenantId: number; kind: LegalTextKind; version: number; body: string; by: string },
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into legal_text (tenant_id, kind, version, body, published_by)
    values (${v.tenantId}, ${v.kind}, ${v.version}, ${v.body}, ${v.by}) returning id`);
  return id;
}
