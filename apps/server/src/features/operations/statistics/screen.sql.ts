// SQL for the data screen: cabinets, stores on the map, live orders, alarms.
import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { DaySpan } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { liveColumns, liveOrders } from "./home.sql.ts";
import { figuresWithin } from "./income.sql.ts";

const cabinet = sql`cabinet`;
const connectivity = connectivitySql(cabinet);
const isHere = (session: Session, tenantId?: number) =>
  sql`${cabinetPredicate(session, cabinet, tenantId)} and cabinet.lifecycle <> 'RETIRED'`;

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
      max(cabinet.last_seen_at) as heard_at
    from cabinet where ${isHere(session, tenantId)}`);
}

/** More stores than a map can show as separate points. */
const MAX_STORES = 2_000;

export function findScreenStores(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Screen["stores"]> {
  return db.many(sql`
    select store.id, store.name, store.longitude, store.latitude,
      count(cabinet.id)::int as cabinets,
      (count(*) filter (where ${connectivity} = 'ONLINE'))::int as online,
      coalesce(sum(comp.total), 0)::int as compartments,
      coalesce(sum(comp.occupied), 0)::int as occupied
    from store
    join cabinet on cabinet.tenant_id = store.tenant_id and cabinet.store_id = store.id
      and cabinet.lifecycle <> 'RETIRED'
    cross join lateral (
      select count(*) as total, count(*) filter (where comp.occupancy <> 'FREE') as occupied
      from compartment comp
      where comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
        and comp.admin_state = 'ENABLED') comp
    where ${storePredicate(session, sql`store.tenant_id`, sql`store.id`, tenantId)}
    group by store.tenant_id, store.id
    order by count(cabinet.id) desc, store.tenant_id, store.id
    limit ${MAX_STORES}`);
}

export function countScreenCompartments(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Screen["compartments"]> {
  return db.one(sql`
    select count(*)::int as total,
      (count(*) filter (where comp.occupancy <> 'FREE'))::int as occupied
    from cabinet
    join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
    where ${isHere(session, tenantId)} and cabinet.lifecycle = 'ACTIVE'
      and comp.admin_state = 'ENABLED'`);
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
    select top_store.id, coalesce(store.name, '未分配门店') as name, top_store.started,
      top_store.net_fen
    from (
      select figure.tenant_id, figure.store_id as id, sum(figure.started)::int as started,
        sum(figure.income_fen - figure.refund_fen)::bigint as net_fen
      ${figuresWithin(session, { tenantId }, span)}
      group by figure.tenant_id, figure.store_id
      order by sum(figure.started) desc, figure.tenant_id, figure.store_id limit ${limit}) top_store
    left join store on store.tenant_id = top_store.tenant_id and store.id = top_store.id
    order by top_store.started desc, top_store.tenant_id, top_store.id`);
}

/** Newest first; order ids encode their creation time. */
export function findNewestOrders(
  db: Db,
  session: Session,
  limit: number,
  tenantId?: number,
): Promise<Screen["orders"]> {
  return db.many(sql`
    select ord.id, ord.created_at, ord.side, ord.state, ord.size, cabinet.name as cabinet_name,
      store.name as store_name
    from (
      select ord.* from storage_order ord
      where ${storePredicate(session, sql`ord.tenant_id`, sql`ord.store_id`, tenantId)}
        and ord.side in ('SINGLE', 'DOUBLE')
      order by ord.id desc limit ${limit}) ord
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    left join store on store.tenant_id = ord.tenant_id and store.id = ord.store_id
    order by ord.id desc`);
}

const isOpen = sql`malfunction.state in ('CREATED', 'ASSIGNED', 'PROCESSING')`;

export async function findAlarms(
  db: Db,
  session: Session,
  limit: number,
  tenantId?: number,
): Promise<Pick<Screen, "alarms" | "openAlarms">> {
  const matching = sql`
    from malfunction
    left join cabinet on cabinet.tenant_id = malfunction.tenant_id
      and cabinet.id = malfunction.cabinet_id
    left join store on store.tenant_id = malfunction.tenant_id
      and store.id = coalesce(malfunction.store_id, cabinet.store_id)
    where ${isOpen}
      and ${storePredicate(
        session,
        sql`malfunction.tenant_id`,
        sql`coalesce(malfunction.store_id,
        cabinet.store_id)`,
        tenantId,
      )}`;
  const [alarms, { openAlarms }] = await Promise.all([
    db.many<Screen["alarms"][number]>(sql`
      select malfunction.id, malfunction.tenant_id, malfunction.kind,
        concat_ws(' ', coalesce(cabinet.name, store.name),
          malfunction.compartment_no || ' 号格口') as place,
        malfunction.description, malfunction.created_at, malfunction.severity,
        malfunction.cabinet_id is null as is_store_outage
      ${matching}
      order by array_position(array['SEVERE', 'URGENT', 'NORMAL', 'MINOR'], malfunction.severity),
        malfunction.store_id is null, malfunction.created_at desc, malfunction.id desc limit ${limit}`),
    db.one<{ openAlarms: number }>(sql`select count(*)::int as open_alarms ${matching}`),
  ]);
  return { alarms, openAlarms };
}
