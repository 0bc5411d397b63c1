// SQL for menu entries, roles and grants.
import type { MenuEntryDraft, MenuUse } from "@cabinet/contract/identity/access/access.contract.ts";
import type { StoreScope } from "@cabinet/contract/identity/access/role.rules.ts";
import type { AccountKey } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface MenuEntryRow {
  id: number;
  parentId: number | null;
  kind: "MENU" | "BUTTON";
  uri: string;
  title: string;
  icon: string;
  permissions: string[];
  sort: number;
}

const columns = sql`entry.id, entry.parent_id, entry.kind, entry.uri, entry.title,
  entry.icon, entry.permissions, entry.sort`;

export function findMenuEntries(db: Db): Promise<MenuEntryRow[]> {
  return db.many(sql`select ${columns} from menu_entry entry order by entry.sort, entry.id`);
}

/** The tenant's menu entries: the most that any of its roles can grant. */
export function findTenantEntries(db: Db, tenantId: number): Promise<MenuEntryRow[]> {
  return db.many(
    sql`select ${columns} from tenant_entries(${tenantId}) entry order by entry.sort, entry.id`,
  );
}

/** The number of roles that grant each entry; entries without grants are omitted. */
export function findMenuUse(db: Db): Promise<MenuUse[]> {
  return db.many(sql`
    select menu_entry_id as entry_id, count(*)::int as roles,
      count(distinct tenant_id)::int as tenants
    from role_menu_entry group by menu_entry_id order by menu_entry_id`);
}

/** Entries granted by the account's roles; ancestors only where they are granted themselves. */
export async function findGrantedIds(db: Db, account: AccountKey): Promise<Set<number>> {
  const rows = await db.many<{ id: number }>(sql`
    select distinct role_entry.menu_entry_id as id
    from operator_role
    join role_menu_entry role_entry on role_entry.tenant_id = operator_role.tenant_id
      and role_entry.role_id = operator_role.role_id
    where operator_role.tenant_id = ${account.tenantId} and operator_role.operator_id = ${account.operatorId}`);
  return new Set(rows.map((row) => row.id));
}

export function findMenuEntry(db: Db, id: number): Promise<MenuEntryRow | null> {
  return db.maybe(sql`select ${columns} from menu_entry entry where entry.id = ${id} for update`);
}

export function findMenuEntryByUri(db: Db, uri: string): Promise<MenuEntryRow | null> {
  return db.maybe(sql`select ${columns} from menu_entry entry where entry.uri = ${uri}`);
}

/** Locks the table until the transaction ends, so that processes that start together seed once. */
export async function lockMenuEntries(db: Db): Promise<void> {
  await db.run(sql`lock table menu_entry in share row exclusive mode`);
}

/** Keys that earlier starts have added: entries as "uri", their permissions as "uri permission". */
export async function findSeeded(db: Db): Promise<string[]> {
  const row = await db.maybe<{ value: string[] }>(
    sql`select value from installation where key = 'menu.seeded'`,
  );
  return row?.value ?? [];
}

export async function saveSeeded(db: Db, keys: string[]): Promise<void> {
  await db.run(sql`
    insert into installation (key, value) values ('menu.seeded', ${JSON.stringify(keys)})
    on conflict (key) do update set value = excluded.value`);
}

/** Adds only permissions that the entry does not have yet. */
export async function addPermissions(db: Db, id: number, permissions: string[]): Promise<void> {
  await db.run(sql`
    update menu_entry set permissions = permissions || array(
      select unnest(${permissions}::text[]) except select unnest(permissions))
    where id = ${id}`);
}

export async function countChildren(db: Db, id: number): Promise<number> {
  const { n } = await db.one<{ n: number }>(
    sql`select count(*)::int as n from menu_entry where parent_id = ${id}`,
  );
  return n;
}

export async function insertMenuEntry(db: Db, entry: MenuEntryDraft): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into menu_entry (parent_id, kind, uri, title, icon, permissions, sort)
    values (${entry.parentId}, ${entry.kind}, ${entry.uri}, ${entry.title}, ${entry.icon},
      ${entry.permissions}, ${entry.sort})
    returning id`);
  return id;
}

export async function updateMenuEntry(db: Db, id: number, entry: MenuEntryDraft): Promise<void> {
  await db.run(sql`
    update menu_entry set parent_id = ${entry.parentId}, kind = ${entry.kind}, uri = ${entry.uri},
      title = ${entry.title}, icon = ${entry.icon}, permissions = ${entry.permissions},
      sort = ${entry.sort}
    where id = ${id}`);
}

export async function deleteMenuEntry(db: Db, id: number): Promise<void> {
  await db.run(sql`delete from menu_entry where id = ${id}`);
}

/** The tenant's default role for new accounts of a userType; creates it when missing. */
export async function ensureDefaultRole(
  db: Db,
  tenantId: number,
  { defaultFor, name, storeScope }: { defaultFor: 1 | 2; name: string; storeScope: StoreScope },
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into role (tenant_id, name, default_for, store_scope)
    values (${tenantId}, ${name}, ${defaultFor}, ${storeScope})
    on conflict (tenant_id, default_for) where default_for is not null
      do update set default_for = excluded.default_for
    returning id`);
  return id;
}

export async function grantMenuEntries(
  db: Db,
  role: { tenantId: number; roleId: number },
  entryIds: number[],
): Promise<void> {
  await db.run(sql`
    insert into role_menu_entry (tenant_id, role_id, menu_entry_id)
    select ${role.tenantId}, ${role.roleId}, unnest(${entryIds}::bigint[])
    on conflict do nothing`);
}

/** The default roles of all tenants for a userType. */
export function findDefaultRoles(
  db: Db,
  defaultFor: 1 | 2,
): Promise<{ tenantId: number; roleId: number }[]> {
  return db.many(sql`select tenant_id, id as role_id from role where default_for = ${defaultFor}`);
}

export async function bindRole(db: Db, account: AccountKey, roleId: number): Promise<void> {
  await db.run(sql`
    insert into operator_role (tenant_id, operator_id, role_id)
    values (${account.tenantId}, ${account.operatorId}, ${roleId})
    on conflict do nothing`);
}
