// The sign-in log in the database.

import type {
  loginLogContract,
  SignInAttempt,
} from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { beginsWith, contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { isOfSeenAccount } from "../operator/index.ts";

export type LoginLogQuery = Input<typeof loginLogContract.list>["query"];
export type LoginLogRow = Omit<SignInAttempt, "device">;

function matching(session: Session, query: LoginLogQuery): Sql {
  const conditions = [
    tenantPredicate(session, sql`l.tenant_id`, query.tenantId),
    isOfSeenAccount(session, sql`l.tenant_id`, sql`l.operator_id`),
  ];
  if (query.username?.trim()) {
    conditions.push(sql`(l.username ilike ${contains(query.username)}
      or (l.tenant_id, l.operator_id) in (
        select o.tenant_id, o.id from operator o
        where o.display_name ilike ${contains(query.username)}))`);
  }
  if (query.outcome) conditions.push(sql`l.outcome = ${query.outcome}`);
  if (query.address?.trim()) {
    conditions.push(sql`host(l.address) like ${beginsWith(query.address)}`);
  }
  if (query.from) conditions.push(sql`l.at >= ${query.from}`);
  if (query.to) conditions.push(sql`l.at <= ${query.to}`);
  return join(conditions, " and ");
}

/** Newest first. */
export function findSignIns(
  db: Db,
  session: Session,
  query: LoginLogQuery,
): Promise<Page<LoginLogRow>> {
  const matched = sql`from login_log l where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select l.id, l.at, l.tenant_id as "tenantId", t.name as "tenantName", l.username,
        o.display_name as "displayName", l.outcome, host(l.address) as address,
        coalesce(l.user_agent, '') as "userAgent"
      from (select * ${matched} order by l.at desc, l.id desc ${pageLimits(query)}) l
      left join tenant t on t.id = l.tenant_id
      left join operator o on o.tenant_id = l.tenant_id and o.id = l.operator_id
      order by l.at desc, l.id desc`,
  });
}
