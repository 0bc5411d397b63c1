// Queries of console accounts: lists, detail, and the visibility predicate.
import type { UserType } from "@cabinet/contract/identity/auth/auth.contract.ts";
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
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";
import { accountKeySql, isSessionAliveSql } from "../auth/index.ts";

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
  const isOfTenant = tenantPredicate(session, sql`o.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and (o.id = ${session.operatorId} or (o.is_store_bound and o.id in (
    select theirs.operator_id from visible_store theirs
    join visible_store mine on mine.tenant_id = theirs.tenant_id and mine.store_id = theirs.store_id
    where mine.tenant_id = ${session.tenantId} and mine.operator_id = ${session.operatorId})))`;
}

/** Predicate for rows that refer to an account: those of accounts that the session sees. */
export function isOfSeenAccount(session: Session, tenantColumn: Sql, idColumn: Sql): Sql {
  if (!session.isStoreBound) return sql`true`;
  return sql`(${tenantColumn}, ${idColumn}) in (
    select o.tenant_id, o.id from operator o where ${operatorPredicate(session)})`;
}

const blocked = sql`
  left join sign_in_throttle b on b.key = ${accountKeySql(sql`o.username`)} and b.blocked_until > now()`;

const state = sql`case when o.disabled_at is not null then 'DISABLED'
  when b.key is not null then 'LOCKED' else 'NORMAL' end`;

const columns = sql`
  o.id, o.tenant_id as "tenantId", t.name as "tenantName", o.username,
  o.display_name as "displayName", o.phone, o.user_type as "userType", ${state} as state,
  o.disabled_at as "disabledAt", o.disabled_by as "disabledBy", o.disable_reason as "disableReason",
  b.blocked_until as "lockedUntil", o.must_change_password as "mustChangePassword",
  o.last_sign_in_at as "lastSignInAt", o.is_store_bound as "isStoreBound", o.remark,
  o.created_at as "createdAt", o.edit_version as "editVersion", o.permissions,
  coalesce((
    select json_agg(json_build_object('id', r.id, 'name', r.name) order by r.name, r.id)
    from operator_role m join role r on r.tenant_id = m.tenant_id and r.id = m.role_id
    where m.tenant_id = o.tenant_id and m.operator_id = o.id), '[]') as roles,
  coalesce((
    select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
    from operator_store os join store s on s.tenant_id = os.tenant_id and s.id = os.store_id
    where os.tenant_id = o.tenant_id and os.operator_id = o.id), '[]') as stores,
  coalesce((
    select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
    from visible_store v join store s on s.tenant_id = v.tenant_id and s.id = v.store_id
    where o.is_store_bound and v.tenant_id = o.tenant_id and v.operator_id = o.id),
    '[]') as "visibleStores"`;

const joins = sql`join tenant t on t.id = o.tenant_id ${blocked}`;

const sortColumns = {
  username: sql`lower(o.username)`,
  lastSignInAt: sql`o.last_sign_in_at`,
  createdAt: sql`o.created_at`,
};
const directions = { asc: sql`asc nulls first`, desc: sql`desc nulls last` };

function dormantSql(dormancy: Dormancy): Sql {
  if (dormancy === "NEVER") return sql`o.last_sign_in_at is null`;
  return sql`coalesce(o.last_sign_in_at, o.created_at)
    < now() - make_interval(days => ${dormancyDays[dormancy]})`;
}

function matching(session: Session, kinds: readonly UserType[], query: OperatorQuery): Sql {
  const conditions = [
    operatorPredicate(session, query.tenantId),
    sql`o.user_type = any(${kinds}::int[])`,
    sql`t.state <> 'DELETED'`,
  ];
  if (query.keyword?.trim()) {
    const pattern = contains(query.keyword);
    conditions.push(sql`(o.display_name ilike ${pattern} or o.username ilike ${pattern})`);
  }
  if (query.phone) conditions.push(phoneSql(sql`o.phone`, query.phone));
  if (query.userType !== undefined) conditions.push(sql`o.user_type = ${query.userType}`);
  if (query.roleId) {
    conditions.push(sql`exists (
      select from operator_role m
      where m.tenant_id = o.tenant_id and m.operator_id = o.id and m.role_id = ${query.roleId})`);
  }
  if (query.storeId) {
    conditions.push(sql`exists (
      select from operator_store os
      where os.tenant_id = o.tenant_id and os.operator_id = o.id and os.store_id = ${query.storeId})`);
  }
  if (query.state) conditions.push(sql`${state} = ${query.state}`);
  if (query.dormancy) conditions.push(dormantSql(query.dormancy));
  return sql`from operator o ${joins} where ${join(conditions, " and ")}`;
}

/** Newest first by default; selects the page of ids first and joins details only for its rows. */
export function findOperators(
  db: Db,
  session: Session,
  kinds: readonly UserType[],
  query: OperatorQuery,
): Promise<Page<OperatorRow>> {
  const { sort, order = "desc" } = query;
  const by = sort ? sql`${sortColumns[sort]} ${directions[order]}, o.id desc` : sql`o.id desc`;
  const matched = matching(session, kinds, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select o.tenant_id, o.id ${matched} order by ${by} ${pageLimits(query)}) found
      join operator o on o.tenant_id = found.tenant_id and o.id = found.id ${joins}
      order by ${by}`,
  });
}

type DetailRow = OperatorRow & Pick<OperatorDetail, "failures" | "sessions" | "managedStores">;

/** Null if it does not exist or this account may not see it. */
export function findOperator(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns},
      coalesce((
        select f.failures from sign_in_throttle f
        where f.key = ${accountKeySql(sql`o.username`)}
          and f.last_failure_at > now() - interval '1 hour'), 0) as failures,
      (select count(*)::int from session live
        where live.tenant_id = o.tenant_id and live.operator_id = o.id
          and ${isSessionAliveSql(sql`live`)}) as sessions,
      array(
        select s.name from store s
        where s.tenant_id = o.tenant_id and s.manager_id = o.id order by s.name) as "managedStores"
    from operator o ${joins}
    where o.id = ${id} and t.state <> 'DELETED' and ${operatorPredicate(session)}`);
}
