// SQL for reading cabinets: the list, one in detail, the counts.
import type {
  Cabinet,
  CabinetDetail,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, directions, type Sql, sql } from "../../../platform/db/sql.ts";
import {
  hasFaultSql,
  isAvailableSql,
  isFaultySql,
  isInServiceStateSql,
  serviceFactsSql,
  serviceJoinSql,
  storeOutageSql,
} from "../../link/cabinet-condition/index.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "./cabinet-scope.sql.ts";

export type CabinetQuery = Input<typeof cabinetContract.list>["query"];

const cabinet = sql`cabinet`;
const comp = sql`comp`;
const service = sql`service`;
const connectivity = connectivitySql(cabinet);

const columns = sql`
  cabinet.id, cabinet.tenant_id, tenant.name as tenant_name, cabinet.sn, cabinet.name,
  cabinet.model_id, model.name as model_name, model.side, cabinet.store_id,
  store.name as store_name, cabinet.lifecycle, ${serviceFactsSql(service)} as service,
  ${connectivity} as connectivity, cabinet.last_seen_at, ${storeOutageSql(cabinet)} as store_outage,
  cabinet.app_version, cabinet.signal_dbm, cabinet.desired_config, cabinet.desired_config_version,
  cabinet.reported_config, cabinet.reported_config_version,
  (select json_build_object(
      'total', count(*),
      'free', count(*) filter (where ${isAvailableSql(comp)}),
      'occupied', count(*) filter (where comp.occupancy = 'OCCUPIED' and not ${isFaultySql(comp)}),
      'faulty', count(*) filter (where ${isFaultySql(comp)}))
    from compartment comp where comp.tenant_id = cabinet.tenant_id
      and comp.cabinet_id = cabinet.id) as compartments`;

const joins = sql`
  join cabinet_model model on model.id = cabinet.model_id
  join tenant on tenant.id = cabinet.tenant_id
  left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
  ${serviceJoinSql(cabinet, service)}`;

const hasFault = hasFaultSql(cabinet);

const sortColumns = {
  lastSeenAt: sql`cabinet.last_seen_at`,
  sn: sql`cabinet.sn`,
  name: sql`cabinet.name`,
};

/** Sorts by number by default: an order that does not change with heartbeats. */
function orderOf({ sort = "sn", order = "asc" }: CabinetQuery): Sql {
  return sql`${sortColumns[sort]} ${directions[order]} nulls last, cabinet.id`;
}

const isInService = sql`cabinet.lifecycle <> 'RETIRED'`;

function matching(session: Session, query: CabinetQuery): Sql {
  const keyword = query.keyword?.trim();
  return and(
    cabinetPredicate(session, cabinet, query.tenantId),
    keyword && cabinetKeywordSql(cabinet, keyword),
    query.modelId && sql`cabinet.model_id = ${query.modelId}`,
    query.side &&
      sql`cabinet.model_id in (select id from cabinet_model where side = ${query.side})`,
    query.storeId && sql`cabinet.store_id = ${query.storeId}`,
    query.connectivity && sql`${connectivity} = ${query.connectivity}`,
    // A retired cabinet has no meaningful connectivity: it is left out unless asked for by
    // lifecycle.
    query.connectivity && !query.lifecycle && isInService,
    query.lifecycle && sql`cabinet.lifecycle = ${query.lifecycle}`,
    query.serviceState && isInServiceStateSql(cabinet, query.serviceState),
    query.hasFault !== undefined && (query.hasFault ? hasFault : sql`not ${hasFault}`),
  );
}

/** Finds the page first and counts compartments for its rows only. */
export function findCabinets(
  db: Db,
  session: Session,
  query: CabinetQuery,
): Promise<Page<Cabinet>> {
  const matched = sql`from cabinet where ${matching(session, query)}`;
  const order = orderOf(query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select cabinet.* ${matched} order by ${order} ${pageLimits(query)}) cabinet ${joins}
      order by ${order}`,
  });
}

export function findCabinetDetail(
  db: Db,
  session: Session,
  id: number,
): Promise<Omit<CabinetDetail, "pricing"> | null> {
  return db.maybe(sql`
    select ${columns}, store.address as store_address, store.longitude as store_longitude,
      store.latitude as store_latitude, store.opening_hours as store_opening_hours,
      cabinet.service_phone, cabinet.place, cabinet.longitude, cabinet.latitude,
      cabinet.opening_hours, model.vendor as model_vendor, model.capabilities as model_capabilities,
      cabinet.edit_version, cabinet.edited_at, cabinet.edited_by, cabinet.desired_config_at,
      cabinet.reported_config_at, cabinet.temperature_c, cabinet.clock_skew_seconds,
      cabinet.invalid_readings, cabinet.created_at
    from cabinet ${joins}
    where cabinet.id = ${id} and ${cabinetPredicate(session, cabinet)}`);
}

export function countCabinets(
  db: Db,
  session: Session,
  { side, tenantId }: Input<typeof cabinetContract.statistics>["query"],
): Promise<Reply<typeof cabinetContract.statistics>> {
  const isOfSide = side ? sql`model.side = ${side}` : sql`true`;
  return db.one(sql`
    select (count(*) filter (where ${isInService}))::int as total,
      (count(*) filter (where ${isInService} and ${connectivity} = 'ONLINE'))::int as online,
      (count(*) filter (where ${isInService} and ${connectivity} = 'OFFLINE'))::int as offline,
      (count(*) filter (where ${isInService} and ${connectivity} = 'NEVER'))::int as never,
      (count(*) filter (where not ${isInService}))::int as retired
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    where ${isOfSide} and ${cabinetPredicate(session, cabinet, tenantId)}`);
}
