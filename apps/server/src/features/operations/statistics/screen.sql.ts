// SQL for the data screen: cabinets, stores on the map, live orders, alarms.
import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { DaySpan } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { liveColumns, liveOrders } from "./home.sql.ts";
import { figuresWithin } from "./income.sql.ts";

const c = sql`c`;
const connectivity = connectivitySql(c);
const isHere = (session: Session, tenantId?: number) =>
  sql`${cabinetPredicate(session, c, tenantId)} and c.lifecycle <> 'RETIRED'`;

export function countScreenCabinets(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Screen["cabinets"]> {
  return db.one(sql`
    select count(*)::int as total,
      (count(*) filter (where ${connectivity} = 'ONLINE'))::int as online,
      (count(*) filter (where ${connectivity} = 'OFFLINE'))::int as offline,
      (count(*) filter (where ${connectivity} = 'NEVER'))::int as never,
      max(c.last_seen_at) as "heardAt"
    from cabinet c where ${isHere(session, tenantId)}`);
}

/** More stores than a map can show as separate points. */
const MAX_STORES = 2_000;

export function findScreenStores(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Screen["stores"]> {
  return db.many(sql`
    select s.id, s.name, s.longitude, s.latitude, count(c.id)::int as cabinets,
      (count(*) filter (where ${connectivity} = 'ONLINE'))::int as online,
      coalesce(sum(k.total), 0)::int as compartments, coalesce(sum(k.occupied), 0)::int as occupied
    from store s
    join cabinet c on c.tenant_id = s.tenant_id and c.store_id = s.id
      and c.lifecycle <> 'RETIRED'
    cross join lateral (
      select count(*) as total, count(*) filter (where k.occupancy <> 'FREE') as occupied
      from compartment k
      where k.tenant_id = c.tenant_id and k.cabinet_id = c.id and k.admin_state = 'ENABLED') k
    where ${storePredicate(session, sql`s.tenant_id`, sql`s.id`, tenantId)}
    group by s.tenant_id, s.id
    order by count(c.id) desc, s.tenant_id, s.id
    limit ${MAX_STORES}`);
}

export function countScreenCompartments(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Screen["compartments"]> {
  return db.one(sql`
    select count(*)::int as total,
      (count(*) filter (where k.occupancy <> 'FREE'))::int as occupied
    from cabinet c
    join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
    where ${isHere(session, tenantId)} and c.lifecycle = 'ACTIVE' and k.admin_state = 'ENABLED'`);
}

export function countLive(db: Db, session: Session, tenantId?: number): Promise<Screen["live"]> {
  return db.one(sql`select ${liveColumns} ${liveOrders(session, tenantId)}`);
}

export function findTopStores(
  db: Db,
  session: Session,
  span: DaySpan,
  limit: number,
  tenantId?: number,
): Promise<Screen["topStores"]> {
  return db.many(sql`
    select r.id, coalesce(s.name, '未分配门店') as name, r.started, r."netFen"
    from (
      select f.tenant_id, f.store_id as id, sum(f.started)::int as started,
        sum(f.income_fen - f.refund_fen)::bigint as "netFen"
      ${figuresWithin(session, { tenantId }, span)}
      group by f.tenant_id, f.store_id
      order by sum(f.started) desc, f.tenant_id, f.store_id limit ${limit}) r
    left join store s on s.tenant_id = r.tenant_id and s.id = r.id
    order by r.started desc, r.tenant_id, r.id`);
}

/** Newest first; order ids encode their creation time. */
export function findNewestOrders(
  db: Db,
  session: Session,
  limit: number,
  tenantId?: number,
): Promise<Screen["orders"]> {
  return db.many(sql`
    select o.id, o.created_at as "createdAt", o.side, o.state, o.size, c.name as "cabinetName",
      s.name as "storeName"
    from (
      select o.* from storage_order o
      where ${storePredicate(session, sql`o.tenant_id`, sql`o.store_id`, tenantId)}
        and o.side in ('SINGLE', 'DOUBLE')
      order by o.id desc limit ${limit}) o
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    left join store s on s.tenant_id = o.tenant_id and s.id = o.store_id
    order by o.id desc`);
}

const isOpen = sql`m.state in ('CREATED', 'ASSIGNED', 'PROCESSING')`;

export async function findAlarms(
  db: Db,
  session: Session,
  limit: number,
  tenantId?: number,
): Promise<Pick<Screen, "alarms" | "openAlarms">> {
  const matching = sql`
    from malfunction m
    left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
    left join store s on s.tenant_id = m.tenant_id and s.id = coalesce(m.store_id, c.store_id)
    where ${isOpen}
      and ${storePredicate(session, sql`m.tenant_id`, sql`coalesce(m.store_id, c.store_id)`, tenantId)}`;
  const [alarms, { openAlarms }] = await Promise.all([
    db.many<Screen["alarms"][number]>(sql`
      select m.id, m.tenant_id as "tenantId", m.kind,
        concat_ws(' ', coalesce(c.name, s.name), m.compartment_no || ' 号格口') as place,
        m.description, m.created_at as "createdAt"
      ${matching} order by m.created_at desc, m.id desc limit ${limit}`),
    db.one<{ openAlarms: number }>(sql`select count(*)::int as "openAlarms" ${matching}`),
  ]);
  return { alarms, openAlarms };
}
