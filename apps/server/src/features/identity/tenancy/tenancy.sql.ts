// SQL for tenants and their terms, for platform staff only.

import type {
  Tenant,
  TenantDetail,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import type {
  FeatureSwitch,
  TenantLimits,
  TenantRemains,
  TenantState,
  TenantTerm,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { TenantOption } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { dayStartSql, todaySql } from "../../../platform/db/shanghai.sql.ts";
import { and, directions, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { liveChannelsSql, peakRequestsSql } from "../../../platform/limits/tenant-use.sql.ts";
import { tenantExpiresOnSql, tenantStateSql } from "../../organization/tenant/index.ts";
import { shownExemptUntilSql } from "../auth/index.ts";

type TenantQuery = Input<typeof tenancyContract.list>["query"];

const stateSql = tenantStateSql(sql`tenant`);
const expiresOnSql = tenantExpiresOnSql(sql`tenant`);
const expiryOf = (day: string | null) => dayStartSql(day, 1);

const columns = sql`
  tenant.id, tenant.name, ${stateSql} as state, ${expiresOnSql}::text as expires_on, tenant.expiry_date,
  ${expiresOnSql} - ${todaySql} as days_left, tenant.max_operators, tenant.max_cabinets,
  tenant.max_storage_mb, tenant.max_requests, tenant.max_exports, tenant.max_live_channels, tenant.contact_name, tenant.contact_phone, tenant.remark,
  ${shownExemptUntilSql(sql`tenant.factor_exempt_until`)} as factor_exempt_until, tenant.suspend_reason,
  tenant.suspended_at, tenant.created_at, tenant.deleted_at, ${todaySql}::text as today,
  (select count(*)::int from operator where operator.tenant_id = tenant.id
    and operator.disabled_at is null)
    as operators,
  (select count(*)::int from cabinet where cabinet.tenant_id = tenant.id
    and cabinet.lifecycle <> 'RETIRED')
    as cabinets,
  (select ceil(coalesce(sum(file.size_bytes), 0) / 1048576)::int from file
    where file.tenant_id = tenant.id)
    as storage_mb,
  ${peakRequestsSql(sql`tenant.id`)} as requests, ${liveChannelsSql(sql`tenant.id`)} as live_channels,
  (select count(*)::int from list_export where list_export.tenant_id = tenant.id
    and list_export.state in ('WAITING', 'RUNNING'))
    as exports,
  coalesce((select jsonb_agg(jsonb_build_object('feature', switch.feature, 'isOn', switch.is_on,
      'startsOn', switch.starts_on, 'endsOn', switch.ends_on) order by switch.feature)
    from tenant_feature switch where switch.tenant_id = tenant.id), '[]')
    as features,
  coalesce((select account.balance - account.held from sms_account account
    where account.tenant_id = tenant.id), 0)::int
    as sms_left`;

/** Deleted tenants are listed only when asked for by state. */
function matching({ keyword, state, withinDays, featureWithinDays }: TenantQuery): Sql {
  const conditions = and(
    state ? sql`${stateSql} = ${state}` : sql`tenant.state <> 'DELETED'`,
    textSql(keyword, sql`tenant.name`, sql`tenant.contact_name`),
    withinDays !== undefined &&
      sql`tenant_is_open(tenant) and ${expiresOnSql} <= ${todaySql} + ${withinDays}::int`,
    featureWithinDays !== undefined &&
      sql`exists (select from tenant_feature switch where switch.tenant_id = tenant.id
        and tenant_feature_is_on(switch, now())
        and switch.ends_on <= ${todaySql} + ${featureWithinDays}::int)`,
  );
  return sql`from tenant where ${conditions}`;
}

const sortColumns = {
  name: sql`tenant.name`,
  expiresOn: sql`tenant.expires_at`,
  createdAt: sql`tenant.created_at`,
};

/** The platform comes first unless sorted otherwise. */
export function findTenants(db: Db, query: TenantQuery): Promise<Page<Tenant>> {
  const matched = matching(query);
  const order = query.sort
    ? sql`${sortColumns[query.sort]} ${directions[query.order ?? "asc"]} nulls last, tenant.id`
    : sql`tenant.id`;
  return findPage(db, {
    matching: matched,
    rows: sql`select ${columns} ${matched} order by ${order} ${pageLimits(query)}`,
  });
}

export function findTenantDetail(db: Db, id: number): Promise<TenantDetail | null> {
  return db.maybe(sql`
    select ${columns}, tenant.edit_version, array(
      select withheld.menu_entry_id from tenant_withheld_entry withheld
      where withheld.tenant_id = tenant.id
      order by withheld.menu_entry_id) as withheld_ids
    from tenant where tenant.id = ${id}`);
}

/** Locks the tenant until the transaction ends; creating accounts and cabinets waits for it, so limits hold. */
export async function lockTenantDetail(db: Db, id: number): Promise<TenantDetail | null> {
  await db.run(sql`select from tenant where id = ${id} for no key update`);
  // READ COMMITTED: a statement's snapshot predates its lock wait, so a second statement reads the row.
  return findTenantDetail(db, id);
}

export async function isNameTaken(db: Db, name: string, ownId: number | null): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from tenant
    where name = ${name} and state <> 'DELETED' and id is distinct from ${ownId}`);
  return found !== null;
}

/** Advisory lock that serializes new names: a duplicate is refused here instead of failing at the index. */
export async function lockTenantNames(db: Db): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(7214027)`);
}

export interface Terms extends TenantLimits {
  name: string;
  contactName: string;
  contactPhone: string;
  remark: string;
}

export async function insertTenant(
  db: Db,
  terms: Terms,
  expiresOn: string | null,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into tenant (name, contact_name, contact_phone, max_operators, max_cabinets,
      max_storage_mb, max_requests, max_exports, max_live_channels, remark, expires_at)
    values (${terms.name}, ${terms.contactName}, ${terms.contactPhone}, ${terms.maxOperators},
      ${terms.maxCabinets}, ${terms.maxStorageMb}, ${terms.maxRequests}, ${terms.maxExports},
      ${terms.maxLiveChannels}, ${terms.remark}, ${expiryOf(expiresOn)})
    returning id`);
  return id;
}

export async function updateTenant(db: Db, id: number, terms: Terms): Promise<void> {
  await db.run(sql`
    update tenant set name = ${terms.name}, contact_name = ${terms.contactName},
      contact_phone = ${terms.contactPhone}, max_operators = ${terms.maxOperators},
      max_cabinets = ${terms.maxCabinets}, max_storage_mb = ${terms.maxStorageMb},
      max_requests = ${terms.maxRequests}, max_exports = ${terms.maxExports},
      max_live_channels = ${terms.maxLiveChannels}, remark = ${terms.remark},
      edit_version = edit_version + 1
    where id = ${id}`);
}

export async function updateExpiry(
  db: Db,
  id: number,
  { expiresOn, expiryDate }: TenantTerm,
): Promise<void> {
  await db.run(sql`
    update tenant set expires_at = ${expiryOf(expiresOn)}, expiry_date = ${expiryDate},
      edit_version = edit_version + 1
    where id = ${id}`);
}

/** Writes the last day of the exception; null ends it. */
export async function updateFactorExemption(
  db: Db,
  id: number,
  until: string | null,
): Promise<void> {
  await db.run(sql`
    update tenant set factor_exempt_until = ${expiryOf(until)}, edit_version = edit_version + 1
    where id = ${id}`);
}

export async function updateSuspended(db: Db, id: number, reason: string | null): Promise<void> {
  await db.run(sql`
    update tenant set state = ${reason === null ? "ACTIVE" : "SUSPENDED"},
      suspend_reason = ${reason}, suspended_at = ${reason === null ? null : sql`now()`},
      edit_version = edit_version + 1
    where id = ${id}`);
}

/** Keeps the rows; the name becomes free. */
export async function updateDeleted(db: Db, id: number): Promise<void> {
  await db.run(sql`
    update tenant set state = 'DELETED', deleted_at = now(), edit_version = edit_version + 1
    where id = ${id}`);
}

/** Replaces the withheld menu entries; each statement recalculates the accounts' permissions. */
export async function replaceWithheld(db: Db, tenantId: number, ids: readonly number[]) {
  await db.run(sql`
    delete from tenant_withheld_entry
    where tenant_id = ${tenantId} and menu_entry_id <> all(${ids}::bigint[])`);
  await db.run(sql`
    insert into tenant_withheld_entry (tenant_id, menu_entry_id)
    select ${tenantId}, unnest(${ids}::bigint[]) on conflict do nothing`);
}

/** Replaces the switches; a feature without a row is on. */
export async function replaceFeatures(
  db: Db,
  tenantId: number,
  switches: readonly FeatureSwitch[],
): Promise<void> {
  await db.run(sql`delete from tenant_feature where tenant_id = ${tenantId}`);
  await db.run(sql`
    insert into tenant_feature (tenant_id, feature, is_on, starts_on, ends_on)
    select ${tenantId}, * from unnest(${switches.map(({ feature }) => feature)}::text[],
      ${switches.map(({ isOn }) => isOn)}::boolean[],
      ${switches.map(({ startsOn }) => startsOn)}::date[],
      ${switches.map(({ endsOn }) => endsOn)}::date[])`);
  await db.run(sql`update tenant set edit_version = edit_version + 1 where id = ${tenantId}`);
}

export function findEntries(
  db: Db,
  ids: readonly number[],
): Promise<{ uri: string; title: string }[]> {
  return db.many(sql`
    select uri, title from menu_entry where id = any(${ids}::bigint[]) order by sort, id`);
}

export function findRemains(db: Db, id: number): Promise<TenantRemains> {
  return db.one(sql`
    select
      (select count(*)::int from cabinet where tenant_id = ${id} and lifecycle <> 'RETIRED')
        as cabinets,
      (select count(*)::int from live_order where tenant_id = ${id}) as live_orders,
      wallet_sum.users as wallet_users, wallet_sum.fen as wallet_fen, wallet_sum.held as held_fen,
      (select count(*)::int from user_package where tenant_id = ${id} and expires_at > now()
        and (uses_left is null or uses_left > 0)) as cards,
      debt.orders as unpaid_orders, debt.fen as unpaid_fen,
      (select count(*)::int from top_up where tenant_id = ${id} and state = 'CREATED') as top_ups,
      (select count(*)::int from top_up_refund
        where tenant_id = ${id} and state in ('PROCESSING', 'ABNORMAL')) as refunds,
      (select count(*)::int from reconciliation_difference
        where tenant_id = ${id} and state = 'OPEN') as differences
    from (
      select count(*)::int as users, coalesce(sum(principal_fen + bonus_fen), 0)::bigint as fen,
        coalesce(sum(held_principal_fen + held_bonus_fen), 0)::bigint as held
      from wallet where tenant_id = ${id} and principal_fen + bonus_fen <> 0) wallet_sum,
    (
      select count(*)::int as orders, coalesce(sum(price_fen - covered_fen - waived_fen
        - paid_principal_fen - paid_bonus_fen), 0)::bigint as fen
      from storage_order
      where tenant_id = ${id} and pay_status = 'UNPAID' and ended_at is not null) debt`);
}

export interface Erasable extends TenantRemains {
  name: string;
  state: TenantState;
  /** Whole days since the tenant was suspended, expired or deleted. */
  closedDays: number;
  isBegun: boolean;
  erasedAt: string | null;
}

export async function findErasable(db: Db, id: number): Promise<Erasable | null> {
  const tenant = await db.maybe<Omit<Erasable, keyof TenantRemains>>(sql`
    select tenant.name, ${stateSql} as state, tenant.erase_began_at is not null as is_begun,
      tenant.erased_at,
      coalesce(extract(day from now() - coalesce(tenant.deleted_at, tenant.suspended_at,
        tenant.expires_at)), 0)::int as closed_days
    from tenant where tenant.id = ${id}`);
  return tenant && { ...tenant, ...(await findRemains(db, id)) };
}

/** From now on the tenant counts as deleted and cannot be resumed. */
export async function beginErasure(db: Db, id: number): Promise<void> {
  await db.run(sql`
    update tenant set state = 'DELETED', deleted_at = coalesce(deleted_at, now()),
      erase_began_at = coalesce(erase_began_at, now()), edit_version = edit_version + 1
    where id = ${id}`);
}

/** Keeps the row, because the audit log and the signed heads refer to its id, without anything personal. */
export async function finishErasure(db: Db, id: number): Promise<void> {
  await db.run(sql`
    update tenant set name = ${`已清除 ${id}`}, contact_name = '', contact_phone = '', remark = '',
      suspend_reason = null, erased_at = now(), edit_version = edit_version + 1
    where id = ${id}`);
}

/** Creates the tenant unless it exists; locks its row until the transaction ends. */
export async function ensureTenant(db: Db, tenant: TenantOption): Promise<void> {
  await db.run(sql`
    insert into tenant (id, name) overriding system value values (${tenant.id}, ${tenant.name})
    on conflict (id) do nothing`);
  await db.run(sql`select 1 from tenant where id = ${tenant.id} for update`);
  await db.run(sql`
    select setval(pg_get_serial_sequence('tenant', 'id'), (select max(id) from tenant))`);
}
