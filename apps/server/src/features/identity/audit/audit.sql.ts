// SQL for reading the audit log, newest first.
import type { AuditEntry, auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { beginsWith, contains } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { isOfSeenAccount } from "../operator/index.ts";

export type AuditQuery = Input<typeof auditContract.list>["query"];

/**
 * A store-bound account sees only actions of the accounts it may see; others may concern other
 * stores.
 */
function isVisible(session: Session, requestedTenantId?: number): Sql {
  return sql`${tenantPredicate(session, sql`audit.tenant_id`, requestedTenantId)}
    and ${isOfSeenAccount(session, sql`audit.actor_tenant_id`, sql`audit.actor_id`)}`;
}

function matching(session: Session, query: AuditQuery): Sql {
  return and(
    isVisible(session, query.tenantId),
    query.actor?.trim() &&
      sql`(audit.actor_name ilike ${contains(query.actor)}
        or (audit.actor_tenant_id, audit.actor_id) in (
          select operator.tenant_id, operator.id from operator
          where operator.display_name ilike ${contains(query.actor)}))`,
    query.call && sql`audit.call = ${query.call}`,
    textSql(query.target, sql`audit.target`),
    query.address?.trim() && sql`host(audit.address) like ${beginsWith(query.address)}`,
    query.request?.trim() && sql`audit.request_id = ${query.request.trim()}`,
    periodSql(sql`audit.at`, query),
  );
}

const fields = sql`audit.id, audit.at, audit.tenant_id,
  (select tenant.name from tenant where tenant.id = audit.tenant_id) as tenant_name,
  audit.actor_name,
  (select operator.display_name from operator
    where operator.tenant_id = audit.actor_tenant_id
      and operator.id = audit.actor_id) as actor_display_name,
  audit.actor_tenant_id is distinct from audit.tenant_id as is_by_platform, audit.call,
  audit.summary, audit.target, audit.reason, host(audit.address) as address, audit.request_id`;

/** Newest first. */
export function findEntries(
  db: Db,
  session: Session,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const matched = sql`from audit_log audit where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`select ${fields} ${matched} order by audit.at desc,
      audit.id desc ${pageLimits(query)}`,
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
    select ${fields}, audit.before, audit.after, link.seq, encode(link.hash, 'hex') as hash
    from audit_log audit
    left join audit_link link on link.tenant_id = audit.tenant_id and link.entry_id = audit.id
    where audit.id = ${id} and ${isVisible(session)}`);
}
