// SQL that reads order figures: folded days plus unfolded deltas in one statement.
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
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, directions, type Sql, sql } from "../../../platform/db/sql.ts";
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
  select ${columns} from order_day union all select ${columns} from order_delta) figure`;

const sumColumns = sql`
  coalesce(sum(figure.started), 0)::int as started, coalesce(sum(figure.stored), 0)::int as stored,
  coalesce(sum(figure.completed), 0)::int as completed,
  coalesce(sum(figure.stay_minutes), 0)::bigint as stay_minutes,
  coalesce(sum(figure.overdue), 0)::int as overdue,
  coalesce(sum(figure.income_fen), 0)::bigint as income_fen,
  coalesce(sum(figure.bonus_fen), 0)::bigint as bonus_fen,
  coalesce(sum(figure.refund_fen), 0)::bigint as refund_fen,
  coalesce(sum(figure.openings), 0)::int as openings,
  coalesce(sum(figure.opened), 0)::int as opened`;

/** `from … where …` of the matching figures. */
export function figuresWithin(session: Session, scoped: Scoped, { from, to }: DaySpan): Sql {
  const conditions = and(
    storePredicate(session, sql`figure.tenant_id`, sql`figure.store_id`, scoped.tenantId),
    sql`figure.day between ${from}::date and ${to}::date`,
    scoped.side && sql`figure.side = ${scoped.side}`,
    scoped.storeId && sql`figure.store_id = ${scoped.storeId}`,
    scoped.cabinetId && sql`figure.cabinet_id = ${scoped.cabinetId}`,
  );
  return sql`from ${figures} where ${conditions}`;
}

export function sumFigures(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<FigureSums> {
  return db.one(sql`select ${sumColumns} ${figuresWithin(session, scoped, span)}`);
}

/**
 * Every day of the span, including days without figures. Adds up before the join: PostgreSQL expects few figures of one
 * tenant among many, and would compare each of them with each day.
 */
export function findTendency(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<DayFigures[]> {
  return db.many(sql`
    with daily as materialized (
      select figure.day, ${sumColumns} ${figuresWithin(session, scoped, span)} group by figure.day)
    select to_char(calendar.day, 'YYYY-MM-DD') as day, ${sumColumns}
    from generate_series(${span.from}::date, ${span.to}::date, interval '1 day') calendar (day)
    left join daily figure on figure.day = calendar.day
    group by calendar.day order by calendar.day`);
}

/** Usable compartments: enabled, in a cabinet in service. */
const isUsable = sql`cabinet.lifecycle = 'ACTIVE' and comp.admin_state = 'ENABLED'`;

export async function countCompartments(
  db: Db,
  session: Session,
  { tenantId, side, storeId, cabinetId }: Scoped,
): Promise<number> {
  const conditions = and(
    cabinetPredicate(session, sql`cabinet`, tenantId),
    isUsable,
    side && sql`model.side = ${side}`,
    storeId && sql`cabinet.store_id = ${storeId}`,
    cabinetId && sql`cabinet.id = ${cabinetId}`,
  );
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from cabinet
    join cabinet_model model on model.id = cabinet.model_id
    join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
    where ${conditions}`);
  return n;
}

const sortColumns = {
  income: sql`ranked.income_fen - ranked.refund_fen`,
  refund: sql`ranked.refund_fen`,
  started: sql`ranked.started`,
  stored: sql`ranked.stored`,
  completed: sql`ranked.completed`,
  turnover: sql`ranked.stored::float / nullif(counted.compartments, 0)`,
  stay: sql`ranked.stay_minutes::float / nullif(ranked.completed, 0)`,
  overdue: sql`ranked.overdue::float / nullif(ranked.stored, 0)`,
  opened: sql`ranked.opened::float / nullif(ranked.openings, 0)`,
};

/** Current compartments of each place; computed for all rows, since the ranking sorts by them. */
function placeJoins(by: RankingQuery["by"], side: Side | undefined): Sql {
  const isOfSide = side ? sql`model.side = ${side}` : sql`true`;
  const counted = (isOfPlace: Sql) => sql`
    cross join lateral (
      select count(*)::int as compartments
      from cabinet
      join cabinet_model model on model.id = cabinet.model_id
      join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
      where cabinet.tenant_id = ranked.tenant_id
        and ${isOfPlace} and ${isUsable} and ${isOfSide}) counted`;
  return {
    STORE: sql`left join store on store.tenant_id = ranked.tenant_id and store.id = ranked.id
      ${counted(sql`cabinet.store_id = ranked.id`)}`,
    CABINET: sql`left join cabinet ranked_cabinet on ranked_cabinet.tenant_id = ranked.tenant_id
      and ranked_cabinet.id = ranked.id
        left join store on store.tenant_id = ranked_cabinet.tenant_id
          and store.id = ranked_cabinet.store_id
        ${counted(sql`cabinet.id = ranked.id`)}`,
  }[by];
}

export function findRanking(
  db: Db,
  session: Session,
  query: RankingQuery,
  span: DaySpan,
): Promise<Page<RankedPlace>> {
  const { by, side, sort = "income", order = "desc" } = query;
  const place = { STORE: sql`figure.store_id`, CABINET: sql`figure.cabinet_id` }[by];
  const within = figuresWithin(session, query, span);
  const names = {
    STORE: sql`coalesce(store.name, '未分配门店') as name, coalesce(store.code, '') as code,
          null::text as store_name`,
    CABINET: sql`coalesce(ranked_cabinet.name, '已删除的设备') as name,
        coalesce(ranked_cabinet.sn, '') as code,
          store.name as store_name`,
  }[by];
  return findPage(db, {
    matching: sql`from (select ${within} group by figure.tenant_id, ${place}) ranked`,
    rows: sql`
      select ranked.id, ranked.tenant_id, tenant.name as tenant_name, ${names},
        ranked.side, counted.compartments, ranked.started, ranked.stored, ranked.completed, ranked.stay_minutes,
        ranked.overdue, ranked.income_fen, ranked.bonus_fen, ranked.refund_fen, ranked.openings,
        ranked.opened
      from (
        select figure.tenant_id, ${place} as id, ${sumColumns},
          case when min(figure.side) = max(figure.side) then min(figure.side) end as side
        ${within}
        group by figure.tenant_id, ${place}) ranked
      join tenant on tenant.id = ranked.tenant_id
      ${placeJoins(by, side)}
      order by ${sortColumns[sort]} ${directions[order]} nulls last, ranked.tenant_id,
        ranked.id nulls last
      ${pageLimits(query)}`,
  });
}
