// Internal reconciliation checks: each statement returns the rows that disagree.
import { ORDER_LOOKBACK_DAYS } from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import type { FoundDifference } from "./difference.sql.ts";
import type { RunRow } from "./reconciliation.sql.ts";

type Found = Omit<FoundDifference, "tenantId">;
type Check = (db: Db, run: RunRow) => Promise<Found[]>;

/** Cap per kind and run: more differences carry no information, something is broken as a whole. */
const MOST = 1_000;

const ofDay = ({ tenantId, from, to }: RunRow, column: Sql): Sql =>
  sql`${column} >= ${from}::timestamptz and ${column} < ${to}::timestamptz
    and j.tenant_id = ${tenantId}`;

/** Journals whose legs do not sum to zero, or not to the wallet amounts of the journal. */
const unbalanced: Check = (db, run) =>
  db.many(sql`
    select 'LEDGER_UNBALANCED' as kind, j.id::text as subject, j.end_user_id as "endUserId",
      j.order_id as "orderId", 0 as "expectedFen", coalesce(l.sum, 0) as "actualFen",
      '流水 ' || j.id || ' 共 ' || l.legs || ' 笔分录' as detail
    from ledger_journal j
    cross join lateral (
      select count(*)::int as legs, sum(amount_fen)::bigint as sum,
        coalesce(sum(amount_fen) filter (where account = 'WALLET_PRINCIPAL'), 0) as principal,
        coalesce(sum(amount_fen) filter (where account = 'WALLET_BONUS'), 0) as bonus
      from ledger_leg where tenant_id = j.tenant_id and journal_id = j.id) l
    where ${ofDay(run, sql`j.at`)} and (l.legs < 2 or l.sum <> 0 or l.principal <> j.principal_fen
      or l.bonus <> j.bonus_fen)
    limit ${MOST}`);

/** Balance before a journal plus its change must equal the balance after it. */
const chain: Check = (db, run) =>
  db.many(sql`
    select 'LEDGER_CHAIN' as kind, j.id::text as subject, j.end_user_id as "endUserId",
      coalesce(b.after, 0) + j.principal_fen + j.bonus_fen as "expectedFen",
      j.principal_after_fen + j.bonus_after_fen as "actualFen",
      '流水 ' || j.id || ' 与该用户的上一条流水' as detail
    from ledger_journal j
    left join lateral (
      select p.principal_after_fen as principal, p.bonus_after_fen as bonus,
        p.principal_after_fen + p.bonus_after_fen as after
      from ledger_journal p
      where p.tenant_id = j.tenant_id and p.end_user_id = j.end_user_id and p.id < j.id
      order by p.id desc limit 1) b on true
    where ${ofDay(run, sql`j.at`)}
      and (coalesce(b.principal, 0) + j.principal_fen <> j.principal_after_fen
        or coalesce(b.bonus, 0) + j.bonus_fen <> j.bonus_after_fen)
    limit ${MOST}`);

/** Payments or refunds of an order that does not exist. */
const orphans: Check = (db, run) =>
  db.many(sql`
    select 'ORDER_MISSING' as kind, j.order_id::text as subject, j.end_user_id as "endUserId",
      -sum(j.principal_fen + j.bonus_fen)::bigint as "expectedFen", null as "actualFen",
      '流水 ' || min(j.id) as detail
    from ledger_journal j
    where ${ofDay(run, sql`j.at`)} and j.order_id is not null and not exists (
      select from storage_order o where o.tenant_id = j.tenant_id and o.id = j.order_id)
    group by j.order_id, j.end_user_id
    limit ${MOST}`);

/** Daily statistics must equal the sums of the day's journals, per side. */
const figures: Check = (db, run) =>
  db.many(sql`
    with posted as (
      select j.side, -sum(j.principal_fen + j.bonus_fen) filter (where j.kind = 'PAYMENT') as income,
        sum(j.principal_fen + j.bonus_fen) filter (where j.kind = 'PAYMENT_REFUND') as refund
      from ledger_journal j
      where ${ofDay(run, sql`j.at`)} and j.side is not null group by j.side
    ), counted as (
      select side, sum(income_fen) as income, sum(refund_fen) as refund from (
        select side, income_fen, refund_fen from order_day
        where tenant_id = ${run.tenantId} and day = ${run.day}::date
        union all
        select side, income_fen, refund_fen from order_delta
        where tenant_id = ${run.tenantId} and day = ${run.day}::date) f group by side
    ), both_of as (
      select s.side, s.title, coalesce(p.income, 0) as income, coalesce(p.refund, 0) as refund,
        coalesce(c.income, 0) as counted_income, coalesce(c.refund, 0) as counted_refund
      from (values ('SINGLE', '单面'), ('DOUBLE', '双面')) s (side, title)
      left join posted p on p.side = s.side left join counted c on c.side = s.side
    )
    select 'FIGURES' as kind, ${run.day} || ' ' || v.side || ' ' || v.what as subject,
      v.expected::bigint as "expectedFen", v.actual::bigint as "actualFen",
      v.title || '设备当日' || v.text as detail
    from (
      select side, title, 'INCOME' as what, '收入' as text, income as expected,
        counted_income as actual from both_of
      union all
      select side, title, 'REFUND', '退款', refund, counted_refund from both_of) v
    where v.expected <> v.actual`);

/** Wallet holds still HELD one day after they were created. */
const staleHolds: Check = (db, { tenantId }) =>
  db.many(sql`
    select 'HOLD_STALE' as kind, h.id::text as subject, h.end_user_id as "endUserId",
      h.order_id as "orderId", 0 as "expectedFen",
      (h.principal_fen + h.bonus_fen)::bigint as "actualFen",
      '订单 ' || h.order_id || ' 的冻结' as detail
    from wallet_hold h
    where h.tenant_id = ${tenantId} and h.state = 'HELD'
      and h.created_at < now() - interval '1 day'
    limit ${MOST}`);

/** A paid top-up must have exactly one journal of its amount. */
const topUps: Check = (db, { tenantId, from, to }) =>
  db.many(sql`
    select case when j.id is null then 'TOP_UP_NOT_POSTED' else 'TOP_UP_AMOUNT' end as kind,
      coalesce(t.out_trade_no, '充值 ' || t.id) as subject, t.end_user_id as "endUserId",
      t.id as "topUpId", (t.principal_fen + t.bonus_fen)::bigint as "expectedFen",
      (j.principal_fen + j.bonus_fen)::bigint as "actualFen",
      case when j.id is null then '没有入账流水' else '流水 ' || j.id end as detail
    from top_up t
    left join ledger_journal j on j.tenant_id = t.tenant_id and j.biz_type = 'TOP_UP'
      and j.biz_id = t.id::text
    where t.tenant_id = ${tenantId} and t.paid_at >= ${from}::timestamptz
      and t.paid_at < ${to}::timestamptz
      and (j.id is null or j.end_user_id <> t.end_user_id or j.principal_fen <> t.principal_fen
        or j.bonus_fen <> t.bonus_fen)
    limit ${MOST}`);

/** A top-up journal must have a top-up, and it must be paid. */
const topUpJournals: Check = (db, run) =>
  db.many(sql`
    select 'TOP_UP_MISSING' as kind, j.id::text as subject, j.end_user_id as "endUserId",
      (j.principal_fen + j.bonus_fen)::bigint as "expectedFen", null as "actualFen",
      '流水 ' || j.id || '，充值 ' || j.biz_id as detail
    from ledger_journal j
    where ${ofDay(run, sql`j.at`)} and j.biz_type = 'TOP_UP' and not exists (
      select from top_up t where t.tenant_id = j.tenant_id and t.id::text = j.biz_id
        and t.state not in ('CREATED', 'CLOSED'))
    limit ${MOST}`);

/** Journals of a card purchase whose card does not exist. */
const cardJournals: Check = (db, run) =>
  db.many(sql`
    select 'CARD_MISSING' as kind, j.id::text as subject, j.end_user_id as "endUserId",
      -(j.principal_fen + j.bonus_fen)::bigint as "expectedFen", null as "actualFen",
      '流水 ' || j.id || '，套餐卡 ' || j.biz_id as detail
    from ledger_journal j
    where ${ofDay(run, sql`j.at`)} and j.biz_type = 'PACKAGE_BUY' and not exists (
      select from user_package u where u.tenant_id = j.tenant_id and u.id::text = j.biz_id)
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
    select (select count(*)::int from ledger_journal j where ${ofDay(run, sql`j.at`)}) as journals,
      (select count(*)::int from top_up where tenant_id = ${run.tenantId}
        and paid_at >= ${run.from}::timestamptz and paid_at < ${run.to}::timestamptz) as "topUps"`);
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
      sql`select max(end_user_id) as last, count(*)::int as count from (${some}) w`,
    ),
    db.many<Found>(sql`
      select v.kind, v.subject, v.id as "endUserId", v.expected as "expectedFen",
        v.actual as "actualFen", v.detail
      from (${some}) w
      left join lateral (
        select principal_after_fen as principal, bonus_after_fen as bonus from ledger_journal j
        where j.tenant_id = w.tenant_id and j.end_user_id = w.end_user_id
        order by j.id desc limit 1) j on true
      cross join lateral (
        select coalesce(sum(principal_fen), 0)::bigint as principal,
          coalesce(sum(bonus_fen), 0)::bigint as bonus
        from wallet_hold h
        where h.tenant_id = w.tenant_id and h.end_user_id = w.end_user_id and h.state = 'HELD') h
      cross join lateral (values
        ('WALLET_BALANCE', coalesce(j.principal, 0), w.principal_fen, '本金'),
        ('WALLET_BALANCE', coalesce(j.bonus, 0), w.bonus_fen, '赠金'),
        ('WALLET_HELD', h.principal, w.held_principal_fen, '冻结本金'),
        ('WALLET_HELD', h.bonus, w.held_bonus_fen, '冻结赠金')) c (kind, expected, actual, part)
      cross join lateral (select c.kind, c.part || ' ' || w.end_user_id as subject,
        w.end_user_id as id, c.expected, c.actual, c.part as detail) v
      where c.expected <> c.actual
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
      sql`select max(id) as last, count(*)::int as count from (${some}) u`,
    ),
    db.many<Found>(sql`
      select v.kind, '套餐卡 ' || u.id as subject, u.end_user_id as "endUserId",
        v.expected::bigint as "expectedFen", v.actual::bigint as "actualFen", v.detail
      from (${some}) u
      cross join lateral (
        select count(*)::int as used from package_use x
        where x.tenant_id = u.tenant_id and x.user_package_id = u.id) x
      left join ledger_journal j on j.tenant_id = u.tenant_id and j.biz_type = 'PACKAGE_BUY'
        and j.biz_id = u.id::text and j.end_user_id = u.end_user_id
      cross join lateral (values
        ('CARD_USES', null, null, u.name || '：共 ' || u.uses || ' 次，用卡记录 ' || x.used
          || ' 次，剩余 ' || u.uses_left || ' 次', u.uses - x.used <> u.uses_left),
        ('CARD_PAID', -(j.principal_fen + j.bonus_fen), u.price_fen, u.name || '，' ||
          coalesce('流水 ' || j.id, '没有购卡流水'),
          u.price_fen <> coalesce(-(j.principal_fen + j.bonus_fen), 0)))
        v (kind, expected, actual, detail, is_wrong)
      where v.is_wrong
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
  const start = (days: number) =>
    sql`first_order_id((${day}::date + ${days}::int)::timestamp at time zone 'Asia/Shanghai')`;
  const some = sql`storage_order o where o.tenant_id = ${tenantId}
    and o.id >= ${start(-back)} and o.id < ${start(1 - back)}`;
  const [{ count }, found] = await Promise.all([
    db.one<{ count: number }>(sql`select count(*)::int as count from ${some}`),
    db.many<Found>(sql`
      select v.kind, o.id::text as subject, o.id as "orderId", o.recipient_id as "endUserId",
        v.expected::bigint as "expectedFen", v.actual::bigint as "actualFen", v.detail
      from (select o.* from ${some}) o
      cross join lateral (
        select coalesce(-sum(principal_fen) filter (where kind = 'PAYMENT'), 0) as paid_principal,
          coalesce(-sum(bonus_fen) filter (where kind = 'PAYMENT'), 0) as paid_bonus,
          coalesce(sum(principal_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as back_principal,
          coalesce(sum(bonus_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as back_bonus
        from ledger_journal j where j.tenant_id = o.tenant_id and j.order_id = o.id) j
      left join package_use x on x.tenant_id = o.tenant_id and x.order_id = o.id
      cross join lateral (
        select paid, case when refunded > 0 and refunded = paid then 'REFUNDED'
          when refunded > 0 then 'PARTIAL_REFUND' when owed > 0 then 'UNPAID'
          when paid > 0 then 'PAID' else 'NONE' end as pay_status
        from (select o.paid_principal_fen + o.paid_bonus_fen as paid,
          o.refunded_principal_fen + o.refunded_bonus_fen as refunded, o.price_fen - o.covered_fen
            - o.waived_fen - o.paid_principal_fen - o.paid_bonus_fen as owed) f) m
      cross join lateral (values
        ('ORDER_PAID', j.paid_principal + j.paid_bonus, o.paid_principal_fen + o.paid_bonus_fen,
          '订单记录的支付与流水',
          j.paid_principal <> o.paid_principal_fen or j.paid_bonus <> o.paid_bonus_fen),
        ('ORDER_REFUNDED', j.back_principal + j.back_bonus,
          o.refunded_principal_fen + o.refunded_bonus_fen, '订单记录的退款与流水',
          j.back_principal <> o.refunded_principal_fen or j.back_bonus <> o.refunded_bonus_fen),
        ('ORDER_STATUS', o.price_fen - o.covered_fen - o.waived_fen, m.paid,
          '应付与已付；支付状态 ' || o.pay_status || '，按金额应为 ' || m.pay_status,
          o.ended_at is not null and o.pay_status <> m.pay_status),
        ('ORDER_COVERED', coalesce(x.fen, 0), o.covered_fen, '订单记录的抵扣与用卡记录',
          o.covered_fen <> coalesce(x.fen, 0)
            or o.user_package_id is distinct from x.user_package_id))
        v (kind, expected, actual, detail, is_wrong)
      where v.is_wrong
      limit ${MOST}`),
  ]);
  return { count, found };
}

/** Days of orders that a run compares. */
export const orderDays = Array.from({ length: ORDER_LOOKBACK_DAYS + 1 }, (_, back) => back);
