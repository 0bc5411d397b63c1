// Read-only queries of journals.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { type Page, SUM_CAP } from "@cabinet/contract/kit/pagination.ts";
import type {
  Journal,
  JournalDetail,
  JournalSum,
  ledgerContract,
} from "@cabinet/contract/money/ledger/ledger.contract.ts";
import type { LedgerLeg } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { endUserPhoneSql } from "../../../platform/db/phone.sql.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { personPredicate } from "../../organization/store/index.ts";

export type JournalFilters = Input<typeof ledgerContract.sums>["query"];
type JournalQuery = Input<typeof ledgerContract.list>["query"];

function matching(session: Session, query: JournalFilters): Sql {
  const { side, kind, phone, orderNo, endUserId, from, to } = query;
  const conditions = and(
    personPredicate(session, sql`journal.tenant_id`, sql`journal.end_user_id`, query.tenantId),
    side && sql`journal.side = ${side}`,
    kind && sql`journal.kind = ${kind}`,
    orderNo && sql`journal.order_id = ${orderNo}`,
    endUserId && sql`journal.end_user_id = ${endUserId}`,
    phone &&
      sql`(journal.tenant_id, journal.end_user_id) in (
        select end_user.tenant_id, end_user.id from end_user
        where ${endUserPhoneSql(session, phone)})`,
    periodSql(sql`journal.at`, { from, to }),
  );
  return sql`from ledger_journal journal where ${conditions}`;
}

const columns = sql`
  journal.id, journal.tenant_id, tenant.name as tenant_name, journal.at, journal.kind, journal.side,
  journal.order_id, journal.end_user_id, end_user.name as user_name, end_user.phone,
  journal.principal_fen, journal.bonus_fen, journal.principal_after_fen, journal.bonus_after_fen,
  journal.actor_kind, journal.actor_name, journal.reason`;

const joins = sql`
  join tenant on tenant.id = journal.tenant_id
  join end_user on end_user.tenant_id = journal.tenant_id and end_user.id = journal.end_user_id`;

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
      from (select journal.* ${matched} order by journal.id desc ${pageLimits(query)}) journal ${joins}
      order by journal.id desc`,
  });
}

/** Sums by kind, over the newest journals up to the cap. */
export async function sumJournals(
  db: Db,
  session: Session,
  query: JournalFilters,
): Promise<JournalSum[]> {
  return db.many(sql`
    select kind, count(*)::int as count, sum(principal_fen)::bigint as principal_fen,
      sum(bonus_fen)::bigint as bonus_fen
    from (
      select journal.kind, journal.principal_fen, journal.bonus_fen ${matching(session, query)}
      order by journal.id desc limit ${SUM_CAP}) journal
    group by kind order by kind`);
}

export async function findJournalDetail(
  db: Db,
  session: Session,
  id: number,
): Promise<JournalDetail | null> {
  const mine = sql`journal.id = ${id} and ${personPredicate(session, sql`journal.tenant_id`, sql`journal.end_user_id`)}`;
  const [journal, legs] = await Promise.all([
    db.maybe<Omit<JournalDetail, "legs">>(sql`
      select ${columns}, journal.biz_type, journal.biz_id
      from ledger_journal journal ${joins} where ${mine}`),
    db.many<LedgerLeg>(sql`
      select leg.account, leg.amount_fen
      from ledger_journal journal
      join ledger_leg leg on leg.tenant_id = journal.tenant_id and leg.journal_id = journal.id
      where ${mine} order by leg.amount_fen, leg.account`),
  ]);
  return journal && { ...journal, legs };
}
