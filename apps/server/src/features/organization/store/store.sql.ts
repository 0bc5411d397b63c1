// SQL for stores and their visibility per account.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  ManagerOption,
  Store,
  StoreDetail,
  StoreDraft,
  StoreOption,
  storeContract,
} from "@cabinet/contract/organization/store/store.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { hasFaultSql } from "../../link/cabinet-condition/index.ts";
import { connectivitySql } from "../../link/device/index.ts";

export type StoreQuery = Input<typeof storeContract.list>["query"];

/** Restricts rows to the session's tenant; for store-bound accounts to their visible stores. */
export function storePredicate(
  session: Session,
  tenantColumn: Sql,
  storeColumn: Sql,
  requestedTenantId?: number,
): Sql {
  const isOfTenant = tenantPredicate(session, tenantColumn, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and exists (
    select from visible_store os
    where os.tenant_id = ${tenantColumn} and os.operator_id = ${session.operatorId}
      and os.store_id = ${storeColumn})`;
}

const isVisible = (session: Session, requestedTenantId?: number) =>
  storePredicate(session, sql`s.tenant_id`, sql`s.id`, requestedTenantId);

export function findStoreOptions(
  db: Db,
  session: Session,
  requestedTenantId?: number,
): Promise<StoreOption[]> {
  return db.many(sql`
    select s.id, s.tenant_id as "tenantId", s.name from store s
    where ${isVisible(session, requestedTenantId)}
    order by s.tenant_id, s.name, s.id`);
}

/** Null when missing or not visible to this account. */
export function findStore(db: Db, session: Session, id: number): Promise<StoreOption | null> {
  return db.maybe(sql`
    select s.id, s.tenant_id as "tenantId", s.name from store s
    where s.id = ${id} and ${isVisible(session)}`);
}

/**
 * Like `findStore`, with FOR KEY SHARE: the store cannot be deleted before the transaction ends.
 */
export function shareLockStore(db: Db, session: Session, id: number): Promise<StoreOption | null> {
  return db.maybe(sql`
    select s.id, s.tenant_id as "tenantId", s.name from store s
    where s.id = ${id} and ${isVisible(session)}
    for key share of s`);
}

const c = sql`c`;

/** Unmasked phone of the contact: the service masks it. */
const columns = sql`
  s.id, s.tenant_id as "tenantId", t.name as "tenantName", s.name, s.code, s.region, s.address,
  s.longitude, s.latitude, s.opening_hours as "openingHours", s.contact_name as "contactName",
  s.contact_phone as "contactPhone", s.manager_id as "managerId", m.display_name as "managerName",
  s.remark, n.cabinets, n.online, n.faulty`;

const joins = sql`
  join tenant t on t.id = s.tenant_id
  left join operator m on m.tenant_id = s.tenant_id and m.id = s.manager_id
  cross join lateral (
    select count(*)::int as cabinets,
      (count(*) filter (where ${connectivitySql(c)} = 'ONLINE'))::int as online,
      (count(*) filter (where ${hasFaultSql(c)}))::int as faulty
    from cabinet c where c.tenant_id = s.tenant_id and c.store_id = s.id) n`;

const hasCabinets = sql`exists (
  select from cabinet c where c.tenant_id = s.tenant_id and c.store_id = s.id)`;

const sortColumns = {
  name: sql`s.name`,
  code: sql`s.code`,
  cabinets: sql`(
    select count(*) from cabinet c where c.tenant_id = s.tenant_id and c.store_id = s.id)`,
};
const directions = { asc: sql`asc`, desc: sql`desc` };

function matching(session: Session, query: StoreQuery): Sql {
  const conditions = [isVisible(session, query.tenantId)];
  if (query.keyword?.trim()) {
    const pattern = contains(query.keyword);
    conditions.push(
      sql`(s.name ilike ${pattern} or s.code ilike ${pattern} or s.address ilike ${pattern})`,
    );
  }
  if (query.region?.trim()) conditions.push(sql`s.region ilike ${contains(query.region)}`);
  if (query.managerId) conditions.push(sql`s.manager_id = ${query.managerId}`);
  if (query.hasCabinets !== undefined) {
    conditions.push(query.hasCabinets ? hasCabinets : sql`not ${hasCabinets}`);
  }
  return join(conditions, " and ");
}

/** Finds the page first and counts cabinets for its rows only. */
export function findStores(db: Db, session: Session, query: StoreQuery): Promise<Page<Store>> {
  const { sort = "code", order = "asc" } = query;
  const matched = sql`from store s where ${matching(session, query)}`;
  const by = sql`${sortColumns[sort]} ${directions[order]}, s.tenant_id, s.id`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select s.* ${matched} order by ${by} ${pageLimits(query)}) s ${joins}
      order by ${by}`,
  });
}

export function findStoreDetail(db: Db, session: Session, id: number): Promise<StoreDetail | null> {
  return db.maybe(sql`
    select ${columns}, s.created_at as "createdAt", s.edit_version as "editVersion",
      s.edited_at as "editedAt", s.edited_by as "editedBy",
      array(
        select o.display_name from operator_store os
        join operator o on o.tenant_id = os.tenant_id and o.id = os.operator_id
        where os.tenant_id = s.tenant_id and os.store_id = s.id
        order by o.display_name) as caretakers
    from store s ${joins}
    where s.id = ${id} and ${isVisible(session)}`);
}

/** Accounts of the tenant; maintenance staff see only the managers of their own stores. */
export function findManagers(
  db: Db,
  session: Session,
  requestedTenantId?: number,
): Promise<ManagerOption[]> {
  const isOfTheirs = session.isStoreBound
    ? sql`exists (
          select from store s
          where s.tenant_id = o.tenant_id and s.manager_id = o.id and ${isVisible(session)})`
    : sql`true`;
  return db.many(sql`
    select o.id, o.tenant_id as "tenantId", o.display_name as "displayName",
      o.user_type as "userType"
    from operator o
    where o.disabled_at is null
      and ${tenantPredicate(session, sql`o.tenant_id`, requestedTenantId)} and ${isOfTheirs}
    order by o.tenant_id, o.display_name, o.id`);
}

/** Whether an enabled account of the tenant may manage its stores. */
export async function isManager(db: Db, tenantId: number, operatorId: number): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from operator
    where tenant_id = ${tenantId} and id = ${operatorId} and disabled_at is null`);
  return found !== null;
}

/** Advisory lock that serializes the assignment of store codes in a tenant. */
export async function lockCodes(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('store code'), ${tenantId})`);
}

/** Codes of a tenant, newest store first. */
export async function findCodes(db: Db, tenantId: number): Promise<string[]> {
  const rows = await db.many<{ code: string }>(
    sql`select code from store where tenant_id = ${tenantId} order by id desc`,
  );
  return rows.map(({ code }) => code);
}

export function findStoreByCode(
  db: Db,
  tenantId: number,
  code: string,
): Promise<{ name: string } | null> {
  return db.maybe(sql`select name from store where tenant_id = ${tenantId} and code = ${code}`);
}

export type StoreRow = Required<StoreDraft> & { id: number; tenantId: number; editVersion: number };

/** Current row, locked until the transaction ends. */
export function lockStore(db: Db, session: Session, id: number): Promise<StoreRow | null> {
  return db.maybe(sql`
    select s.id, s.tenant_id as "tenantId", s.name, s.code, s.region, s.address, s.longitude,
      s.latitude, s.opening_hours as "openingHours", s.contact_name as "contactName",
      s.contact_phone as "contactPhone", s.manager_id as "managerId", s.remark,
      s.edit_version as "editVersion"
    from store s
    where s.id = ${id} and ${isVisible(session)}
    for update of s`);
}

export async function insertStore(
  db: Db,
  tenantId: number,
  store: Required<StoreDraft>,
  editedBy: string,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into store (tenant_id, name, code, region, address, longitude, latitude, opening_hours,
      contact_name, contact_phone, manager_id, remark, edited_by)
    values (${tenantId}, ${store.name}, ${store.code}, ${store.region}, ${store.address},
      ${store.longitude}, ${store.latitude}, ${store.openingHours}, ${store.contactName},
      ${store.contactPhone}, ${store.managerId}, ${store.remark}, ${editedBy})
    returning id`);
  return id;
}

export async function updateStore(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  store: Required<StoreDraft>,
  editedBy: string,
): Promise<void> {
  await db.run(sql`
    update store set name = ${store.name}, code = ${store.code}, region = ${store.region},
      address = ${store.address}, longitude = ${store.longitude}, latitude = ${store.latitude},
      opening_hours = ${store.openingHours}, contact_name = ${store.contactName},
      contact_phone = ${store.contactPhone}, manager_id = ${store.managerId},
      remark = ${store.remark}, edit_version = edit_version + 1, edited_at = now(),
      edited_by = ${editedBy}
    where tenant_id = ${tenantId} and id = ${id}`);
}

/**
 * Makes the maintenance account that created the store its caretaker: otherwise it would not see
 * it.
 */
export async function insertCaretaker(
  db: Db,
  { tenantId, operatorId }: Session,
  storeId: number,
): Promise<void> {
  await db.run(sql`
    insert into operator_store (tenant_id, operator_id, store_id)
    values (${tenantId}, ${operatorId}, ${storeId})`);
}

interface StoreKey {
  tenantId: number;
  id: number;
}

export async function findCabinetNames(db: Db, { tenantId, id }: StoreKey): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select name from cabinet where tenant_id = ${tenantId} and store_id = ${id} order by name, id`);
  return rows.map(({ name }) => name);
}

/** Returns the number of caretakers removed. */
export async function deleteStore(db: Db, { tenantId, id }: StoreKey): Promise<number> {
  const caretakers = await db.run(sql`
    delete from operator_store where tenant_id = ${tenantId} and store_id = ${id}`);
  await db.run(sql`delete from store where tenant_id = ${tenantId} and id = ${id}`);
  return caretakers;
}
