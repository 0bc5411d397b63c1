// The sign-in log in the database.

import type {
  loginLogContract,
  SignInAttempt,
} from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { beginsWith, contains } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { isOfSeenAccount } from "../operator/index.ts";

export type LoginLogQuery = Input<typeof loginLogContract.list>["query"];
export type LoginLogRow = Omit<SignInAttempt, "device">;

function matching(session: Session, query: LoginLogQuery): Sql {
  return and(
    tenantPredicate(session, sql`login.tenant_id`, query.tenantId),
    isOfSeenAccount(session, sql`login.tenant_id`, sql`login.operator_id`),
    query.username?.trim() &&
      sql`(login.username ilike ${contains(query.username)}
        or (login.tenant_id, login.operator_id) in (
          select operator.tenant_id, operator.id from operator
          where operator.display_name ilike ${contains(query.username)}))`,
    query.outcome && sql`login.outcome = ${query.outcome}`,
    query.address?.trim() && sql`host(login.address) like ${beginsWith(query.address)}`,
    periodSql(sql`login.at`, query),
  );
}

/** Newest first. */
export function findSignIns(
  db: Db,
  session: Session,
  query: LoginLogQuery,
): Promise<Page<LoginLogRow>> {
  const matched = sql`from login_log login where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select login.id, login.at, login.tenant_id, tenant.name as tenant_name, login.username,
        operator.display_name, login.outcome, host(login.address) as address,
        coalesce(login.user_agent, '') as user_agent
      from (select * ${matched} order by login.at desc, login.id desc ${pageLimits(query)}) login
      left join tenant on tenant.id = login.tenant_id
      left join operator on operator.tenant_id = login.tenant_id and operator.id = login.operator_id
      order by login.at desc, login.id desc`,
  });
}
