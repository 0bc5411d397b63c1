// SQL to list and end console sessions.

import type {
  OnlineSession,
  sessionContract,
} from "@cabinet/contract/identity/session/session.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import { beginsWith, contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { isSessionAliveSql } from "../auth/index.ts";
import { operatorPredicate } from "../operator/index.ts";

export type SessionQuery = Input<typeof sessionContract.list>["query"];
export type OnlineSessionRow = Omit<OnlineSession, "device" | "isManageable"> & {
  operatorId: number;
};

const isAlive = sql`${isSessionAliveSql(sql`s`)} and o.disabled_at is null`;
const joined = sql`session s join operator o on o.tenant_id = s.tenant_id and o.id = s.operator_id`;

function matching(session: Session, query: SessionQuery): Sql {
  const conditions = [operatorPredicate(session, query.tenantId), isAlive];
  if (query.username?.trim()) {
    const pattern = contains(query.username);
    conditions.push(sql`(o.username ilike ${pattern} or o.display_name ilike ${pattern})`);
  }
  if (query.address?.trim()) {
    conditions.push(sql`host(s.address) like ${beginsWith(query.address)}`);
  }
  return join(conditions, " and ");
}

/** Most recently active first. */
export function findSessions(
  db: Db,
  session: Session,
  query: SessionQuery,
): Promise<Page<OnlineSessionRow>> {
  const matched = sql`from ${joined} where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select s.id, s.tenant_id as "tenantId", s.operator_id as "operatorId",
        (select t.name from tenant t where t.id = s.tenant_id) as "tenantName",
        o.username, o.display_name as "displayName", o.user_type as "userType",
        (select t.name from tenant t where t.id = s.visited_tenant_id) as "visitedTenantName",
        s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt",
        host(s.address) as address, coalesce(s.user_agent, '') as "userAgent",
        s.token_hash = ${session.tokenHash} as "isOwn"
      ${matched}
      order by s.last_seen_at desc, s.id desc
      ${pageLimits(query)}`,
  });
}

export interface EndableSession {
  tenantId: number;
  operatorId: number;
  username: string;
  tokenHash: Buffer;
  address: string | null;
  createdAt: string;
}

export function findSession(db: Db, session: Session, id: number): Promise<EndableSession | null> {
  return db.maybe(sql`
    select s.tenant_id as "tenantId", s.operator_id as "operatorId", o.username,
      s.token_hash as "tokenHash", host(s.address) as address, s.created_at as "createdAt"
    from ${joined}
    where s.id = ${id} and ${operatorPredicate(session)} and ${isAlive}`);
}
