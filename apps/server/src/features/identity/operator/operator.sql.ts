// Writes to console accounts in SQL: insert, update, disable, delete.
import type { StoreScope } from "@cabinet/contract/identity/access/role.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import type { AccountKey, Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { shownExemptUntilSql } from "../auth/index.ts";
import { operatorPredicate } from "./operator-list.sql.ts";

export interface LockedOperator {
  id: number;
  tenantId: number;
  username: string;
  displayName: string;
  phone: string;
  userType: UserType;
  isDisabled: boolean;
  lastSignInAt: string | null;
  remark: string;
  factorExemptUntil: string | null;
  editVersion: number;
}

/** Reads and locks the account until the transaction ends; null if this account may not see it. */
export function lockOperator(db: Db, session: Session, id: number): Promise<LockedOperator | null> {
  return lockWhere(db, sql`operator.id = ${id} and ${operatorPredicate(session)}`);
}

/** The same by its name, for the machine's administrator. */
export function lockOperatorNamed(db: Db, username: string): Promise<LockedOperator | null> {
  return lockWhere(db, sql`lower(operator.username) = ${username.toLowerCase()}`);
}

function lockWhere(db: Db, condition: Sql): Promise<LockedOperator | null> {
  return db.maybe(sql`
    select operator.id, operator.tenant_id, operator.username, operator.display_name,
      operator.phone, operator.user_type, operator.disabled_at is not null as is_disabled,
      operator.last_sign_in_at, operator.remark, operator.edit_version,
      ${shownExemptUntilSql(sql`operator.factor_exempt_until`)} as factor_exempt_until
    from operator
    where ${condition}
      and exists (select from tenant where tenant.id = operator.tenant_id
        and tenant.state <> 'DELETED')
    for update of operator`);
}

export interface Places {
  tenantName: string;
  maxOperators: number | null;
  used: number;
}

/** Locks the account limit of the tenant until the transaction ends. */
export function lockPlaces(db: Db, tenantId: number): Promise<Places | null> {
  return db.maybe(sql`
    select tenant_name, max_operators, used from hold_operator_places(${tenantId})`);
}

/**
 * If the account is a platform administrator, locks all enabled ones in a fixed order, so that two
 * of them cannot be removed concurrently; otherwise returns none.
 */
export async function lockAdministratorsBeside(db: Db, id: number): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select operator.id from operator
    where operator.tenant_id = 1 and operator.user_type = 0 and operator.disabled_at is null
      and exists (
      select from operator where operator.tenant_id = 1
        and operator.id = ${id} and operator.user_type = 0)
    order by operator.id for update of operator`);
  return rows.map((row) => row.id);
}

export interface NamedStore {
  id: number;
  name: string;
}

/** The account's roles with their store scopes. */
export function findScopesOf(
  db: Db,
  { tenantId, operatorId }: AccountKey,
): Promise<{ name: string; storeScope: StoreScope }[]> {
  return db.many(sql`
    select role.name, role.store_scope
    from operator_role join role on role.tenant_id = operator_role.tenant_id
      and role.id = operator_role.role_id
    where operator_role.tenant_id = ${tenantId} and operator_role.operator_id = ${operatorId}
    order by role.name`);
}

export function findScopes(
  db: Db,
  tenantId: number,
  roleIds: readonly number[],
): Promise<{ storeScope: StoreScope }[]> {
  return db.many(sql`
    select role.store_scope from role
    where role.tenant_id = ${tenantId} and role.id = any(${roleIds}::bigint[])`);
}

/**
 * Stores and cabinets in service that the session sees: all of them, or those of these stores and
 * of the stores of these roles, like `visible_store`.
 */
export function countScope(
  db: Db,
  session: Session,
  tenantId: number,
  of: { roleIds: readonly number[]; storeIds: readonly number[] } | null,
): Promise<{ stores: number; cabinets: number }> {
  const isWithin = (storeColumn: Sql) =>
    of === null
      ? sql`true`
      : sql`(${storeColumn} = any(${of.storeIds}::bigint[]) or ${storeColumn} in (
          select store_id from role_store
          where tenant_id = ${tenantId} and role_id = any(${of.roleIds}::bigint[])))`;
  const isSeen = (table: Sql, storeColumn: Sql) =>
    sql`${storePredicate(session, sql`${table}.tenant_id`, storeColumn, tenantId)}
      and ${isWithin(storeColumn)}`;
  return db.one(sql`
    select
      (select count(*)::int from store where ${isSeen(sql`store`, sql`store.id`)}) as stores,
      (select count(*)::int from cabinet where ${isSeen(sql`cabinet`, sql`cabinet.store_id`)}
        and cabinet.lifecycle <> 'RETIRED') as cabinets`);
}

export function findStoresOf(db: Db, { tenantId, operatorId }: AccountKey): Promise<NamedStore[]> {
  return db.many(sql`
    select store.id, store.name
    from operator_store join store on store.tenant_id = operator_store.tenant_id
      and store.id = operator_store.store_id
    where operator_store.tenant_id = ${tenantId} and operator_store.operator_id = ${operatorId} order by store.name, store.id`);
}

/** The given stores, as far as the tenant has them, locked until the transaction ends. */
export function lockStores(db: Db, tenantId: number, ids: number[]): Promise<NamedStore[]> {
  return db.many(sql`
    select store.id, store.name from store
    where store.tenant_id = ${tenantId} and store.id = any(${ids}) order by store.name, store.id
    for key share of store`);
}
