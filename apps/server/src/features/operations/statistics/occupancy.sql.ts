// SQL for occupancy: sampled by a job, stored by the hour, read by size, hour and cabinet.

import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  CabinetSizeUse,
  HourUse,
  OccupancyQuery,
  SizesQuery,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  type DaySpan,
  OCCUPANCY_DAYS,
  SAMPLE_MINUTES,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { cabinetKeywordSql } from "../../fleet/cabinet/index.ts";
import { storePredicate } from "../../organization/store/index.ts";

/**
 * Samples every cabinet in service: how many usable compartments are taken. Idempotent within one
 * sampling interval, since a job may run again.
 */
export function sampleOccupancy(db: Db): Promise<number> {
  return db.run(sql`
    insert into occupancy_hour as h (tenant_id, hour, cabinet_id, size, store_id, samples, occupied,
      total, full_samples, peak, last_at)
    select c.tenant_id, date_trunc('hour', now()), c.id, k.size, c.store_id, 1,
      count(*) filter (where k.occupancy <> 'FREE'), count(*),
      bool_and(k.occupancy <> 'FREE')::int, count(*) filter (where k.occupancy <> 'FREE'), now()
    from cabinet c
    join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
    where c.lifecycle = 'ACTIVE' and k.admin_state = 'ENABLED'
    group by c.tenant_id, c.id, k.size
    order by c.tenant_id, c.id, k.size
    on conflict (tenant_id, hour, cabinet_id, size) do update set
      store_id = excluded.store_id, samples = h.samples + 1,
      occupied = h.occupied + excluded.occupied, total = h.total + excluded.total,
      full_samples = h.full_samples + excluded.full_samples,
      peak = greatest(h.peak, excluded.peak), last_at = excluded.last_at
      where h.last_at < excluded.last_at - make_interval(mins => ${SAMPLE_MINUTES - 1})`);
}

/** Deletes one batch of expired rows; returns 0 when none is left. */
export function deleteOldOccupancy(db: Db, limit: number): Promise<number> {
  return db.run(sql`
    delete from occupancy_hour where ctid = any(array(
      select ctid from occupancy_hour
      where hour < now() - make_interval(days => ${OCCUPANCY_DAYS + 1}) limit ${limit}))`);
}

type Scoped = Omit<OccupancyQuery, "from" | "to">;

const startOf = (day: string) => sql`(${day}::date::timestamp at time zone 'Asia/Shanghai')`;

/** `from … where …` of the matching hours. */
function hoursWithin(session: Session, scoped: Scoped, { from, to }: DaySpan): Sql {
  const conditions = [
    storePredicate(session, sql`h.tenant_id`, sql`h.store_id`, scoped.tenantId),
    sql`h.hour >= ${startOf(from)} and h.hour < ${startOf(to)} + interval '1 day'`,
  ];
  if (scoped.storeId) conditions.push(sql`h.store_id = ${scoped.storeId}`);
  if (scoped.cabinetId) conditions.push(sql`h.cabinet_id = ${scoped.cabinetId}`);
  if (scoped.side) {
    conditions.push(sql`exists (
      select from cabinet c join cabinet_model m on m.id = c.model_id
      where c.tenant_id = h.tenant_id and c.id = h.cabinet_id and m.side = ${scoped.side})`);
  }
  if (scoped.size) conditions.push(sql`h.size = ${scoped.size}`);
  const words = scoped.keyword?.trim();
  if (words) {
    conditions.push(sql`exists (
      select from cabinet c
      where c.tenant_id = h.tenant_id and c.id = h.cabinet_id
        and ${cabinetKeywordSql(sql`c`, words)})`);
  }
  return sql`from occupancy_hour h where ${join(conditions, " and ")}`;
}

const sums = sql`sum(h.samples)::int as samples, sum(h.occupied)::int as occupied,
  sum(h.total)::int as total, sum(h.full_samples)::int as "fullSamples"`;
const hourOfDay = sql`extract(hour from h.hour at time zone 'Asia/Shanghai')::int`;

/** Use by size and hour of the day. */
export function findHourUse(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<HourUse[]> {
  return db.many(sql`
    select h.size, ${hourOfDay} as hour, ${sums} ${hoursWithin(session, scoped, span)}
    group by 1, 2 order by 1, 2`);
}

export async function findLastLook(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<string | null> {
  const { at } = await db.one<{ at: string | null }>(
    sql`select max(h.last_at) as at ${hoursWithin(session, scoped, span)}`,
  );
  return at;
}

/** Use per hour over all sizes, for the last `hours` hours. */
export function findRecentHours(
  db: Db,
  session: Session,
  tenantId: number | undefined,
  hours: number,
): Promise<{ hour: string; occupied: number; total: number }[]> {
  return db.many(sql`
    select h.hour, sum(h.occupied)::int as occupied, sum(h.total)::int as total
    from occupancy_hour h
    where ${storePredicate(session, sql`h.tenant_id`, sql`h.store_id`, tenantId)}
      and h.hour > now() - make_interval(hours => ${hours})
    group by h.hour order by h.hour`);
}

export async function findRecentLook(
  db: Db,
  session: Session,
  tenantId: number | undefined,
  hours: number,
): Promise<string | null> {
  const { at } = await db.one<{ at: string | null }>(sql`
    select max(h.last_at) as at from occupancy_hour h
    where ${storePredicate(session, sql`h.tenant_id`, sql`h.store_id`, tenantId)}
      and h.hour > now() - make_interval(hours => ${hours})`);
  return at;
}

const sortColumns = {
  full: sql`r."fullSamples"::float / r.samples`,
  share: sql`r.occupied::float / nullif(r.total, 0)`,
  peak: sql`r.peak::float / nullif(n.compartments, 0)`,
  cabinet: sql`c.sn`,
};
const directions = { asc: sql`asc`, desc: sql`desc` };

/** One row per cabinet and size. */
export function findSizeUse(
  db: Db,
  session: Session,
  query: SizesQuery,
  span: DaySpan,
): Promise<Page<CabinetSizeUse>> {
  const { sort = "full", order = "desc" } = query;
  const within = hoursWithin(session, query, span);
  return findPage(db, {
    matching: sql`from (select ${within} group by h.tenant_id, h.cabinet_id, h.size) r`,
    rows: sql`
      with r as (
        select h.tenant_id, h.cabinet_id, h.size, ${sums}, max(h.peak) as peak ${within}
        group by h.tenant_id, h.cabinet_id, h.size
      )
      select r.tenant_id as "tenantId", t.name as "tenantName", c.id as "cabinetId",
        c.name as "cabinetName", c.sn, s.name as "storeName", r.size, r.samples, r.occupied,
        r.total, r."fullSamples", r.peak, n.compartments,
        (select ${hourOfDay} from occupancy_hour h
          where h.tenant_id = r.tenant_id and h.cabinet_id = r.cabinet_id and h.size = r.size
            and h.hour >= ${startOf(span.from)}
            and h.hour < ${startOf(span.to)} + interval '1 day'
          group by 1 having sum(h.full_samples) > 0
          order by sum(h.full_samples) desc, 1 limit 1) as "worstHour"
      from r
      join tenant t on t.id = r.tenant_id
      join cabinet c on c.tenant_id = r.tenant_id and c.id = r.cabinet_id
      left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
      cross join lateral (
        select count(*)::int as compartments from compartment k
        where k.tenant_id = r.tenant_id and k.cabinet_id = r.cabinet_id and k.size = r.size
          and k.admin_state = 'ENABLED') n
      order by ${sortColumns[sort]} ${directions[order]} nulls last, r.tenant_id, c.sn, r.size
      ${pageLimits(query)}`,
  });
}
