// SQL for role assignments and the scope that follows from them.
import type { RoleCandidate, RoleMember } from "@cabinet/contract/identity/access/role.contract.ts";
import type { AccountKey, Session } from "../../../platform/context.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
import type { RoleKey } from "./role.sql.ts";

/** Locks the roles that are to be bound or unbound against changes until the transaction ends. */
export async function lockRoles(db: Db, tenantId: number, ids: readonly number[]): Promise<void> {
  await db.run(sql`
    select 1 from role where tenant_id = ${tenantId} and id = any(${ids}) order by id for share`);
}

export function findMembers(db: Db, { tenantId, id }: RoleKey): Promise<RoleMember[]> {
  return db.many(sql`
    select o.id, o.username, o.display_name as "displayName", o.user_type as "userType",
      o.disabled_at is not null as "isDisabled"
    from operator_role m join operator o on o.tenant_id = m.tenant_id and o.id = m.operator_id
    where m.tenant_id = ${tenantId} and m.role_id = ${id}
    order by o.display_name, o.id`);
}

/** Accounts that can get roles: all but userType 0, which has every permission anyway. */
export function findCandidates(
  db: Db,
  { tenantId, id }: RoleKey,
): Promise<(Omit<RoleCandidate, "isWithinReach"> & AccountScope)[]> {
  return db.many(sql`
    select o.id, o.username, o.display_name as "displayName", o.user_type as "userType",
      o.disabled_at is not null as "isDisabled", ${accountScope},
      exists (select from operator_role m
        where m.tenant_id = o.tenant_id and m.operator_id = o.id and m.role_id = ${id}) as "isMember"
    from operator o
    where o.tenant_id = ${tenantId} and o.user_type <> 0
    order by o.display_name, o.id`);
}

export async function unbindRole(db: Db, account: AccountKey, roleId: number): Promise<number> {
  return db.run(sql`
    delete from operator_role
    where tenant_id = ${account.tenantId} and operator_id = ${account.operatorId}
      and role_id = ${roleId}`);
}

/** The permissions of an account and its stores; null means all stores. */
export interface AccountScope {
  tenantId: number;
  userType: RoleMember["userType"];
  permissions: string[];
  stores: number[] | null;
}

const accountScope = sql`
  o.tenant_id as "tenantId", o.user_type as "userType", o.permissions,
  case when o.is_store_bound then array(
    select v.store_id from visible_store v
    where v.tenant_id = o.tenant_id and v.operator_id = o.id) end as stores`;

export function findAccountScope(
  db: Db,
  account: AccountKey,
): Promise<(AccountScope & { displayName: string }) | null> {
  return db.maybe(sql`
    select ${accountScope}, o.display_name as "displayName" from operator o
    where o.tenant_id = ${account.tenantId} and o.id = ${account.operatorId}`);
}

/** Like `findAccountReach`, for several accounts; deleted ones are missing. */
export function findAccountScopes(
  db: Db,
  accounts: readonly AccountKey[],
): Promise<(AccountScope & { operatorId: number })[]> {
  return db.many(sql`
    select ${accountScope}, o.id as "operatorId" from operator o
    where (o.tenant_id, o.id) in (
      select * from unnest(${accounts.map(({ tenantId }) => tenantId)}::int[],
        ${accounts.map(({ operatorId }) => operatorId)}::bigint[]))`);
}

export async function findVisibleStoreIds(db: Db, session: Session): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select distinct store_id as id from visible_store
    where tenant_id = ${session.tenantId} and operator_id = ${session.operatorId}`);
  return rows.map(({ id }) => id);
}

export function findRolesOf(db: Db, account: AccountKey): Promise<{ id: number; name: string }[]> {
  return db.many(sql`
    select r.id, r.name from operator_role o
    join role r on r.tenant_id = o.tenant_id and r.id = o.role_id
    where o.tenant_id = ${account.tenantId} and o.operator_id = ${account.operatorId}
    order by r.name, r.id`);
}
