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
import { type AccountKey, type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, directions, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
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
    select from visible_store
    where visible_store.tenant_id = ${tenantColumn} and visible_store.operator_id = ${session.operatorId}
      and visible_store.store_id = ${storeColumn})`;
}

const isVisible = (session: Session, requestedTenantId?: number) =>
  storePredicate(session, sql`store.tenant_id`, sql`store.id`, requestedTenantId);

export function findStoreOptions(
  db: Db,
  session: Session,
  requestedTenantId?: number,
): Promise<StoreOption[]> {
  return db.many(sql`
    select store.id, store.tenant_id, store.name from store
    where ${isVisible(session, requestedTenantId)}
    order by store.tenant_id, store.name, store.id`);
}

/** Null when missing or not visible to this account. */
export function findStore(db: Db, session: Session, id: number): Promise<StoreOption | null> {
  return db.maybe(sql`
    select store.id, store.tenant_id, store.name from store
    where store.id = ${id} and ${isVisible(session)}`);
}

/**
 * Like `findStore`, with FOR KEY SHARE: the store cannot be deleted before the transaction ends.
 */
export function shareLockStore(db: Db, session: Session, id: number): Promise<StoreOption | null> {
  return db.maybe(sql`
    select store.id, store.tenant_id, store.name from store
    where store.id = ${id} and ${isVisible(session)}
    for key share of store`);
}

const cabinet = sql`cabinet`;

/** Unmasked phone of the contact: the service masks it. */
const columns = sql`
  store.id, store.tenant_id, tenant.name as tenant_name, store.name, store.code, store.region,
  store.address, store.longitude, store.latitude, store.opening_hours, store.contact_name,
  store.contact_phone, store.manager_id, operator.display_name as manager_name, store.remark,
  counted.cabinets, counted.online, counted.faulty`;

const joins = sql`
  join tenant on tenant.id = store.tenant_id
  left join operator on operator.tenant_id = store.tenant_id and operator.id = store.manager_id
  cross join lateral (
    select count(*)::int as cabinets,
      (count(*) filter (where ${connectivitySql(cabinet)} = 'ONLINE'))::int as online,
      (count(*) filter (where ${hasFaultSql(cabinet)}))::int as faulty
    from cabinet where cabinet.tenant_id = store.tenant_id
      and cabinet.store_id = store.id) counted`;

const hasCabinets = sql`exists (
  select from cabinet where cabinet.tenant_id = store.tenant_id and cabinet.store_id = store.id)`;

const sortColumns = {
  name: sql`store.name`,
  code: sql`store.code`,
  cabinets: sql`(
    select count(*) from cabinet where cabinet.tenant_id = store.tenant_id
      and cabinet.store_id = store.id)`,
};

function matching(session: Session, query: StoreQuery): Sql {
  return and(
    isVisible(session, query.tenantId),
    textSql(query.keyword, sql`store.name`, sql`store.code`, sql`store.address`),
    textSql(query.region, sql`store.region`),
    query.managerId && sql`store.manager_id = ${query.managerId}`,
    query.hasCabinets !== undefined && (query.hasCabinets ? hasCabinets : sql`not ${hasCabinets}`),
  );
}

/** Finds the page first and counts cabinets for its rows only. */
export function findStores(db: Db, session: Session, query: StoreQuery): Promise<Page<Store>> {
  const { sort = "code", order = "asc" } = query;
  const matched = sql`from store where ${matching(session, query)}`;
  const by = sql`${sortColumns[sort]} ${directions[order]}, store.tenant_id, store.id`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select store.* ${matched} order by ${by} ${pageLimits(query)}) store ${joins}
      order by ${by}`,
  });
}

export function findStoreDetail(db: Db, session: Session, id: number): Promise<StoreDetail | null> {
  return db.maybe(sql`
    select ${columns}, store.created_at, store.edit_version, store.edited_at, store.edited_by,
      array(
        select operator.display_name from operator_store
        join operator on operator.tenant_id = operator_store.tenant_id
          and operator.id = operator_store.operator_id
        where operator_store.tenant_id = store.tenant_id and operator_store.store_id = store.id
        order by operator.display_name) as caretakers
    from store ${joins}
    where store.id = ${id} and ${isVisible(session)}`);
}

/** Accounts of the tenant; maintenance staff see only the managers of their own stores. */
export function findManagers(
  db: Db,
  session: Session,
  requestedTenantId?: number,
): Promise<ManagerOption[]> {
  const isOfTheirs = session.isStoreBound
    ? sql`exists (
          select from store
          where store.tenant_id = operator.tenant_id and store.manager_id = operator.id
            and ${isVisible(session)})`
    : sql`true`;
  return db.many(sql`
    select operator.id, operator.tenant_id, operator.display_name, operator.user_type
    from operator
    where operator.disabled_at is null
      and ${tenantPredicate(session, sql`operator.tenant_id`, requestedTenantId)} and ${isOfTheirs}
    order by operator.tenant_id, operator.display_name, operator.id`);
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

export function findCodedNames(
  db: Db,
  tenantId: number,
): Promise<{ code: string; name: string }[]> {
  return db.many(sql`select code, name from store where tenant_id = ${tenantId}`);
}

/** Enabled accounts of the tenant, who may manage its stores. */
export function findManagerNames(
  db: Db,
  tenantId: number,
): Promise<{ id: number; displayName: string }[]> {
  return db.many(sql`
    select id, display_name from operator
    where tenant_id = ${tenantId} and disabled_at is null`);
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
    select store.id, store.tenant_id, store.name, store.code, store.region, store.address,
      store.longitude, store.latitude, store.opening_hours, store.contact_name, store.contact_phone,
      store.manager_id, store.remark, store.edit_version
    from store
    where store.id = ${id} and ${isVisible(session)}
    for update of store`);
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

/** Makes the account the caretaker of these stores and of no others. */
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
