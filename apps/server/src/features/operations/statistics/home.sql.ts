// SQL for the home page: today against yesterday, goods in the cabinets, open tasks.

import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { LOW_SEGMENTS } from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import type { HomeFigures } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { addDays } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { isPlatformStaff, type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { hasFaultSql } from "../../link/cabinet-condition/index.ts";
import { webhookStateOf } from "../../messaging/webhook/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { tenantExpiresOnSql, tenantStateSql } from "../../organization/tenant/index.ts";
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
 * Live orders by primary key through `live_order`, so that each lookup prunes to one monthly partition;
 * `offset 0` keeps the planner from scanning every partition instead.
 */
export function liveOrders(session: Session, tenantId?: number): Sql {
  return sql`
    from live_order l
    cross join lateral (
      select * from storage_order s where s.tenant_id = l.tenant_id and s.id = l.order_id offset 0) o
    where ${storePredicate(session, sql`o.tenant_id`, sql`o.store_id`, tenantId)}`;
}

export const liveColumns = sql`
  (count(*) filter (where o.state in ('STORED', 'OVERDUE', 'PICKING')))::int as stored,
  (count(*) filter (where o.state = 'OVERDUE'))::int as overdue,
  (count(*) filter (where o.state = 'EXCEPTION'))::int as exception`;

export function findHomeSides(
  db: Db,
  session: Session,
  today: string,
  tenantId?: number,
): Promise<HomeSideRow[]> {
  const span = { from: addDays(today, -1), to: today };
  const isToday = sql`f.day = ${today}::date`;
  return db.many(sql`
    with days as (
      select f.side, coalesce(sum(f.started) filter (where ${isToday}), 0)::int as started,
        coalesce(sum(f.started) filter (where not ${isToday}), 0)::int as "startedBefore",
        coalesce(sum(f.income_fen) filter (where ${isToday}), 0)::bigint as "incomeFen",
        coalesce(sum(f.income_fen) filter (where not ${isToday}), 0)::bigint as "incomeFenBefore",
        coalesce(sum(f.refund_fen) filter (where ${isToday}), 0)::bigint as "refundFen",
        coalesce(sum(f.refund_fen) filter (where not ${isToday}), 0)::bigint as "refundFenBefore"
      ${figuresWithin(session, { tenantId }, span)} group by f.side
    ), live as (
      select o.side, ${liveColumns} ${liveOrders(session, tenantId)} group by o.side
    )
    select coalesce(d.side, l.side) as side, coalesce(d.started, 0) as started,
      coalesce(d."startedBefore", 0) as "startedBefore",
      coalesce(d."incomeFen", 0) as "incomeFen",
      coalesce(d."incomeFenBefore", 0) as "incomeFenBefore",
      coalesce(d."refundFen", 0) as "refundFen",
      coalesce(d."refundFenBefore", 0) as "refundFenBefore", coalesce(l.stored, 0) as stored,
      coalesce(l.overdue, 0) as overdue, coalesce(l.exception, 0) as exception
    from days d full join live l on l.side = d.side`);
}

export function countTodo(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Omit<HomeFigures, "sides">> {
  const [c, t] = [sql`c`, sql`t`];
  // Store-bound accounts do not see tenant-wide tasks.
  const isForOperators = (column: Sql) =>
    session.isStoreBound ? sql`false` : tenantPredicate(session, column, tenantId);
  // Other tenants' expiry dates are for the platform only; each tenant sees its own.
  const isForPlatform = isPlatformStaff(session)
    ? tenantPredicate(session, sql`t.id`, tenantId)
    : sql`false`;
  const seesTroubles = isPlatformStaff(session) ? sql`true` : sql`false`;
  return db.one(sql`
    select
      (select count(*)::int from cabinet c
        where ${cabinetPredicate(session, c, tenantId)} and c.lifecycle <> 'RETIRED'
          and ${hasFaultSql(c)}) as "faultyCabinets",
      (select count(*)::int from rollout r
        where ${isForOperators(sql`r.tenant_id`)} and r.state = 'STOPPED') as "stoppedRollouts",
      (select count(*)::int from callback_endpoint e
        where ${isForOperators(sql`e.tenant_id`)} and ${webhookStateOf(sql`e`)} = 'FAILING'
          and e.deleted_at is null) as "failingCallbacks",
      (select count(*)::int from callback_delivery d
        join callback_endpoint e on e.tenant_id = d.tenant_id and e.id = d.endpoint_id
        where ${isForOperators(sql`d.tenant_id`)} and d.state = 'DEAD' and d.purpose = 'EVENT'
          and e.deleted_at is null) as "deadCallbacks",
      (select count(*)::int from reconciliation_difference d
        where ${isForOperators(sql`d.tenant_id`)} and d.state = 'OPEN') as "openDifferences",
      (select count(*)::int from sms_account a
        where ${isForOperators(sql`a.tenant_id`)} and a.balance - a.held < ${LOW_SEGMENTS}
          and exists (select from sms_recharge r where r.tenant_id = a.tenant_id))
        as "lowSmsTenants",
      (select count(*)::int from sms_channel
        where ${seesTroubles} and is_on and check_state = 'FAILED') as "failingSmsChannels",
      (select count(*)::int from tenant t
        where ${isForPlatform} and ${tenantStateSql(t)} = 'EXPIRING')
        as "expiringTenants",
      (select count(*)::int from tenant t
        where ${isForPlatform} and ${tenantStateSql(t)} = 'EXPIRED')
        as "expiredTenants",
      (select ${tenantExpiresOnSql(t)}::text from tenant t
        where t.id = ${session.tenantId} and ${tenantStateSql(t)} = 'EXPIRING') as "ownExpiresOn"`);
}
