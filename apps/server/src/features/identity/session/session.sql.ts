// SQL to list and end console sessions.

import type {
  OnlineSession,
  sessionContract,
} from "@cabinet/contract/identity/session/session.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import { beginsWith } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { isSessionAliveSql } from "../auth/index.ts";
import { operatorPredicate } from "../operator/index.ts";

export type SessionQuery = Input<typeof sessionContract.list>["query"];
export type OnlineSessionRow = Omit<OnlineSession, "device" | "isManageable"> & {
  operatorId: number;
};

const isAlive = sql`${isSessionAliveSql(sql`session`)} and operator.disabled_at is null`;
const joined = sql`session join operator on operator.tenant_id = session.tenant_id
  and operator.id = session.operator_id`;

function matching(session: Session, query: SessionQuery): Sql {
  return and(
    operatorPredicate(session, query.tenantId),
    isAlive,
    textSql(query.username, sql`operator.username`, sql`operator.display_name`),
    query.address?.trim() && sql`host(session.address) like ${beginsWith(query.address)}`,
  );
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
      select session.id, session.tenant_id, session.operator_id,
        (select tenant.name from tenant where tenant.id = session.tenant_id) as tenant_name,
        operator.username, operator.display_name, operator.user_type,
        (select tenant.name from tenant where tenant.id = session.visited_tenant_id) as visited_tenant_name,
        session.created_at, session.last_seen_at, session.expires_at,
        host(session.address) as address, coalesce(session.user_agent, '') as user_agent,
        session.token_hash = ${session.tokenHash} as is_own
      ${matched}
      order by session.last_seen_at desc, session.id desc
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
    select session.tenant_id, session.operator_id, operator.username, session.token_hash,
      host(session.address) as address, session.created_at
    from ${joined}
    where session.id = ${id} and ${operatorPredicate(session)} and ${isAlive}`);
}
