// Read-only queries of journals.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import {
  type Journal,
  type JournalDetail,
  type JournalSum,
  type ledgerContract,
  SUM_CAP,
} from "@cabinet/contract/money/ledger/ledger.contract.ts";
import type { LedgerLeg } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";

export type JournalFilters = Input<typeof ledgerContract.sums>["query"];
type JournalQuery = Input<typeof ledgerContract.list>["query"];

function matching(session: Session, query: JournalFilters): Sql {
  const { side, kind, phone, orderNo, endUserId, from, to } = query;
  const conditions = [tenantPredicate(session, sql`j.tenant_id`, query.tenantId)];
  // Top-ups and corrections belong to both sides.
  if (side) conditions.push(sql`(j.side = ${side} or j.side is null)`);
  if (kind) conditions.push(sql`j.kind = ${kind}`);
  if (orderNo) conditions.push(sql`j.order_id = ${orderNo}`);
  if (endUserId) conditions.push(sql`j.end_user_id = ${endUserId}`);
  if (phone) {
    conditions.push(sql`(j.tenant_id, j.end_user_id) in (
      select u.tenant_id, u.id from end_user u where ${phoneSql(sql`u.phone`, phone)})`);
  }
  if (from) conditions.push(sql`j.at >= ${from}`);
  if (to) conditions.push(sql`j.at <= ${to}`);
  return sql`from ledger_journal j where ${join(conditions, " and ")}`;
}

const columns = sql`
  j.id, j.tenant_id as "tenantId", t.name as "tenantName", j.at, j.kind, j.side,
  j.order_id as "orderId", j.end_user_id as "endUserId", u.name as "userName", u.phone,
  j.principal_fen as "principalFen", j.bonus_fen as "bonusFen",
  j.principal_after_fen as "principalAfterFen", j.bonus_after_fen as "bonusAfterFen",
  j.actor_kind as "actorKind", j.actor_name as "actorName", j.reason`;

const joins = sql`
  join tenant t on t.id = j.tenant_id
  join end_user u on u.tenant_id = j.tenant_id and u.id = j.end_user_id`;

/** Newest first, with unmasked phones: the service masks them. */
export function findJournals(
  db: Db,
  session: Session,
  query: JournalQuery,
): Promise<Page<Journal>> {
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select j.* ${matched} order by j.id desc ${pageLimits(query)}) j ${joins}
      order by j.id desc`,
  });
}

/** Sums by kind, over the newest journals up to the cap. */
export async function sumJournals(
  db: Db,
  session: Session,
  query: JournalFilters,
): Promise<JournalSum[]> {
  return db.many(sql`
    select kind, count(*)::int as count, sum(principal_fen)::bigint as "principalFen",
      sum(bonus_fen)::bigint as "bonusFen"
    from (
      select j.kind, j.principal_fen, j.bonus_fen ${matching(session, query)}
      order by j.id desc limit ${SUM_CAP}) j
    group by kind order by kind`);
}

export async function findJournalDetail(
  db: Db,
  session: Session,
  id: number,
): Promise<JournalDetail | null> {
  const mine = sql`j.id = ${id} and ${tenantPredicate(session, sql`j.tenant_id`)}`;
  const [journal, legs] = await Promise.all([
    db.maybe<Omit<JournalDetail, "legs">>(sql`
      select ${columns}, j.biz_type as "bizType", j.biz_id as "bizId"
      from ledger_journal j ${joins} where ${mine}`),
    db.many<LedgerLeg>(sql`
      select l.account, l.amount_fen as "amountFen"
      from ledger_journal j
      join ledger_leg l on l.tenant_id = j.tenant_id and l.journal_id = j.id
      where ${mine} order by l.amount_fen, l.account`),
  ]);
  return journal && { ...journal, legs };
}
