// SQL for role assignments and the scope that follows from them.
import type { RoleCandidate, RoleMember } from "@cabinet/contract/identity/access/role.contract.ts";
import type { AccountKey, Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { RoleKey } from "./role.sql.ts";

/** Locks the roles that are to be bound or unbound against changes until the transaction ends. */
export async function lockRoles(db: Db, tenantId: number, ids: readonly number[]): Promise<void> {
  await db.run(sql`
    select 1 from role where tenant_id = ${tenantId} and id = any(${ids}) order by id for share`);
}

export function findMembers(db: Db, { tenantId, id }: RoleKey): Promise<RoleMember[]> {
  return db.many(sql`
    select operator.id, operator.username, operator.display_name, operator.user_type,
      operator.disabled_at is not null as is_disabled
    from operator_role join operator on operator.tenant_id = operator_role.tenant_id
      and operator.id = operator_role.operator_id
    where operator_role.tenant_id = ${tenantId} and operator_role.role_id = ${id}
    order by operator.display_name, operator.id`);
}

/** Accounts that can get roles: all but userType 0, which has every permission anyway. */
export function findCandidates(
  db: Db,
  { tenantId, id }: RoleKey,
): Promise<(Omit<RoleCandidate, "isWithinReach"> & AccountScope)[]> {
  return db.many(sql`
    select operator.id, operator.username, operator.display_name, operator.user_type,
      operator.disabled_at is not null as is_disabled, ${accountScope},
      exists (select from operator_role
        where operator_role.tenant_id = operator.tenant_id
          and operator_role.operator_id = operator.id
          and operator_role.role_id = ${id}) as is_member
    from operator
    where operator.tenant_id = ${tenantId} and operator.user_type <> 0
    order by operator.display_name, operator.id`);
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
  operator.tenant_id, operator.user_type, operator.permissions,
  case when operator.is_store_bound then array(
    select visible_store.store_id from visible_store
    where visible_store.tenant_id = operator.tenant_id and visible_store.operator_id = operator.id)
    end as stores`;

export function findAccountScope(
  db: Db,
  account: AccountKey,
): Promise<(AccountScope & { displayName: string }) | null> {
  return db.maybe(sql`
    select ${accountScope}, operator.display_name from operator
    where operator.tenant_id = ${account.tenantId} and operator.id = ${account.operatorId}`);
}

/** Like `findAccountReach`, for several accounts; deleted ones are missing. */
export function findAccountScopes(
  db: Db,
  accounts: readonly AccountKey[],
): Promise<(AccountScope & { operatorId: number })[]> {
  return db.many(sql`
    select ${accountScope}, operator.id as operator_id from operator
    where (operator.tenant_id, operator.id) in (
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
    select role.id, role.name from operator_role
    join role on role.tenant_id = operator_role.tenant_id and role.id = operator_role.role_id
    where operator_role.tenant_id = ${account.tenantId} and operator_role.operator_id = ${account.operatorId}
    order by role.name, role.id`);
}
