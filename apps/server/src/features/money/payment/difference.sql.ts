// Reconciliation differences in SQL: the list of open differences until an operator resolves them.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { normalizePhone, phoneSearchOf } from "@cabinet/contract/kit/phone.rules.ts";
import type {
  Difference,
  reconciliationContract,
} from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import {
  areaOf,
  type DifferenceKind,
  type DifferenceState,
} from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, findSums, pageLimits, type Sums } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";

export interface FoundDifference {
  tenantId: number;
  kind: DifferenceKind;
  subject: string;
  /** Time of the difference, default now; its day is the one in Asia/Shanghai. */
  at?: string;
  /** Day that the run compared. */
  day?: string;
  endUserId?: number | null;
  orderId?: number | null;
  topUpId?: number | null;
  expectedFen: number | null;
  actualFen: number | null;
  detail: string;
  transactionNo?: string;
}

/**
 * Records a difference and returns its state. A resolved one found again with the same amounts (the
 * same text where it has none) becomes KNOWN; with other amounts it is OPEN again, as a new row. An
 * OPEN difference keeps its row.
 */
export async function reportDifference(db: Db, found: FoundDifference): Promise<"OPEN" | "KNOWN"> {
  const { tenantId, kind, subject, expectedFen, actualFen } = found;
  const ofSubject = sql`tenant_id = ${tenantId} and kind = ${kind} and subject = ${subject}`;
  const known = await db.run(sql`
    update reconciliation_difference set state = 'KNOWN', seen_at = now()
    where tenant_id = ${tenantId} and state <> 'OPEN'
      and id = (select max(id) from reconciliation_difference where ${ofSubject})
      and expected_fen is not distinct from ${expectedFen}::bigint
      and actual_fen is not distinct from ${actualFen}::bigint
      and (coalesce(expected_fen, actual_fen) is not null or detail = ${found.detail})`);
  if (known > 0) return "KNOWN";
  await db.run(sql`
    update reconciliation_difference set state = 'RESOLVED' where ${ofSubject} and state = 'KNOWN'`);
  await db.run(sql`
    insert into reconciliation_difference as difference (tenant_id, day, kind, area, subject,
      end_user_id,
      order_id, top_up_id, expected_fen, actual_fen, detail, transaction_no)
    values (${tenantId}::int,
      coalesce(${found.day ?? null}::date,
        (coalesce(${found.at ?? null}::timestamptz, now()) at time zone 'Asia/Shanghai')::date),
      ${kind}::text, ${areaOf(kind)}::text, ${subject}::text, ${found.endUserId ?? null}::bigint,
      ${found.orderId ?? null}::bigint, ${found.topUpId ?? null}::bigint, ${expectedFen}::bigint,
      ${actualFen}::bigint, ${found.detail}::text, ${found.transactionNo ?? null}::text)
    on conflict (tenant_id, kind, subject) where state = 'OPEN' do update set seen_at = now(),
      expected_fen = excluded.expected_fen, actual_fen = excluded.actual_fen,
      detail = excluded.detail`);
  return "OPEN";
}

type Query = Input<typeof reconciliationContract.differences>["query"];
type Filters = Input<typeof reconciliationContract.differenceSums>["query"];

const rows = sql`
  reconciliation_difference difference
  join tenant on tenant.id = difference.tenant_id
  left join end_user on end_user.tenant_id = difference.tenant_id
    and end_user.id = difference.end_user_id`;

function matching(session: Session, query: Filters): Sql {
  return and(
    tenantPredicate(session, sql`difference.tenant_id`, query.tenantId),
    query.state && sql`difference.state = ${query.state}`,
    query.area && sql`difference.area = ${query.area}`,
    query.kind && sql`difference.kind = ${query.kind}`,
    query.fromDay && sql`difference.day >= ${query.fromDay}::date`,
    query.toDay && sql`difference.day <= ${query.toDay}::date`,
    query.subject?.trim() && subjectSql(query.subject),
  );
}

/** Another part of a phone would tell the digits that the list masks (0135). */
function subjectSql(text: string): Sql {
  const pattern = contains(text);
  const digits = normalizePhone(text);
  const kind = phoneSearchOf(digits);
  const isPhone =
    kind === "WHOLE" || kind === "TAIL" ? phoneSql(sql`end_user.phone`, digits) : sql`false`;
  return sql`(difference.subject ilike ${pattern} or difference.detail ilike ${pattern}
    or end_user.name ilike ${pattern} or ${isPhone})`;
}

/** A missing amount adds nothing; a gap needs both. */
export function sumDifferences(
  db: Db,
  session: Session,
  query: Filters,
): Promise<Sums<"expectedFen" | "actualFen" | "gapFen">> {
  return findSums(db, {
    columns: ["expected_fen", "actual_fen", "gap_fen"],
    rows: sql`
      select difference.expected_fen, difference.actual_fen,
        difference.actual_fen - difference.expected_fen as gap_fen
      from ${rows} where ${matching(session, query)} order by difference.id desc`,
  });
}

/** Phone numbers are complete here: the service masks them. */
export function findDifferences(db: Db, session: Session, query: Query): Promise<Page<Difference>> {
  const where = matching(session, query);
  return findPage(db, {
    matching: sql`from ${rows} where ${where}`,
    rows: sql`
      select difference.id, difference.tenant_id, tenant.name as tenant_name,
        difference.day::text as day, difference.kind, difference.subject, difference.end_user_id,
        end_user.name as user_name, end_user.phone, difference.order_id, difference.top_up_id,
        difference.expected_fen, difference.actual_fen, difference.detail, difference.state,
        difference.found_at, difference.seen_at, difference.resolved_at, difference.resolved_by,
        difference.resolution
      from ${rows} where ${where}
      order by array_position(array['OPEN', 'KNOWN', 'RESOLVED'], difference.state),
        difference.id desc
      ${pageLimits(query)}`,
  });
}

export interface DifferenceRow {
  tenantId: number;
  id: number;
  kind: DifferenceKind;
  subject: string;
  state: DifferenceState;
  topUpId: number | null;
  transactionNo: string | null;
  actualFen: number | null;
  /**
   * Best known time of the payment, on the day of the difference, so that the bill of that day
   * matches.
   */
  cameAt: string;
}

export function lockDifference(
  db: Db,
  session: Session,
  id: number,
): Promise<DifferenceRow | null> {
  return db.maybe(sql`
    select difference.tenant_id, difference.id, difference.kind, difference.subject,
      difference.state, difference.top_up_id, difference.transaction_no, difference.actual_fen,
      case when (difference.found_at at time zone 'Asia/Shanghai')::date = difference.day
        then difference.found_at
        else difference.day::timestamp at time zone 'Asia/Shanghai' end as came_at
    from reconciliation_difference difference
    where difference.id = ${id} and ${tenantPredicate(session, sql`difference.tenant_id`)}
    for update of difference`);
}

export async function resolveDifference(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  by: string,
  resolution: string,
): Promise<void> {
  await db.run(sql`
    update reconciliation_difference set state = 'RESOLVED', resolved_at = now(),
      resolved_by = ${by}, resolution = ${resolution}
    where tenant_id = ${tenantId} and id = ${id}`);
}
