// Writes to console accounts in SQL: insert, update, disable, delete.
import type { StoreScope } from "@cabinet/contract/identity/access/role.rules.ts";
import type { UserType } from "@cabinet/contract/identity/auth/auth.contract.ts";
import type { AccountKey, Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { operatorPredicate } from "./operator-list.sql.ts";

export interface NewOperatorRow {
  tenantId: number;
  username: string;
  displayName: string;
  passwordHash: string;
  userType: UserType;
  mustChangePassword: boolean;
  phone?: string;
  remark?: string;
}

export async function insertOperator(db: Db, operator: NewOperatorRow): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into operator (tenant_id, username, display_name, password_hash, user_type,
      must_change_password, phone, remark)
    values (${operator.tenantId}, ${operator.username}, ${operator.displayName},
      ${operator.passwordHash}, ${operator.userType}, ${operator.mustChangePassword},
      ${operator.phone ?? ""}, ${operator.remark ?? ""})
    returning id`);
  return id;
}

/** Usernames are unique across tenants; the answer does not reveal the owner of a taken one. */
export function isUsernameTaken(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === "operator_username";
}

export async function hasOperators(db: Db): Promise<boolean> {
  return (await db.maybe(sql`select 1 from operator limit 1`)) !== null;
}

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
  editVersion: number;
}

/** Reads and locks the account until the transaction ends; null if this account may not see it. */
export function lockOperator(db: Db, session: Session, id: number): Promise<LockedOperator | null> {
  return db.maybe(sql`
    select operator.id, operator.tenant_id, operator.username, operator.display_name,
      operator.phone, operator.user_type, operator.disabled_at is not null as is_disabled,
      operator.last_sign_in_at, operator.remark, operator.edit_version
    from operator
    where operator.id = ${id} and ${operatorPredicate(session)}
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

export async function updateOperator(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  operator: { userType: UserType; displayName: string; phone: string; remark: string },
): Promise<void> {
  await db.run(sql`
    update operator set display_name = ${operator.displayName}, phone = ${operator.phone},
      remark = ${operator.remark}, edit_version = edit_version + 1
    where tenant_id = ${tenantId} and id = ${operatorId}`);
  // Separate statement: a change of the user type recalculates the permissions.
  await db.run(sql`
    update operator set user_type = ${operator.userType}
    where tenant_id = ${tenantId} and id = ${operatorId} and user_type <> ${operator.userType}`);
}

export async function updateDisabled(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  disabled: { by: string; reason: string } | null,
): Promise<void> {
  await db.run(sql`
    update operator set disabled_at = ${disabled ? sql`now()` : null},
      disabled_by = ${disabled?.by ?? null}, disable_reason = ${disabled?.reason ?? null},
      edit_version = edit_version + 1
    where tenant_id = ${tenantId} and id = ${operatorId}`);
}

/** Password set by another account: its owner must change it at the next sign-in. */
export async function updateFirstPassword(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  passwordHash: string,
): Promise<void> {
  await db.run(sql`
    update operator set password_hash = ${passwordHash}, must_change_password = true
    where tenant_id = ${tenantId} and id = ${operatorId}`);
}

/** Roles, stores and sessions are deleted by cascade; logs keep the name. */
export async function deleteOperator(db: Db, { tenantId, operatorId }: AccountKey): Promise<void> {
  await db.run(sql`delete from operator where tenant_id = ${tenantId} and id = ${operatorId}`);
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

export async function replaceStores(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  ids: number[],
): Promise<void> {
  await db.run(sql`
    delete from operator_store
    where tenant_id = ${tenantId} and operator_id = ${operatorId} and not store_id = any(${ids})`);
  await db.run(sql`
    insert into operator_store (tenant_id, operator_id, store_id)
    select ${tenantId}, ${operatorId}, unnest(${ids}::bigint[])
    on conflict do nothing`);
}
