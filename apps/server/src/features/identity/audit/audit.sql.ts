// SQL for reading the audit log, newest first.
import type { AuditEntry, auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { beginsWith, contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { isOfSeenAccount } from "../operator/index.ts";

export type AuditQuery = Input<typeof auditContract.list>["query"];

/**
 * A store-bound account sees only actions of the accounts it may see; others may concern other
 * stores.
 */
function isVisible(session: Session, requestedTenantId?: number): Sql {
  return sql`${tenantPredicate(session, sql`a.tenant_id`, requestedTenantId)}
    and ${isOfSeenAccount(session, sql`a.actor_tenant_id`, sql`a.actor_id`)}`;
}

function matching(session: Session, query: AuditQuery): Sql {
  const conditions = [isVisible(session, query.tenantId)];
  if (query.actor?.trim()) {
    conditions.push(sql`(a.actor_name ilike ${contains(query.actor)}
      or (a.actor_tenant_id, a.actor_id) in (
        select o.tenant_id, o.id from operator o where o.display_name ilike ${contains(query.actor)}))`);
  }
  if (query.call) conditions.push(sql`a.call = ${query.call}`);
  if (query.target?.trim()) conditions.push(sql`a.target ilike ${contains(query.target)}`);
  if (query.address?.trim()) {
    conditions.push(sql`host(a.address) like ${beginsWith(query.address)}`);
  }
  if (query.request?.trim()) conditions.push(sql`a.request_id = ${query.request.trim()}`);
  if (query.from) conditions.push(sql`a.at >= ${query.from}`);
  if (query.to) conditions.push(sql`a.at <= ${query.to}`);
  return join(conditions, " and ");
}

const fields = sql`a.id, a.at, a.tenant_id as "tenantId",
  (select t.name from tenant t where t.id = a.tenant_id) as "tenantName",
  a.actor_name as "actorName",
  (select o.display_name from operator o
    where o.tenant_id = a.actor_tenant_id and o.id = a.actor_id) as "actorDisplayName",
  a.actor_tenant_id is distinct from a.tenant_id as "isByPlatform", a.call, a.summary, a.target,
  a.reason, host(a.address) as address, a.request_id as "requestId"`;

/** Newest first. */
export function findEntries(
  db: Db,
  session: Session,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const matched = sql`from audit_log a where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`select ${fields} ${matched} order by a.at desc, a.id desc ${pageLimits(query)}`,
  });
}

export interface EntryRow extends AuditEntry {
  before: unknown;
  after: unknown;
  seq: number | null;
  hash: string | null;
}

export function findEntry(db: Db, session: Session, id: number): Promise<EntryRow | null> {
  return db.maybe(sql`
    select ${fields}, a.before, a.after, l.seq, encode(l.hash, 'hex') as hash
    from audit_log a
    left join audit_link l on l.tenant_id = a.tenant_id and l.entry_id = a.id
    where a.id = ${id} and ${isVisible(session)}`);
}
