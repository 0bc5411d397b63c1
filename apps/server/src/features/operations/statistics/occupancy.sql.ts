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
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { and, directions, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetKeywordSql } from "../../fleet/cabinet/index.ts";
import { storePredicate } from "../../organization/store/index.ts";

/**
 * Samples every cabinet in service: how many usable compartments are taken. Idempotent within one
 * sampling interval, since a job may run again.
 */
export function sampleOccupancy(db: Db): Promise<number> {
  return db.run(sql`
    insert into occupancy_hour (tenant_id, hour, cabinet_id, size, store_id, samples, occupied,
      total, full_samples, peak, last_at)
    select cabinet.tenant_id, date_trunc('hour', now()), cabinet.id, comp.size, cabinet.store_id, 1,
      count(*) filter (where comp.occupancy <> 'FREE'), count(*),
      bool_and(comp.occupancy <> 'FREE')::int, count(*) filter (where comp.occupancy <> 'FREE'),
      now()
    from cabinet
    join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
    where cabinet.lifecycle = 'ACTIVE' and comp.admin_state = 'ENABLED'
    group by cabinet.tenant_id, cabinet.id, comp.size
    order by cabinet.tenant_id, cabinet.id, comp.size
    on conflict (tenant_id, hour, cabinet_id, size) do update set
      store_id = excluded.store_id, samples = occupancy_hour.samples + 1,
      occupied = occupancy_hour.occupied + excluded.occupied,
      total = occupancy_hour.total + excluded.total,
      full_samples = occupancy_hour.full_samples + excluded.full_samples,
      peak = greatest(occupancy_hour.peak, excluded.peak), last_at = excluded.last_at
      where occupancy_hour.last_at < excluded.last_at - make_interval(mins => ${SAMPLE_MINUTES - 1})`);
}

/** Deletes one batch of expired rows; returns 0 when none is left. */
export function deleteOldOccupancy(db: Db, limit: number): Promise<number> {
  return db.run(sql`
    delete from occupancy_hour where ctid = any(array(
      select ctid from occupancy_hour
      where hour < now() - make_interval(days => ${OCCUPANCY_DAYS + 1}) limit ${limit}))`);
}

type Scoped = Omit<OccupancyQuery, "from" | "to">;

/** `from … where …` of the matching hours. */
function hoursWithin(session: Session, scoped: Scoped, { from, to }: DaySpan): Sql {
  const words = scoped.keyword?.trim();
  const conditions = and(
    storePredicate(
      session,
      sql`occupancy_hour.tenant_id`,
      sql`occupancy_hour.store_id`,
      scoped.tenantId,
    ),
    sql`occupancy_hour.hour >= ${dayStartSql(from)} and occupancy_hour.hour < ${dayStartSql(to, 1)}`,
    scoped.storeId && sql`occupancy_hour.store_id = ${scoped.storeId}`,
    scoped.cabinetId && sql`occupancy_hour.cabinet_id = ${scoped.cabinetId}`,
    scoped.side &&
      sql`exists (
        select from cabinet join cabinet_model model on model.id = cabinet.model_id
        where cabinet.tenant_id = occupancy_hour.tenant_id and cabinet.id = occupancy_hour.cabinet_id
          and model.side = ${scoped.side})`,
    scoped.size && sql`occupancy_hour.size = ${scoped.size}`,
    words &&
      sql`exists (
        select from cabinet
        where cabinet.tenant_id = occupancy_hour.tenant_id and cabinet.id = occupancy_hour.cabinet_id
          and ${cabinetKeywordSql(sql`cabinet`, words)})`,
  );
  return sql`from occupancy_hour where ${conditions}`;
}

const sums = sql`sum(occupancy_hour.samples)::int as samples,
  sum(occupancy_hour.occupied)::int as occupied, sum(occupancy_hour.total)::int as total,
  sum(occupancy_hour.full_samples)::int as full_samples`;
const hourOfDay = sql`extract(hour from occupancy_hour.hour at time zone 'Asia/Shanghai')::int`;

/** Use by size and hour of the day. */
export function findHourUse(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<HourUse[]> {
  return db.many(sql`
    select occupancy_hour.size, ${hourOfDay} as hour, ${sums} ${hoursWithin(session, scoped, span)}
    group by 1, 2 order by 1, 2`);
}

export async function findLastLook(
  db: Db,
  session: Session,
  scoped: Scoped,
  span: DaySpan,
): Promise<string | null> {
  const { at } = await db.one<{ at: string | null }>(
    sql`select max(occupancy_hour.last_at) as at ${hoursWithin(session, scoped, span)}`,
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
    select occupancy_hour.hour, sum(occupancy_hour.occupied)::int as occupied,
      sum(occupancy_hour.total)::int as total
    from occupancy_hour
    where ${storePredicate(session, sql`occupancy_hour.tenant_id`, sql`occupancy_hour.store_id`, tenantId)}
      and occupancy_hour.hour > now() - make_interval(hours => ${hours})
    group by occupancy_hour.hour order by occupancy_hour.hour`);
}

export async function findRecentLook(
  db: Db,
  session: Session,
  tenantId: number | undefined,
  hours: number,
): Promise<string | null> {
  const { at } = await db.one<{ at: string | null }>(sql`
    select max(occupancy_hour.last_at) as at from occupancy_hour
    where ${storePredicate(session, sql`occupancy_hour.tenant_id`, sql`occupancy_hour.store_id`, tenantId)}
      and occupancy_hour.hour > now() - make_interval(hours => ${hours})`);
  return at;
}

const sortColumns = {
  full: sql`usage.full_samples::float / usage.samples`,
  share: sql`usage.occupied::float / nullif(usage.total, 0)`,
  peak: sql`usage.peak::float / nullif(counted.compartments, 0)`,
  cabinet: sql`cabinet.sn`,
};

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
    matching: sql`from (select ${within} group by occupancy_hour.tenant_id,
      occupancy_hour.cabinet_id, occupancy_hour.size) usage`,
    rows: sql`
      with usage as (
        select occupancy_hour.tenant_id, occupancy_hour.cabinet_id, occupancy_hour.size, ${sums},
          max(occupancy_hour.peak) as peak ${within}
        group by occupancy_hour.tenant_id, occupancy_hour.cabinet_id, occupancy_hour.size
      )
      select usage.tenant_id, tenant.name as tenant_name, cabinet.id as cabinet_id,
        cabinet.name as cabinet_name, cabinet.sn, store.name as store_name, usage.size,
        usage.samples, usage.occupied, usage.total, usage.full_samples, usage.peak,
        counted.compartments,
        (select ${hourOfDay} from occupancy_hour
          where occupancy_hour.tenant_id = usage.tenant_id
            and occupancy_hour.cabinet_id = usage.cabinet_id and occupancy_hour.size = usage.size
            and occupancy_hour.hour >= ${dayStartSql(span.from)}
            and occupancy_hour.hour < ${dayStartSql(span.to, 1)}
          group by 1 having sum(occupancy_hour.full_samples) > 0
          order by sum(occupancy_hour.full_samples) desc, 1 limit 1) as worst_hour
      from usage
      join tenant on tenant.id = usage.tenant_id
      join cabinet on cabinet.tenant_id = usage.tenant_id and cabinet.id = usage.cabinet_id
      left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
      cross join lateral (
        select count(*)::int as compartments from compartment comp
        where comp.tenant_id = usage.tenant_id and comp.cabinet_id = usage.cabinet_id
          and comp.size = usage.size
          and comp.admin_state = 'ENABLED') counted
      order by ${sortColumns[sort]} ${directions[order]} nulls last, usage.tenant_id, cabinet.sn,
        usage.size
      ${pageLimits(query)}`,
  });
}
