// SQL for the home page: today against yesterday, goods in the cabinets, open tasks.

import { addDays } from "@cabinet/contract/kit/shanghai.rules.ts";
import { LOW_SEGMENTS } from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import type { HomeFigures } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { isPlatformStaff, type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { hasFaultSql } from "../../link/cabinet-condition/index.ts";
import { webhookStateOf } from "../../messaging/webhook/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import {
  PLATFORM_TENANT_ID,
  tenantExpiresOnSql,
  tenantStateSql,
} from "../../organization/tenant/index.ts";
import { figuresWithin } from "./income.sql.ts";

export interface HomeSideRow {
  side: Side;
  started: number;
  startedBefore: number;
  incomeFen: number;
  incomeFenBefore: number;
  refundFen: number;
  refundFenBefore: number;
  stored: number;
  overdue: number;
  exception: number;
}

/**
 * Orders with goods in a compartment, counted by the index of each month, which has sides and states; `<> 'COMPLETED'` is
 * its predicate.
 */
export function liveOrders(session: Session, tenantId?: number): Sql {
  return sql`
    from storage_order ord
    where ${storePredicate(session, sql`ord.tenant_id`, sql`ord.store_id`, tenantId)}
      and ord.side in ('SINGLE', 'DOUBLE')
      and ord.state in ('STORED', 'OVERDUE', 'PICKING', 'EXCEPTION') and ord.state <> 'COMPLETED'`;
}

export const liveColumns = sql`
  (count(*) filter (where ord.state in ('STORED', 'OVERDUE', 'PICKING')))::int as stored,
  (count(*) filter (where ord.state = 'OVERDUE'))::int as overdue,
  (count(*) filter (where ord.state = 'EXCEPTION'))::int as exception`;

export function findHomeSides(
  db: Db,
  session: Session,
  today: string,
  tenantId?: number,
): Promise<HomeSideRow[]> {
  const span = { from: addDays(today, -1), to: today };
  const isToday = sql`figure.day = ${today}::date`;
  return db.many(sql`
    with days as (
      select figure.side, coalesce(sum(figure.started) filter (where ${isToday}),
        0)::int as started,
        coalesce(sum(figure.started) filter (where not ${isToday}), 0)::int as started_before,
        coalesce(sum(figure.income_fen) filter (where ${isToday}), 0)::bigint as income_fen,
        coalesce(sum(figure.income_fen) filter (where not ${isToday}),
          0)::bigint as income_fen_before,
        coalesce(sum(figure.refund_fen) filter (where ${isToday}), 0)::bigint as refund_fen,
        coalesce(sum(figure.refund_fen) filter (where not ${isToday}),
          0)::bigint as refund_fen_before
      ${figuresWithin(session, { tenantId }, span)} group by figure.side
    ), live as (
      select ord.side, ${liveColumns} ${liveOrders(session, tenantId)} group by ord.side
    )
    select coalesce(days.side, live.side) as side, coalesce(days.started, 0) as started,
      coalesce(days.started_before, 0) as started_before,
      coalesce(days.income_fen, 0) as income_fen,
      coalesce(days.income_fen_before, 0) as income_fen_before,
      coalesce(days.refund_fen, 0) as refund_fen,
      coalesce(days.refund_fen_before, 0) as refund_fen_before, coalesce(live.stored, 0) as stored,
      coalesce(live.overdue, 0) as overdue, coalesce(live.exception, 0) as exception
    from days full join live on live.side = days.side`);
}

export function countTodo(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Omit<HomeFigures, "sides" | "setup">> {
  const [cabinet, tenant] = [sql`cabinet`, sql`tenant`];
  // Store-bound accounts do not see tenant-wide tasks.
  const isForOperators = (column: Sql) =>
    session.isStoreBound ? sql`false` : tenantPredicate(session, column, tenantId);
  // Other tenants' expiry dates are for the platform only; each tenant sees its own.
  const isForPlatform = isPlatformStaff(session)
    ? tenantPredicate(session, sql`tenant.id`, tenantId)
    : sql`false`;
  const seesTroubles = isPlatformStaff(session) ? sql`true` : sql`false`;
  return db.one(sql`
    select
      (select count(*)::int from cabinet
        where ${cabinetPredicate(session, cabinet, tenantId)} and cabinet.lifecycle <> 'RETIRED'
          and ${hasFaultSql(cabinet)}) as faulty_cabinets,
      (select count(*)::int from rollout
        where ${isForOperators(sql`rollout.tenant_id`)} and rollout.state = 'STOPPED') as stopped_rollouts,
      (select count(*)::int from callback_endpoint endpoint
        where ${isForOperators(sql`endpoint.tenant_id`)} and ${webhookStateOf(sql`endpoint`)} = 'FAILING'
          and endpoint.deleted_at is null) as failing_callbacks,
      (select count(*)::int from callback_delivery delivery
        join callback_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id
          and endpoint.id = delivery.endpoint_id
        where ${isForOperators(sql`delivery.tenant_id`)} and delivery.state = 'DEAD'
          and delivery.purpose = 'EVENT'
          and endpoint.deleted_at is null) as dead_callbacks,
      (select count(*)::int from reconciliation_difference difference
        where ${isForOperators(sql`difference.tenant_id`)} and difference.state = 'OPEN') as open_differences,
      (select count(*)::int from sms_account account
        where ${isForOperators(sql`account.tenant_id`)} and account.balance - account.held < ${LOW_SEGMENTS}
          and exists (select from sms_recharge recharge
            where recharge.tenant_id = account.tenant_id))
        as low_sms_tenants,
      (select count(*)::int from sms_channel
        where ${seesTroubles} and is_on and check_state = 'FAILED') as failing_sms_channels,
      (select count(*)::int from tenant
        where ${isForPlatform} and ${tenantStateSql(tenant)} = 'EXPIRING')
        as expiring_tenants,
      (select count(*)::int from tenant
        where ${isForPlatform} and ${tenantStateSql(tenant)} = 'EXPIRED')
        as expired_tenants,
      (select ${tenantExpiresOnSql(tenant)}::text from tenant
        where tenant.id = ${session.tenantId} and ${tenantStateSql(tenant)} = 'EXPIRING') as own_expires_on`);
}

/** Set-up of one tenant, and of the session's own account; null for a tenant that it does not see. */
export function findSetup(
  db: Db,
  session: Session,
  tenantId: number,
): Promise<HomeFigures["setup"]> {
  const hasSms =
    tenantId === PLATFORM_TENANT_ID
      ? sql`exists (select from sms_channel where is_on)`
      : sql`exists (
          select from sms_account account
          where account.tenant_id = tenant.id and account.balance > account.held)`;
  return db.maybe(sql`
    select ${hasSms} as has_sms,
      exists (
        select from callback_endpoint endpoint
        where endpoint.tenant_id = tenant.id and endpoint.deleted_at is null
          and endpoint.last_success_at is not null) as has_webhook,
      exists (
        select from tenant_setting setting
        where setting.tenant_id = tenant.id and setting.map_key is not null) as has_map_key,
      exists (
        select from operator
        where operator.tenant_id = ${session.tenantId} and operator.id = ${session.operatorId}
          and operator.has_second_factor) as has_second_factor
    from tenant
    where ${tenantPredicate(session, sql`tenant.id`, tenantId)} and tenant.id = ${tenantId}`);
}
