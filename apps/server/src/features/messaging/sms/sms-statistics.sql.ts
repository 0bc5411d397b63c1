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
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { isVisibleSql } from "./sms.sql.ts";

const counts = sql`
  count(*)::int as written,
  (count(*) filter (where m.state = 'OUTBOX'))::int as outbox,
  (count(*) filter (where m.state in ('QUEUED', 'SENDING')))::int as waiting,
  (count(*) filter (where m.state = 'SENT'))::int as sent,
  (count(*) filter (where m.state = 'DELIVERED'))::int as delivered,
  (count(*) filter (where m.state = 'FAILED'))::int as failed,
  coalesce(sum(m.segments) filter (where m.sent_at is not null), 0)::int as "usedSegments"`;

/** Days of Asia/Shanghai, both ends included. */
function within(session: Session, { from, to }: DaySpan, tenantId?: number): Sql {
  return sql`
    from sms_message m
    where ${isVisibleSql(session, tenantId)}
      and m.created_at >= ${from}::date::timestamp at time zone 'Asia/Shanghai'
      and m.created_at < (${to}::date + 1)::timestamp at time zone 'Asia/Shanghai'`;
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
      select (m.created_at at time zone 'Asia/Shanghai')::date as day, ${counts}
      ${within(session, span, tenantId)} group by 1
    )
    select d::date::text as day, coalesce(c.written, 0) as written, coalesce(c.outbox, 0) as outbox,
      coalesce(c.waiting, 0) as waiting, coalesce(c.sent, 0) as sent,
      coalesce(c.delivered, 0) as delivered, coalesce(c.failed, 0) as failed,
      coalesce(c."usedSegments", 0) as "usedSegments"
    from generate_series(${span.from}::date, ${span.to}::date, interval '1 day') d
    left join counted c on c.day = d::date
    order by d`);
}

export function countSmsByScenario(
  db: Db,
  session: Session,
  span: DaySpan,
  tenantId?: number,
): Promise<SmsScenarioCounts[]> {
  return db.many(sql`
    select m.scene, ${counts} ${within(session, span, tenantId)}
    group by m.scene order by written desc, m.scene`);
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
    select m.carrier, m.result_code as "resultCode", max(m.result_text) as "resultText",
      count(*)::int as count
    ${within(session, span, tenantId)} and m.state = 'FAILED'
    group by m.carrier, m.result_code order by count desc, m.result_code limit ${TOP}`);
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
  from tenant t
  left join sms_account ${account} on ${account}.tenant_id = ${tenantId}
  cross join lateral (
    select
      coalesce(-sum(e.segments) filter (where e.at >= now() - make_interval(days => ${PACE_DAYS})), 0)
        ::int as used,
      coalesce(-sum(e.segments), 0)::int as lately,
      coalesce(extract(day from now() - min(e.at) filter (
        where e.at >= now() - make_interval(days => ${PACE_DAYS})))::int + 1, 0) as days
    from sms_credit_entry e
    where e.tenant_id = ${tenantId} and e.kind = 'USE' and e.at >= now() - interval '30 days') pace`;

/** Totals over all visible tenants: credit is not shared, so only the sum is meaningful. */
export function findSmsUse(db: Db, session: Session, tenantId?: number): Promise<SmsUse> {
  return db.one(sql`
    with each as (
      select ${useOf(sql`a`, sql`t.id`)}
      where ${tenantPredicate(session, sql`t.id`, tenantId)})
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
    from sms_account s where ${tenantPredicate(session, sql`s.tenant_id`, query.tenantId)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      with each as (
        select t.id as "tenantId", t.name as "tenantName", ${useOf(sql`a`, sql`t.id`)}
        where t.id in (select s.tenant_id ${matched}))
      select "tenantId", "tenantName", "left"::int, held::int, used, days,
        lately as "usedLately"
      from each
      order by case when used > 0 then "left" * days / used end nulls last, "left", "tenantId"
      ${pageLimits(query)}`,
  });
}
