// SQL for roles: their grants, stores and members.
import type {
  Role,
  RoleOption,
  roleContract,
} from "@cabinet/contract/identity/access/role.contract.ts";
import type { StoreScope } from "@cabinet/contract/identity/access/role.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, directions, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

export type RoleQuery = Input<typeof roleContract.list>["query"];

/** A row with the permissions and stores that `isWithinReach` is calculated from, in its place. */
type Measured<Row> = Omit<Row, "isWithinReach"> & { permissions: string[]; storeIds: number[] };

/** Roles of the tenant; a store-bound account does not see roles that list other stores. */
function isVisible(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`role.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and not exists (
    select from role_store
    where role_store.tenant_id = role.tenant_id and role_store.role_id = role.id
      and not (${storePredicate(session, sql`role_store.tenant_id`, sql`role_store.store_id`)}))`;
}

const measures = sql`
  permissions_of_role(role.tenant_id, role.id) as permissions,
  array(select role_store.store_id from role_store
    where role_store.tenant_id = role.tenant_id and role_store.role_id = role.id
    order by role_store.store_id) as store_ids`;

const storesOfRole = sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('id', store.id, 'tenantId', store.tenant_id, 'name',
      store.name)
      order by store.name, store.id)
    from role_store join store on store.tenant_id = role_store.tenant_id
      and store.id = role_store.store_id
    where role_store.tenant_id = role.tenant_id and role_store.role_id = role.id), '[]')`;

const columns = sql`
  role.id, role.tenant_id, tenant.name as tenant_name, role.name, role.remark, role.store_scope,
  role.needs_second_factor, role.default_for, role.edited_at, role.edited_by, ${storesOfRole} as stores, ${measures},
  granted.pages, granted.buttons,
  (select count(*)::int from operator_role
    where operator_role.tenant_id = role.tenant_id and operator_role.role_id = role.id) as members`;

/** Counts the granted leaf pages; entries in `everyones` need no grant and are not counted. */
const joins = (everyones: readonly string[]) => sql`
  join tenant on tenant.id = role.tenant_id
  cross join lateral (
    select (count(*) filter (where entry.kind = 'MENU'))::int as pages,
      (count(*) filter (where entry.kind = 'BUTTON'))::int as buttons
    from tenant_entries(role.tenant_id) entry
    join role_menu_entry role_entry
      on role_entry.tenant_id = role.tenant_id and role_entry.role_id = role.id
        and role_entry.menu_entry_id = entry.id
    where entry.uri <> all(${everyones}::text[]) and not exists (
      select from menu_entry below where below.parent_id = entry.id
        and below.kind = 'MENU')) granted`;

const sortColumns = {
  name: sql`role.name`,
  members: sql`(
    select count(*) from operator_role where operator_role.tenant_id = role.tenant_id
      and operator_role.role_id = role.id)`,
  editedAt: sql`role.edited_at`,
};

export function findRoles(
  db: Db,
  session: Session,
  query: RoleQuery,
  everyones: readonly string[],
): Promise<Page<Measured<Role>>> {
  const conditions = and(
    isVisible(session, query.tenantId),
    textSql(query.keyword, sql`role.name`, sql`role.remark`),
    query.storeScope && sql`role.store_scope = ${query.storeScope}`,
    query.operatorId &&
      sql`exists (
        select from operator_role where operator_role.tenant_id = role.tenant_id
          and operator_role.role_id = role.id
          and operator_role.operator_id = ${query.operatorId})`,
  );
  const { sort = "name", order = "asc" } = query;
  const matched = sql`from role where ${conditions}`;
  const by = sql`${sortColumns[sort]} ${directions[order]}, role.tenant_id, role.id`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select role.* ${matched} order by ${by} ${pageLimits(query)}) role ${joins(everyones)}
      order by ${by}`,
  });
}

export function findRoleOptions(
  db: Db,
  session: Session,
  requestedTenantId?: number,
): Promise<Measured<RoleOption>[]> {
  return db.many(sql`
    select role.id, role.tenant_id, role.name, role.store_scope, ${measures}
    from role where ${isVisible(session, requestedTenantId)}
    order by role.tenant_id, role.default_for nulls last, role.name, role.id`);
}

export type RoleRow = Measured<Role> & { editVersion: number; entryIds: number[] };

/** Null when there is none, or this account may not see it. */
export function findRole(
  db: Db,
  session: Session,
  id: number,
  everyones: readonly string[],
): Promise<RoleRow | null> {
  return db.maybe(sql`
    select ${columns}, role.edit_version,
      array(
        select entry.id from tenant_entries(role.tenant_id) entry
        join role_menu_entry role_entry
          on role_entry.tenant_id = role.tenant_id and role_entry.role_id = role.id
            and role_entry.menu_entry_id = entry.id
        where entry.uri <> all(${everyones}::text[])
        order by entry.sort, entry.id) as entry_ids
    from role ${joins(everyones)}
    where role.id = ${id} and ${isVisible(session)}`);
}

/** Locks the role against changes until the transaction ends. */
export async function lockRole(db: Db, session: Session, id: number): Promise<void> {
  await db.run(sql`
    select 1 from role where role.id = ${id} and ${isVisible(session)} for update of role`);
}

/** Serializes the naming of roles within a tenant with an advisory lock. */
export async function lockNames(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('role name'), ${tenantId})`);
}

export function findRoleNamed(db: Db, tenantId: number, name: string) {
  return db.maybe<{ id: number }>(
    sql`select id from role where tenant_id = ${tenantId} and name = ${name}`,
  );
}

export interface RoleKey {
  tenantId: number;
  id: number;
}

interface RoleFields {
  name: string;
  remark: string;
  storeScope: StoreScope;
  needsSecondFactor: boolean;
}

export async function insertRole(
  db: Db,
  tenantId: number,
  role: RoleFields,
  editedBy: string,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into role (tenant_id, name, remark, store_scope, needs_second_factor, edited_by)
    values (${tenantId}, ${role.name}, ${role.remark}, ${role.storeScope}, ${role.needsSecondFactor}, ${editedBy})
    returning id`);
  return id;
}

export async function updateRole(
  db: Db,
  { tenantId, id }: RoleKey,
  role: RoleFields,
  editedBy: string,
): Promise<void> {
  await db.run(sql`
    update role set name = ${role.name}, remark = ${role.remark}, store_scope = ${role.storeScope},
      needs_second_factor = ${role.needsSecondFactor}, edit_version = edit_version + 1, edited_at = now(), edited_by = ${editedBy}
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function replaceStores(
  db: Db,
  { tenantId, id }: RoleKey,
  storeIds: readonly number[],
): Promise<void> {
  await db.run(sql`
    delete from role_store
    where tenant_id = ${tenantId} and role_id = ${id} and store_id <> all(${storeIds}::bigint[])`);
  await db.run(sql`
    insert into role_store (tenant_id, role_id, store_id)
    select ${tenantId}, ${id}, unnest(${storeIds}::bigint[]) on conflict do nothing`);
}

export async function takeMenuEntries(
  db: Db,
  { tenantId, id }: RoleKey,
  entryIds: readonly number[],
): Promise<void> {
  if (entryIds.length === 0) return;
  await db.run(sql`
    delete from role_menu_entry
    where tenant_id = ${tenantId} and role_id = ${id} and menu_entry_id = any(${entryIds})`);
}

/** Grants, stores and members are deleted with it (foreign keys). */
export async function deleteRole(db: Db, { tenantId, id }: RoleKey): Promise<void> {
  await db.run(sql`delete from role where tenant_id = ${tenantId} and id = ${id}`);
}

/** Copies grants and stores, including grants of entries that the tenant does not have now. */
export async function copyGrants(db: Db, { tenantId, id }: RoleKey, toId: number): Promise<void> {
  await db.run(sql`
    insert into role_menu_entry (tenant_id, role_id, menu_entry_id)
    select tenant_id, ${toId}, menu_entry_id from role_menu_entry
    where tenant_id = ${tenantId} and role_id = ${id}`);
  await db.run(sql`
    insert into role_store (tenant_id, role_id, store_id)
    select tenant_id, ${toId}, store_id from role_store
    where tenant_id = ${tenantId} and role_id = ${id}`);
}
