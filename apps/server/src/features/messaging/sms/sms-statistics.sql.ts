// SQL for SMS statistics from the outbox and the accounts.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  SmsCounts,
  SmsDay,
  SmsFailure,
  SmsScenarioCounts,
  smsStatisticsContract,
  TenantSms,
} from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import { PACE_DAYS } from "@cabinet/contract/messaging/sms/sms-statistics.rules.ts";
import type { DaySpan } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { isVisibleSql } from "./sms.sql.ts";

const counts = sql`
  count(*)::int as written,
  (count(*) filter (where sms.state = 'OUTBOX'))::int as outbox,
  (count(*) filter (where sms.state in ('QUEUED', 'SENDING')))::int as waiting,
  (count(*) filter (where sms.state = 'SENT'))::int as sent,
  (count(*) filter (where sms.state = 'DELIVERED'))::int as delivered,
  (count(*) filter (where sms.state = 'FAILED'))::int as failed,
  coalesce(sum(sms.segments) filter (where sms.sent_at is not null), 0)::int as used_segments`;

/** Days of Asia/Shanghai, both ends included. */
function within(session: Session, { from, to }: DaySpan, tenantId?: number): Sql {
  return sql`
    from sms_message sms
    where ${isVisibleSql(session, tenantId)}
      and sms.created_at >= ${dayStartSql(from)}
      and sms.created_at < ${dayStartSql(to, 1)}`;
}

export function countSms(
  db: Db,
  session: Session,
  span: DaySpan,
  tenantId?: number,
): Promise<SmsCounts> {
  return db.one(sql`select ${counts} ${within(session, span, tenantId)}`);
}

/** Every day of the span, including days without messages. */
export function countSmsByDay(
  db: Db,
  session: Session,
  span: DaySpan,
  tenantId?: number,
): Promise<SmsDay[]> {
  return db.many(sql`
    with counted as (
      select (sms.created_at at time zone 'Asia/Shanghai')::date as day, ${counts}
      ${within(session, span, tenantId)} group by 1
    )
    select d::date::text as day, coalesce(counted.written, 0) as written,
      coalesce(counted.outbox, 0) as outbox,
      coalesce(counted.waiting, 0) as waiting, coalesce(counted.sent, 0) as sent,
      coalesce(counted.delivered, 0) as delivered, coalesce(counted.failed, 0) as failed,
      coalesce(counted.used_segments, 0) as used_segments
    from generate_series(${span.from}::date, ${span.to}::date, interval '1 day') d
    left join counted on counted.day = d::date
    order by d`);
}

export function countSmsByScenario(
  db: Db,
  session: Session,
  span: DaySpan,
  tenantId?: number,
): Promise<SmsScenarioCounts[]> {
  return db.many(sql`
    select sms.scene, ${counts} ${within(session, span, tenantId)}
    group by sms.scene order by written desc, sms.scene`);
}

const TOP = 8;

/** Failure reasons, the most frequent first. */
export function findSmsFailures(
  db: Db,
  session: Session,
  span: DaySpan,
  tenantId?: number,
): Promise<SmsFailure[]> {
  return db.many(sql`
    select sms.carrier, sms.result_code, max(sms.result_text) as result_text, count(*)::int as count
    ${within(session, span, tenantId)} and sms.state = 'FAILED'
    group by sms.carrier, sms.result_code order by count desc, sms.result_code limit ${TOP}`);
}

export interface SmsUse {
  left: number;
  held: number;
  /** Segments used within the PACE_DAYS window. */
  used: number;
  /** Days of the window since the first use in it. */
  days: number;
}

/** Remaining credit and pace of use of an account; today counts as a day. */
const useOf = (account: Sql, tenantId: Sql) => sql`
  coalesce(${account}.balance - ${account}.held, 0) as "left", coalesce(${account}.held, 0) as held,
  pace.used, pace.days, pace.lately
  from tenant
  left join sms_account ${account} on ${account}.tenant_id = ${tenantId}
  cross join lateral (
    select
      coalesce(-sum(credit_entry.segments) filter (where credit_entry.at >= now() - make_interval(days => ${PACE_DAYS})), 0)
        ::int as used,
      coalesce(-sum(credit_entry.segments), 0)::int as lately,
      coalesce(extract(day from now() - min(credit_entry.at) filter (
        where credit_entry.at >= now() - make_interval(days => ${PACE_DAYS})))::int + 1, 0) as days
    from sms_credit_entry credit_entry
    where credit_entry.tenant_id = ${tenantId} and credit_entry.kind = 'USE'
      and credit_entry.at >= now() - interval '30 days') pace`;

/** Totals over all visible tenants: credit is not shared, so only the sum is meaningful. */
export function findSmsUse(db: Db, session: Session, tenantId?: number): Promise<SmsUse> {
  return db.one(sql`
    with each as (
      select ${useOf(sql`account`, sql`tenant.id`)}
      where ${tenantPredicate(session, sql`tenant.id`, tenantId)})
    select coalesce(sum("left"), 0)::int as "left", coalesce(sum(held), 0)::int as held,
      coalesce(sum(used), 0)::int as used, coalesce(max(days), 0)::int as days
    from each`);
}

type TenantUse = Omit<TenantSms, "perDay" | "daysLeft"> & Pick<SmsUse, "used" | "days">;

/** Tenants with an account, shortest runway first. */
export function findTenantUses(
  db: Db,
  session: Session,
  query: Input<typeof smsStatisticsContract.tenants>["query"],
): Promise<Page<TenantUse>> {
  const matched = sql`
    from sms_account account where ${tenantPredicate(session, sql`account.tenant_id`, query.tenantId)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      with each as (
        select tenant.id as tenant_id, tenant.name as tenant_name, ${useOf(sql`account`, sql`tenant.id`)}
        where tenant.id in (select account.tenant_id ${matched}))
      select tenant_id, tenant_name, "left"::int, held::int, used, days, lately as used_lately
      from each
      order by case when used > 0 then "left" * days / used end nulls last, "left", tenant_id
      ${pageLimits(query)}`,
  });
}
