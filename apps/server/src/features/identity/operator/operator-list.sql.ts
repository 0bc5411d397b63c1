// Queries of console accounts: lists, detail, and the visibility predicate.
import type {
  Operator,
  OperatorDetail,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import {
  type Dormancy,
  dormancyDays,
  type OperatorState,
} from "@cabinet/contract/identity/operator/operator.rules.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";
import { and, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import {
  accountKeySql,
  factorExemptUntilSql,
  isFirstPasswordExpiredSql,
  isSessionAliveSql,
  shownExemptUntilSql,
} from "../auth/index.ts";

/** Query parameters common to both lists. */
export interface OperatorQuery {
  page: number;
  pageSize: number;
  keyword?: string;
  phone?: string;
  roleId?: number;
  storeId?: number;
  state?: OperatorState;
  dormancy?: Dormancy;
  tenantId?: number;
  userType?: number;
  sort?: "username" | "lastSignInAt" | "createdAt";
  order?: "asc" | "desc";
}

/** Row with the complete phone, which the service masks, and the account's permissions. */
export interface OperatorRow extends Omit<Operator, "isManageable"> {
  permissions: string[];
}

/**
 * Accounts of the tenants that the session sees. A store-bound session sees only itself and
 * store-bound accounts that share a store with it.
 */
export function operatorPredicate(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`operator.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and (operator.id = ${session.operatorId} or (operator.is_store_bound
    and operator.id in (
    select theirs.operator_id from visible_store theirs
    join visible_store mine on mine.tenant_id = theirs.tenant_id and mine.store_id = theirs.store_id
    where mine.tenant_id = ${session.tenantId} and mine.operator_id = ${session.operatorId})))`;
}

/** Predicate for rows that refer to an account: those of accounts that the session sees. */
export function isOfSeenAccount(session: Session, tenantColumn: Sql, idColumn: Sql): Sql {
  if (!session.isStoreBound) return sql`true`;
  return sql`(${tenantColumn}, ${idColumn}) in (
    select operator.tenant_id, operator.id from operator where ${operatorPredicate(session)})`;
}

const blocked = sql`
  left join sign_in_throttle on sign_in_throttle.key = ${accountKeySql(sql`operator.username`)} and sign_in_throttle.blocked_until > now()`;

const state = sql`case when operator.disabled_at is not null then 'DISABLED'
  when sign_in_throttle.key is not null then 'LOCKED' else 'NORMAL' end`;

const columns = sql`
  operator.id, operator.tenant_id, tenant.name as tenant_name, operator.username,
  operator.display_name, operator.phone, operator.user_type, ${state} as state,
  operator.disabled_at, operator.disabled_by, operator.disable_reason,
  sign_in_throttle.blocked_until as locked_until, operator.must_change_password,
  ${isFirstPasswordExpiredSql} as is_first_password_expired,
  operator.has_second_factor, ${shownExemptUntilSql(factorExemptUntilSql)} as factor_exempt_until,
  operator.last_sign_in_at, operator.is_store_bound, operator.remark, operator.created_at,
  operator.edit_version, operator.permissions,
  coalesce((
    select json_agg(json_build_object('id', role.id, 'name', role.name) order by role.name, role.id)
    from operator_role join role on role.tenant_id = operator_role.tenant_id
      and role.id = operator_role.role_id
    where operator_role.tenant_id = operator.tenant_id and operator_role.operator_id = operator.id),
    '[]') as roles,
  coalesce((
    select json_agg(json_build_object('id', store.id, 'name', store.name)
      order by store.name, store.id)
    from operator_store join store on store.tenant_id = operator_store.tenant_id
      and store.id = operator_store.store_id
    where operator_store.tenant_id = operator.tenant_id
      and operator_store.operator_id = operator.id), '[]') as stores,
  coalesce((
    select json_agg(json_build_object('id', store.id, 'name', store.name) order by store.name, store.id)
    from visible_store join store on store.tenant_id = visible_store.tenant_id
      and store.id = visible_store.store_id
    where operator.is_store_bound and visible_store.tenant_id = operator.tenant_id
      and visible_store.operator_id = operator.id),
    '[]') as visible_stores`;

const joins = sql`join tenant on tenant.id = operator.tenant_id ${blocked}`;

const sortColumns = {
  username: sql`lower(operator.username)`,
  lastSignInAt: sql`operator.last_sign_in_at`,
  createdAt: sql`operator.created_at`,
};
const directions = { asc: sql`asc nulls first`, desc: sql`desc nulls last` };

function dormantSql(dormancy: Dormancy): Sql {
  if (dormancy === "NEVER") return sql`operator.last_sign_in_at is null`;
  return sql`coalesce(operator.last_sign_in_at, operator.created_at)
    < now() - make_interval(days => ${dormancyDays[dormancy]})`;
}

function matching(session: Session, kinds: readonly UserType[], query: OperatorQuery): Sql {
  const conditions = and(
    operatorPredicate(session, query.tenantId),
    sql`operator.user_type = any(${kinds}::int[])`,
    sql`tenant.state <> 'DELETED'`,
    textSql(query.keyword, sql`operator.display_name`, sql`operator.username`),
    query.phone && phoneSql(sql`operator.phone`, query.phone),
    query.userType !== undefined && sql`operator.user_type = ${query.userType}`,
    query.roleId &&
      sql`exists (
        select from operator_role
        where operator_role.tenant_id = operator.tenant_id and operator_role.operator_id = operator.id
          and operator_role.role_id = ${query.roleId})`,
    query.storeId &&
      sql`exists (
        select from operator_store
        where operator_store.tenant_id = operator.tenant_id
          and operator_store.operator_id = operator.id
          and operator_store.store_id = ${query.storeId})`,
    query.state && sql`${state} = ${query.state}`,
    query.dormancy && dormantSql(query.dormancy),
  );
  return sql`from operator ${joins} where ${conditions}`;
}

/** Newest first by default; selects the page of ids first and joins details only for its rows. */
export function findOperators(
  db: Db,
  session: Session,
  kinds: readonly UserType[],
  query: OperatorQuery,
): Promise<Page<OperatorRow>> {
  const { sort, order = "desc" } = query;
  const by = sort
    ? sql`${sortColumns[sort]} ${directions[order]}, operator.id desc`
    : sql`operator.id desc`;
  const matched = matching(session, kinds, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select operator.tenant_id, operator.id ${matched} order by ${by} ${pageLimits(query)}) found
      join operator on operator.tenant_id = found.tenant_id and operator.id = found.id ${joins}
      order by ${by}`,
  });
}

type DetailRow = OperatorRow & Pick<OperatorDetail, "failures" | "sessions" | "managedStores">;

/** Null if it does not exist or this account may not see it. */
export function findOperator(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns},
      coalesce((
        select sign_in_throttle.failures from sign_in_throttle
        where sign_in_throttle.key = ${accountKeySql(sql`operator.username`)}
          and sign_in_throttle.last_failure_at > now() - interval '1 hour'), 0) as failures,
      (select count(*)::int from session live
        where live.tenant_id = operator.tenant_id and live.operator_id = operator.id
          and ${isSessionAliveSql(sql`live`)}) as sessions,
      array(
        select store.name from store
        where store.tenant_id = operator.tenant_id and store.manager_id = operator.id
        order by store.name) as managed_stores
    from operator ${joins}
    where operator.id = ${id} and tenant.state <> 'DELETED' and ${operatorPredicate(session)}`);
}

export type HostAccount = Pick<
  OperatorRow,
  "username" | "displayName" | "userType" | "state" | "hasSecondFactor" | "lastSignInAt"
>;

/** All accounts of a tenant, for the machine's administrator. */
export function findAccountsOf(db: Db, tenantId: number): Promise<HostAccount[]> {
  return db.many(sql`
    select operator.username, operator.display_name, operator.user_type, ${state} as state,
      operator.has_second_factor, operator.last_sign_in_at
    from operator ${joins} where operator.tenant_id = ${tenantId} and tenant.state <> 'DELETED'
    order by operator.user_type, lower(operator.username)`);
}
