// SQL that reads order figures: folded days plus unfolded deltas in one statement.
import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  DayFigures,
  Period,
  RankedPlace,
  RankingQuery,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type {
  DaySpan,
  FigureSums,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { storePredicate } from "../../organization/store/index.ts";

/** Dimensions that the figures are restricted to. */
export interface Scoped extends Pick<Period, "tenantId" | "storeId" | "cabinetId"> {
  side?: Side | undefined;
}

const columns = sql`tenant_id, day, side, store_id, cabinet_id, started, stored, completed, overdue,
  income_fen, bonus_fen, refund_fen, stay_minutes, openings, opened`;

/** Days and deltas as one table: a single snapshot, so that nothing is missed or counted twice. */
const figures = sql`(
  select ${columns} from order_day union all select ${columns} from order_delta) f`;

const sumColumns = sql`
  coalesce(sum(f.started), 0)::int as started, coalesce(sum(f.stored), 0)::int as stored,
  coalesce(sum(f.completed), 0)::int as completed,
  coalesce(sum(f.stay_minutes), 0)::bigint as "stayMinutes",
  coalesce(sum(f.overdue), 0)::int as overdue,
  coalesce(sum(f.income_fen), 0)::bigint as "incomeFen",
  coalesce(sum(f.bonus_fen), 0)::bigint as "bonusFen",
  coalesce(sum(f.refund_fen), 0)::bigint as "refundFen",
  coalesce(sum(f.openings), 0)::int as openings, coalesce(sum(f.opened), 0)::int as opened`;

/** `from … where …` of the matching figures. */
export function figuresWithin(session: Session, scoped: Scoped, { from, to }: DaySpan): Sql {
  const conditions = [
    storePredicate(session, sql`f.tenant_id`, sql`f.store_id`, scoped.tenantId),
    sql`f.day between ${from}::date and ${to}::date`,
  ];
  if (scoped.side) conditions.push(sql`f.side = ${scoped.side}`);
  if (scoped.storeId) conditions.push(sql`f.store_id = ${scoped.storeId}`);
  if (scoped.cabinetId) conditions.push(sql`f.cabinet_id = ${scoped.cabinetId}`);
  return sql`from ${figures} where ${join(conditions, " and ")}`;
}

export function sumFigures(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<FigureSums> {
  return db.one(sql`select ${sumColumns} ${figuresWithin(session, scoped, span)}`);
}

/** Every day of the span, including days without figures. */
export function findTendency(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<DayFigures[]> {
  return db.many(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, ${sumColumns}
    from generate_series(${span.from}::date, ${span.to}::date, interval '1 day') d (day)
    left join (select f.* ${figuresWithin(session, scoped, span)}) f on f.day = d.day
    group by d.day order by d.day`);
}

/** Usable compartments: enabled, in a cabinet in service. */
const isUsable = sql`c.lifecycle = 'ACTIVE' and k.admin_state = 'ENABLED'`;

export async function countCompartments(
  db: Db,
  session: Session,
  { tenantId, side, storeId, cabinetId }: Scoped,
): Promise<number> {
  const conditions = [cabinetPredicate(session, sql`c`, tenantId), isUsable];
  if (side) conditions.push(sql`m.side = ${side}`);
  if (storeId) conditions.push(sql`c.store_id = ${storeId}`);
  if (cabinetId) conditions.push(sql`c.id = ${cabinetId}`);
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from cabinet c
    join cabinet_model m on m.id = c.model_id
    join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
    where ${join(conditions, " and ")}`);
  return n;
}

const sortColumns = {
  income: sql`r."incomeFen" - r."refundFen"`,
  refund: sql`r."refundFen"`,
  started: sql`r.started`,
  stored: sql`r.stored`,
  completed: sql`r.completed`,
  turnover: sql`r.stored::float / nullif(n.compartments, 0)`,
  stay: sql`r."stayMinutes"::float / nullif(r.completed, 0)`,
  overdue: sql`r.overdue::float / nullif(r.stored, 0)`,
  opened: sql`r.opened::float / nullif(r.openings, 0)`,
};
const directions = { asc: sql`asc`, desc: sql`desc` };

/** Current compartments of each place; computed for all rows, since the ranking sorts by them. */
function placeJoins(by: RankingQuery["by"], side: Side | undefined): Sql {
  const isOfSide = side ? sql`m.side = ${side}` : sql`true`;
  const counted = (isOfPlace: Sql) => sql`
    cross join lateral (
      select count(*)::int as compartments
      from cabinet c
      join cabinet_model m on m.id = c.model_id
      join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
      where c.tenant_id = r.tenant_id and ${isOfPlace} and ${isUsable} and ${isOfSide}) n`;
  return by === "STORE"
    ? sql`left join store s on s.tenant_id = r.tenant_id and s.id = r.id
        ${counted(sql`c.store_id = r.id`)}`
    : sql`left join cabinet b on b.tenant_id = r.tenant_id and b.id = r.id
        left join store s on s.tenant_id = b.tenant_id and s.id = b.store_id
        ${counted(sql`c.id = r.id`)}`;
}

export function findRanking(
  db: Db,
  session: Session,
  query: RankingQuery,
  span: DaySpan,
): Promise<Page<RankedPlace>> {
  const { by, side, sort = "income", order = "desc" } = query;
  const place = by === "STORE" ? sql`f.store_id` : sql`f.cabinet_id`;
  const within = figuresWithin(session, query, span);
  const names =
    by === "STORE"
      ? sql`coalesce(s.name, '未分配门店') as name, coalesce(s.code, '') as code,
          null::text as "storeName"`
      : sql`coalesce(b.name, '已删除的设备') as name, coalesce(b.sn, '') as code,
          s.name as "storeName"`;
  return findPage(db, {
    matching: sql`from (select ${within} group by f.tenant_id, ${place}) r`,
    rows: sql`
      select r.id, r.tenant_id as "tenantId", t.name as "tenantName", ${names}, n.compartments,
        r.started, r.stored, r.completed, r."stayMinutes", r.overdue, r."incomeFen", r."bonusFen",
        r."refundFen", r.openings, r.opened
      from (
        select f.tenant_id, ${place} as id, ${sumColumns} ${within}
        group by f.tenant_id, ${place}) r
      join tenant t on t.id = r.tenant_id
      ${placeJoins(by, side)}
      order by ${sortColumns[sort]} ${directions[order]} nulls last, r.tenant_id, r.id nulls last
      ${pageLimits(query)}`,
  });
}
