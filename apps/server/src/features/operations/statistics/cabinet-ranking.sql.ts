// SQL for the ranking of cabinets of both sides: figures, full and offline time, malfunctions, price.
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { defaultPricing } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type {
  CabinetRankingQuery,
  RankedCabinet,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  type DaySpan,
  SAMPLE_MINUTES,
  spanBefore,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { and, directions, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { nearestRuleSql } from "../../money/pricing/index.ts";
import { figuresWithin } from "./income.sql.ts";

const net = sql`(ranked.income_fen - ranked.refund_fen)`;
/** Known before the page is cut: other sorts calculate their column for every cabinet. */
const cheapSorts = {
  income: sql`${net}::float / ranked.days`,
  change: sql`(${net} - ranked.net_fen_before)::float / nullif(abs(ranked.net_fen_before), 0)`,
  malfunctions: sql`ranked.malfunctions`,
  name: sql`ranked.name`,
};
const costlySorts = {
  turnover: sql`ranked.stored::float / nullif(counted.compartments * ranked.days, 0)`,
  full: sql`full_time.minutes`,
  offline: sql`offline_time.minutes`,
};
const isCheap = (sort: string): sort is keyof typeof cheapSorts => sort in cheapSorts;

type Filters = Omit<CabinetRankingQuery, "from" | "to" | "page" | "pageSize">;

/** Cabinets in operation that were registered before the span ended. */
function matching(session: Session, filters: Filters, span: DaySpan): Sql {
  const { tenantId, storeId, cabinetId, side, keyword } = filters;
  const conditions = and(
    cabinetPredicate(session, sql`cabinet`, tenantId),
    sql`cabinet.lifecycle in ('ACTIVE', 'PAUSED')`,
    sql`cabinet.created_at < ${dayStartSql(span.to, 1)}`,
    storeId && sql`cabinet.store_id = ${storeId}`,
    cabinetId && sql`cabinet.id = ${cabinetId}`,
    side && sql`model.side = ${side}`,
    keyword?.trim() && cabinetKeywordSql(sql`cabinet`, keyword.trim()),
  );
  return sql`
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    where ${conditions}`;
}

/** Figures of the span and net income of the span before, in one pass. */
function figureSums(session: Session, tenantId: number | undefined, span: DaySpan): Sql {
  const isNow = sql`figure.day >= ${span.from}::date`;
  const sum = (column: Sql) => sql`coalesce(sum(figure.${column}) filter (where ${isNow}), 0)`;
  return sql`
    select figure.tenant_id, figure.cabinet_id, ${sum(sql`started`)}::int as started,
      ${sum(sql`stored`)}::int as stored, ${sum(sql`income_fen`)}::bigint as income_fen,
      ${sum(sql`refund_fen`)}::bigint as refund_fen, ${sum(sql`openings`)}::int as openings,
      ${sum(sql`opened`)}::int as opened,
      coalesce(sum(figure.income_fen - figure.refund_fen) filter (where not ${isNow}),
        0)::bigint as net_fen_before
    ${figuresWithin(session, { tenantId }, { from: spanBefore(span).from, to: span.to })}
    group by figure.tenant_id, figure.cabinet_id`;
}

/** Time offline within the span; a cabinet that is offline now has been since its last event. */
function offlineTime({ from, to }: DaySpan): Sql {
  const [begin, end] = [dayStartSql(from), sql`least(now(), ${dayStartSql(to, 1)})`];
  const isPresence = sql`cabinet_event.tenant_id = ranked.tenant_id
    and cabinet_event.cabinet_id = ranked.id and cabinet_event.kind in ('ONLINE', 'OFFLINE')`;
  return sql`
    select coalesce(round(sum(extract(epoch from least(change.until_at, ${end})
        - greatest(change.since_at, ${begin}))) / 60), 0)::int as minutes
    from (
      select cabinet_event.kind,
        least(cabinet_event.received_at, (cabinet_event.payload->>'lastSeenAt')::timestamptz)
          as since_at,
        lead(cabinet_event.received_at, 1, ${end})
          over (order by cabinet_event.received_at, cabinet_event.id) as until_at
      from cabinet_event
      where ${isPresence} and cabinet_event.received_at < ${end}
        and cabinet_event.received_at >= coalesce(
          (select max(cabinet_event.received_at) from cabinet_event
            where ${isPresence} and cabinet_event.received_at < ${begin}), ${begin})) change
    where change.kind = 'OFFLINE' and change.until_at > ${begin} and change.since_at < ${end}`;
}

/** The size that is full most often decides. */
const fullTime = ({ from, to }: DaySpan) => sql`
  select coalesce(max(size_use.full_samples), 0)::int * ${SAMPLE_MINUTES}::int as minutes
  from (
    select sum(occupancy_hour.full_samples) as full_samples from occupancy_hour
    where occupancy_hour.tenant_id = ranked.tenant_id and occupancy_hour.cabinet_id = ranked.id
      and occupancy_hour.hour >= ${dayStartSql(from)} and occupancy_hour.hour < ${dayStartSql(to, 1)}
    group by occupancy_hour.size) size_use`;

const nearestRule = nearestRuleSql({
  tenantId: sql`ranked.tenant_id`,
  id: sql`ranked.id`,
  storeId: sql`ranked.store_id`,
});

export function findCabinetRanking(
  db: Db,
  session: Session,
  query: CabinetRankingQuery,
  span: DaySpan,
): Promise<Page<RankedCabinet>> {
  const { tenantId, sort = "income", order = sort === "name" ? "asc" : "desc" } = query;
  const column = isCheap(sort) ? cheapSorts[sort] : costlySorts[sort];
  const by = sql`order by ${column} ${directions[order]} nulls last, ranked.tenant_id, ranked.id`;
  const [inner, outer] = isCheap(sort)
    ? [sql`${by} ${pageLimits(query)}`, sql``]
    : [sql``, pageLimits(query)];
  const matched = matching(session, query, span);
  const days = sql`${span.to}::date
    - greatest(${span.from}::date, (cabinet.created_at at time zone 'Asia/Shanghai')::date) + 1`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      with summed as materialized (${figureSums(session, tenantId, span)}), middle as (
        select found.tenant_id, round(percentile_cont(0.5) within group (order by
          coalesce(summed.income_fen - summed.refund_fen, 0)::float / found.days))::bigint as day_fen
        from (
          select cabinet.tenant_id, cabinet.id, ${days} as days
          ${matching(session, { tenantId }, span)}) found
        left join summed on summed.tenant_id = found.tenant_id and summed.cabinet_id = found.id
        group by found.tenant_id)
      select ranked.id, ranked.tenant_id, tenant.name as tenant_name, ranked.name, ranked.sn,
        ranked.side, ranked.store_id, store.name as store_name, counted.compartments, ranked.days,
        ranked.started, ranked.stored, ranked.income_fen, ranked.refund_fen, ranked.openings,
        ranked.opened, ranked.net_fen_before, middle.day_fen as median_day_fen,
        full_time.minutes as full_minutes, offline_time.minutes as offline_minutes, ranked.malfunctions,
        coalesce(nearest.scope, 'DEFAULT') as pricing_scope,
        coalesce(nearest.body, ${JSON.stringify(defaultPricing)}::json) as pricing
      from (
        select ranked.* from (
          select found.tenant_id, found.id, found.name, found.sn, found.store_id, found.side,
            found.days,
            coalesce(summed.started, 0) as started, coalesce(summed.stored, 0) as stored,
            coalesce(summed.income_fen, 0) as income_fen,
            coalesce(summed.refund_fen, 0) as refund_fen,
            coalesce(summed.openings, 0) as openings, coalesce(summed.opened, 0) as opened,
            coalesce(summed.net_fen_before, 0) as net_fen_before,
            coalesce(broken.malfunctions, 0) as malfunctions
          from (
            select cabinet.tenant_id, cabinet.id, cabinet.name, cabinet.sn, cabinet.store_id,
              model.side, ${days} as days
            ${matched}) found
          left join summed on summed.tenant_id = found.tenant_id and summed.cabinet_id = found.id
          left join (
            select malfunction.tenant_id, malfunction.cabinet_id, count(*)::int as malfunctions
            from malfunction
            where ${tenantPredicate(session, sql`malfunction.tenant_id`, tenantId)}
              and malfunction.created_at >= ${dayStartSql(span.from)}
              and malfunction.created_at < ${dayStartSql(span.to, 1)}
            group by malfunction.tenant_id, malfunction.cabinet_id) broken
            on broken.tenant_id = found.tenant_id and broken.cabinet_id = found.id) ranked
        ${inner}) ranked
      join tenant on tenant.id = ranked.tenant_id
      join middle on middle.tenant_id = ranked.tenant_id
      left join store on store.tenant_id = ranked.tenant_id and store.id = ranked.store_id
      cross join lateral (
        select count(*)::int as compartments from compartment comp
        where comp.tenant_id = ranked.tenant_id and comp.cabinet_id = ranked.id
          and comp.admin_state = 'ENABLED') counted
      cross join lateral (${fullTime(span)}) full_time
      cross join lateral (${offlineTime(span)}) offline_time
      left join lateral (${nearestRule}) nearest on true
      ${by} ${outer}`,
  });
}
