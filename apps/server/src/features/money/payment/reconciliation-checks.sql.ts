// Internal reconciliation checks: each statement returns the rows that disagree.
import { ORDER_LOOKBACK_DAYS } from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import type { FoundDifference } from "./difference.sql.ts";
import type { RunRow } from "./reconciliation.sql.ts";

type Found = Omit<FoundDifference, "tenantId">;
type Check = (db: Db, run: RunRow) => Promise<Found[]>;

/** Cap per kind and run: more differences carry no information, something is broken as a whole. */
const MOST = 1_000;

const ofDay = ({ tenantId, from, to }: RunRow, column: Sql): Sql =>
  sql`${column} >= ${from}::timestamptz and ${column} < ${to}::timestamptz
    and journal.tenant_id = ${tenantId}`;

/** Journals whose legs do not sum to zero, or not to the wallet amounts of the journal. */
const unbalanced: Check = (db, run) =>
  db.many(sql`
    select 'LEDGER_UNBALANCED' as kind, journal.id::text as subject, journal.end_user_id,
      journal.order_id, 0 as expected_fen, coalesce(leg_sum.sum, 0) as actual_fen,
      '流水 ' || journal.id || ' 共 ' || leg_sum.legs || ' 笔分录' as detail
    from ledger_journal journal
    cross join lateral (
      select count(*)::int as legs, sum(amount_fen)::bigint as sum,
        coalesce(sum(amount_fen) filter (where account = 'WALLET_PRINCIPAL'), 0) as principal,
        coalesce(sum(amount_fen) filter (where account = 'WALLET_BONUS'), 0) as bonus
      from ledger_leg where tenant_id = journal.tenant_id and journal_id = journal.id) leg_sum
    where ${ofDay(run, sql`journal.at`)} and (leg_sum.legs < 2 or leg_sum.sum <> 0
      or leg_sum.principal <> journal.principal_fen
      or leg_sum.bonus <> journal.bonus_fen)
    limit ${MOST}`);

/** Balance before a journal plus its change must equal the balance after it. */
const chain: Check = (db, run) =>
  db.many(sql`
    select 'LEDGER_CHAIN' as kind, journal.id::text as subject, journal.end_user_id,
      coalesce(previous.after, 0) + journal.principal_fen + journal.bonus_fen as expected_fen,
      journal.principal_after_fen + journal.bonus_after_fen as actual_fen,
      '流水 ' || journal.id || ' 与该用户的上一条流水' as detail
    from ledger_journal journal
    left join lateral (
      select prev_journal.principal_after_fen as principal, prev_journal.bonus_after_fen as bonus,
        prev_journal.principal_after_fen + prev_journal.bonus_after_fen as after
      from ledger_journal prev_journal
      where prev_journal.tenant_id = journal.tenant_id
        and prev_journal.end_user_id = journal.end_user_id and prev_journal.id < journal.id
      order by prev_journal.id desc limit 1) previous on true
    where ${ofDay(run, sql`journal.at`)}
      and (coalesce(previous.principal, 0) + journal.principal_fen <> journal.principal_after_fen
        or coalesce(previous.bonus, 0) + journal.bonus_fen <> journal.bonus_after_fen)
    limit ${MOST}`);

/** Payments or refunds of an order that does not exist. */
const orphans: Check = (db, run) =>
  db.many(sql`
    select 'ORDER_MISSING' as kind, journal.order_id::text as subject, journal.end_user_id,
      -sum(journal.principal_fen + journal.bonus_fen)::bigint as expected_fen, null as actual_fen,
      '流水 ' || min(journal.id) as detail
    from ledger_journal journal
    where ${ofDay(run, sql`journal.at`)} and journal.order_id is not null and not exists (
      select from storage_order ord where ord.tenant_id = journal.tenant_id
        and ord.id = journal.order_id)
    group by journal.order_id, journal.end_user_id
    limit ${MOST}`);

/** Daily statistics must equal the sums of the day's journals, per side. */
const figures: Check = (db, run) =>
  db.many(sql`
    with posted as (
      select journal.side, -sum(journal.principal_fen + journal.bonus_fen) filter (where journal.kind = 'PAYMENT') as income,
        sum(journal.principal_fen + journal.bonus_fen) filter (where journal.kind = 'PAYMENT_REFUND') as refund
      from ledger_journal journal
      where ${ofDay(run, sql`journal.at`)} and journal.side is not null group by journal.side
    ), counted as (
      select side, sum(income_fen) as income, sum(refund_fen) as refund from (
        select side, income_fen, refund_fen from order_day
        where tenant_id = ${run.tenantId} and day = ${run.day}::date
        union all
        select side, income_fen, refund_fen from order_delta
        where tenant_id = ${run.tenantId} and day = ${run.day}::date) figure group by side
    ), both_of as (
      select side_title.side, side_title.title, coalesce(posted.income, 0) as income,
        coalesce(posted.refund, 0) as refund,
        coalesce(counted.income, 0) as counted_income, coalesce(counted.refund, 0) as counted_refund
      from (values ('SINGLE', '单面'), ('DOUBLE', '双面')) side_title (side, title)
      left join posted on posted.side = side_title.side
      left join counted on counted.side = side_title.side
    )
    select 'FIGURES' as kind, ${run.day} || ' ' || compared.side || ' ' || compared.what as subject,
      compared.expected::bigint as expected_fen, compared.actual::bigint as actual_fen,
      compared.title || '设备当日' || compared.text as detail
    from (
      select side, title, 'INCOME' as what, '收入' as text, income as expected,
        counted_income as actual from both_of
      union all
      select side, title, 'REFUND', '退款', refund, counted_refund from both_of) compared
    where compared.expected <> compared.actual`);

/** Wallet holds still HELD one day after they were created. */
const staleHolds: Check = (db, { tenantId }) =>
  db.many(sql`
    select 'HOLD_STALE' as kind, hold.id::text as subject, hold.end_user_id, hold.order_id,
      0 as expected_fen, (hold.principal_fen + hold.bonus_fen)::bigint as actual_fen,
      '订单 ' || hold.order_id || ' 的冻结' as detail
    from wallet_hold hold
    where hold.tenant_id = ${tenantId} and hold.state = 'HELD'
      and hold.created_at < now() - interval '1 day'
    limit ${MOST}`);

/** A paid top-up must have exactly one journal of its amount. */
const topUps: Check = (db, { tenantId, from, to }) =>
  db.many(sql`
    select case when journal.id is null then 'TOP_UP_NOT_POSTED' else 'TOP_UP_AMOUNT' end as kind,
      coalesce(top_up.out_trade_no, '充值 ' || top_up.id) as subject, top_up.end_user_id,
      top_up.id as top_up_id, (top_up.principal_fen + top_up.bonus_fen)::bigint as expected_fen,
      (journal.principal_fen + journal.bonus_fen)::bigint as actual_fen,
      case when journal.id is null then '没有入账流水' else '流水 ' || journal.id end as detail
    from top_up
    left join ledger_journal journal on journal.tenant_id = top_up.tenant_id
      and journal.biz_type = 'TOP_UP'
      and journal.biz_id = top_up.id::text
    where top_up.tenant_id = ${tenantId} and top_up.paid_at >= ${from}::timestamptz
      and top_up.paid_at < ${to}::timestamptz
      and (journal.id is null or journal.end_user_id <> top_up.end_user_id
        or journal.principal_fen <> top_up.principal_fen
        or journal.bonus_fen <> top_up.bonus_fen)
    limit ${MOST}`);

/** A top-up journal must have a top-up, and it must be paid. */
const topUpJournals: Check = (db, run) =>
  db.many(sql`
    select 'TOP_UP_MISSING' as kind, journal.id::text as subject, journal.end_user_id,
      (journal.principal_fen + journal.bonus_fen)::bigint as expected_fen, null as actual_fen,
      '流水 ' || journal.id || '，充值 ' || journal.biz_id as detail
    from ledger_journal journal
    where ${ofDay(run, sql`journal.at`)} and journal.biz_type = 'TOP_UP' and not exists (
      select from top_up where top_up.tenant_id = journal.tenant_id
        and top_up.id::text = journal.biz_id
        and top_up.state not in ('CREATED', 'CLOSED'))
    limit ${MOST}`);

/** Journals of a card purchase whose card does not exist. */
const cardJournals: Check = (db, run) =>
  db.many(sql`
    select 'CARD_MISSING' as kind, journal.id::text as subject, journal.end_user_id,
      -(journal.principal_fen + journal.bonus_fen)::bigint as expected_fen, null as actual_fen,
      '流水 ' || journal.id || '，套餐卡 ' || journal.biz_id as detail
    from ledger_journal journal
    where ${ofDay(run, sql`journal.at`)} and journal.biz_type = 'PACKAGE_BUY' and not exists (
      select from user_package where user_package.tenant_id = journal.tenant_id
        and user_package.id::text = journal.biz_id)
    limit ${MOST}`);

export const dayChecks: readonly Check[] = [
  unbalanced,
  chain,
  orphans,
  figures,
  staleHolds,
  cardJournals,
  topUps,
  topUpJournals,
];

/** Number of journals and top-ups of the day that were compared. */
export function countDay(db: Db, run: RunRow): Promise<{ journals: number; topUps: number }> {
  return db.one(sql`
    select (select count(*)::int from ledger_journal journal
      where ${ofDay(run, sql`journal.at`)}) as journals,
      (select count(*)::int from top_up where tenant_id = ${run.tenantId}
        and paid_at >= ${run.from}::timestamptz and paid_at < ${run.to}::timestamptz) as top_ups`);
}

/** Batch size for wallets and cards. */
const AT_ONCE = 5_000;

/** Result of one batch (keyset pagination): the next one starts after `last`. */
export interface Walked {
  last: number | null;
  count: number;
  found: Found[];
}

/**
 * Wallets after one end user id, in batches: each balance must equal that of its last journal, and
 * `held` the sum of its open holds. Together with the daily journal chain that covers the sum of
 * all journals.
 */
export async function checkWallets(db: Db, { tenantId }: RunRow, after: number): Promise<Walked> {
  const some = sql`
    select * from wallet where tenant_id = ${tenantId} and end_user_id > ${after}
    order by end_user_id limit ${AT_ONCE}`;
  const [{ last, count }, found] = await Promise.all([
    db.one<{ last: number | null; count: number }>(
      sql`select max(end_user_id) as last, count(*)::int as count from (${some}) wallet`,
    ),
    db.many<Found>(sql`
      select result.kind, result.subject, result.id as end_user_id, result.expected as expected_fen,
        result.actual as actual_fen, result.detail
      from (${some}) wallet
      left join lateral (
        select principal_after_fen as principal, bonus_after_fen as bonus
        from ledger_journal journal
        where journal.tenant_id = wallet.tenant_id and journal.end_user_id = wallet.end_user_id
        order by journal.id desc limit 1) journal on true
      cross join lateral (
        select coalesce(sum(principal_fen), 0)::bigint as principal,
          coalesce(sum(bonus_fen), 0)::bigint as bonus
        from wallet_hold hold
        where hold.tenant_id = wallet.tenant_id and hold.end_user_id = wallet.end_user_id
          and hold.state = 'HELD') hold
      cross join lateral (values
        ('WALLET_BALANCE', coalesce(journal.principal, 0), wallet.principal_fen, '本金'),
        ('WALLET_BALANCE', coalesce(journal.bonus, 0), wallet.bonus_fen, '赠金'),
        ('WALLET_HELD', hold.principal, wallet.held_principal_fen, '冻结本金'),
        ('WALLET_HELD', hold.bonus, wallet.held_bonus_fen, '冻结赠金')) balance (kind, expected, actual,
        part)
      cross join lateral (select balance.kind, balance.part || ' ' || wallet.end_user_id as subject,
        wallet.end_user_id as id, balance.expected, balance.actual, balance.part as detail) result
      where balance.expected <> balance.actual
      limit ${MOST}`),
  ]);
  return { last, count, found };
}

/**
 * Cards after one id, in batches: each has one purchase journal of its price, and its remaining
 * uses equal its uses minus those that orders took.
 */
export async function checkCards(db: Db, { tenantId }: RunRow, after: number): Promise<Walked> {
  const some = sql`
    select * from user_package where tenant_id = ${tenantId} and id > ${after}
    order by id limit ${AT_ONCE}`;
  const [{ last, count }, found] = await Promise.all([
    db.one<{ last: number | null; count: number }>(
      sql`select max(id) as last, count(*)::int as count from (${some}) user_package`,
    ),
    db.many<Found>(sql`
      select result.kind, '套餐卡 ' || user_package.id as subject, user_package.end_user_id,
        result.expected::bigint as expected_fen, result.actual::bigint as actual_fen, result.detail
      from (${some}) user_package
      cross join lateral (
        select count(*)::int as used from package_use
        where package_use.tenant_id = user_package.tenant_id
          and package_use.user_package_id = user_package.id) package_use
      left join ledger_journal journal on journal.tenant_id = user_package.tenant_id
        and journal.biz_type = 'PACKAGE_BUY'
        and journal.biz_id = user_package.id::text
        and journal.end_user_id = user_package.end_user_id
      cross join lateral (values
        ('CARD_USES', null, null, user_package.name || '：共 ' || user_package.uses || ' 次，用卡记录 ' || package_use.used
          || ' 次，剩余 ' || user_package.uses_left || ' 次',
          user_package.uses - package_use.used <> user_package.uses_left),
        ('CARD_PAID', -(journal.principal_fen + journal.bonus_fen), user_package.price_fen,
          user_package.name || '，' ||
          coalesce('流水 ' || journal.id, '没有购卡流水'),
          user_package.price_fen <> coalesce(-(journal.principal_fen + journal.bonus_fen), 0)))
        result (kind, expected, actual, detail, is_wrong)
      where result.is_wrong
      limit ${MOST}`),
  ]);
  return { last, count, found };
}

/**
 * Orders begun on one day (`back` days before the run's), compared with their journals: the amounts
 * paid, refunded and covered by a card, and whether their state matches their money.
 */
export async function checkOrders(
  db: Db,
  { tenantId, day }: RunRow,
  back: number,
): Promise<{ count: number; found: Found[] }> {
  const start = (days: number) => sql`first_order_id(${dayStartSql(day, days)})`;
  const some = sql`storage_order ord where ord.tenant_id = ${tenantId}
    and ord.id >= ${start(-back)} and ord.id < ${start(1 - back)}`;
  const [{ count }, found] = await Promise.all([
    db.one<{ count: number }>(sql`select count(*)::int as count from ${some}`),
    db.many<Found>(sql`
      select result.kind, ord.id::text as subject, ord.id as order_id,
        ord.recipient_id as end_user_id, result.expected::bigint as expected_fen,
        result.actual::bigint as actual_fen, result.detail
      from (select ord.* from ${some}) ord
      cross join lateral (
        select coalesce(-sum(principal_fen) filter (where kind = 'PAYMENT'), 0) as paid_principal,
          coalesce(-sum(bonus_fen) filter (where kind = 'PAYMENT'), 0) as paid_bonus,
          coalesce(sum(principal_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as back_principal,
          coalesce(sum(bonus_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as back_bonus
        from ledger_journal journal where journal.tenant_id = ord.tenant_id
          and journal.order_id = ord.id) journal
      left join package_use on package_use.tenant_id = ord.tenant_id
        and package_use.order_id = ord.id
      cross join lateral (
        select paid, case when refunded > 0 and refunded = paid then 'REFUNDED'
          when refunded > 0 then 'PARTIAL_REFUND' when owed > 0 then 'UNPAID'
          when paid > 0 then 'PAID' else 'NONE' end as pay_status
        from (select ord.paid_principal_fen + ord.paid_bonus_fen as paid,
          ord.refunded_principal_fen + ord.refunded_bonus_fen as refunded,
          ord.price_fen - ord.covered_fen
            - ord.waived_fen - ord.paid_principal_fen - ord.paid_bonus_fen as owed) sums) money
      cross join lateral (values
        ('ORDER_PAID', journal.paid_principal + journal.paid_bonus,
          ord.paid_principal_fen + ord.paid_bonus_fen,
          '订单记录的支付与流水',
          journal.paid_principal <> ord.paid_principal_fen
            or journal.paid_bonus <> ord.paid_bonus_fen),
        ('ORDER_REFUNDED', journal.back_principal + journal.back_bonus,
          ord.refunded_principal_fen + ord.refunded_bonus_fen, '订单记录的退款与流水',
          journal.back_principal <> ord.refunded_principal_fen
            or journal.back_bonus <> ord.refunded_bonus_fen),
        ('ORDER_STATUS', ord.price_fen - ord.covered_fen - ord.waived_fen, money.paid,
          '应付与已付；支付状态 ' || ord.pay_status || '，按金额应为 ' || money.pay_status,
          ord.ended_at is not null and ord.pay_status <> money.pay_status),
        ('ORDER_COVERED', coalesce(package_use.fen, 0), ord.covered_fen, '订单记录的抵扣与用卡记录',
          ord.covered_fen <> coalesce(package_use.fen, 0)
            or ord.user_package_id is distinct from package_use.user_package_id))
        result (kind, expected, actual, detail, is_wrong)
      where result.is_wrong
      limit ${MOST}`),
  ]);
  return { count, found };
}

/** Days of orders that a run compares. */
export const orderDays = Array.from({ length: ORDER_LOOKBACK_DAYS + 1 }, (_, back) => back);
