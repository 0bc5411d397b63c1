// Read-only queries of the month's statement: the ledger alone, each journal in one line.
import type { FenSplit } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { LineSum } from "@cabinet/contract/money/statement/statement.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

export interface StatementScope {
  from: string;
  to: string;
  side?: Side | undefined;
  storeId?: number | undefined;
  tenantId: number;
}

export interface DayLine extends LineSum {
  day: string;
}

/** Top-ups and their refunds: the channel is the account on the other side of the journal. */
const isCash = sql`exists (
  select from ledger_leg leg
  where leg.tenant_id = journal.tenant_id and leg.journal_id = journal.id and leg.account = 'CASH')`;

const line = sql`
  case journal.kind
    when 'RECHARGE' then case
      when journal.biz_type = 'TOP_UP_REFUND_BACK' then 'REFUND_RETURNED'
      when ${isCash} then 'CASH_TOP_UP' else 'WECHAT_TOP_UP' end
    when 'RECHARGE_REFUND' then case when ${isCash} then 'CASH_REFUND' else 'WECHAT_REFUND' end
    when 'PAYMENT' then 'ORDER_PAYMENT'
    when 'PAYMENT_REFUND' then 'ORDER_REFUND'
    when 'PACKAGE_BUY' then 'PACKAGE_BUY'
    when 'ADMIN_ADJUST' then 'ADJUSTMENT'
  end`;

/** Orders of these stores: of the one that is asked for, of those that the account sees. */
function ofStores(session: Session, { storeId, tenantId }: StatementScope): Sql | false {
  if (!storeId && !session.isStoreBound) return false;
  const conditions = and(
    sql`ord.tenant_id = journal.tenant_id and ord.id = journal.order_id`,
    storePredicate(session, sql`ord.tenant_id`, sql`ord.store_id`, tenantId),
    storeId && sql`ord.store_id = ${storeId}`,
  );
  return sql`exists (select from storage_order ord where ${conditions})`;
}

/** Movements by day and line. */
export function findMovements(db: Db, session: Session, scope: StatementScope): Promise<DayLine[]> {
  const conditions = and(
    sql`journal.tenant_id = ${scope.tenantId}`,
    sql`journal.at >= ${dayStartSql(scope.from)} and journal.at < ${dayStartSql(scope.to, 1)}`,
    scope.side && sql`journal.side = ${scope.side}`,
    ofStores(session, scope),
  );
  return db.many(sql`
    select to_char(moved.day, 'YYYY-MM-DD') as day, moved.line, count(*)::int as count,
      sum(moved.principal_fen)::bigint as principal_fen, sum(moved.bonus_fen)::bigint as bonus_fen
    from (
      select (journal.at at time zone 'Asia/Shanghai')::date as day, ${line} as line,
        journal.principal_fen, journal.bonus_fen
      from ledger_journal journal where ${conditions}) moved
    group by moved.day, moved.line order by moved.day, moved.line`);
}

/** Balance of all wallets when this day begins. */
export function findBalanceBefore(db: Db, day: string, tenantId: number): Promise<FenSplit> {
  return db.one(sql`
    select coalesce(sum(journal.principal_fen), 0)::bigint as principal_fen,
      coalesce(sum(journal.bonus_fen), 0)::bigint as bonus_fen
    from ledger_journal journal
    where journal.tenant_id = ${tenantId} and journal.at < ${dayStartSql(day)}`);
}

/** Differences settled in these days; a credited one is in the ledger, under the number of its payment. */
export function countSettled(
  db: Db,
  { from, to, tenantId }: StatementScope,
): Promise<{ settled: number; credited: number; creditedFen: number; open: number }> {
  const isSettled = sql`difference.resolved_at >= ${dayStartSql(from)}
    and difference.resolved_at < ${dayStartSql(to, 1)}`;
  const isCredited = sql`${isSettled} and difference.kind = 'PAID_CLOSED' and exists (
    select from top_up where top_up.tenant_id = difference.tenant_id
      and top_up.id = difference.top_up_id and top_up.transaction_no = difference.transaction_no
      and top_up.state not in ('CREATED', 'CLOSED'))`;
  return db.one(sql`
    select count(*) filter (where ${isSettled})::int as settled,
      count(*) filter (where ${isCredited})::int as credited,
      coalesce(sum(difference.actual_fen) filter (where ${isCredited}), 0)::bigint as credited_fen,
      count(*) filter (where difference.state = 'OPEN')::int as open
    from reconciliation_difference difference
    where difference.tenant_id = ${tenantId}`);
}
