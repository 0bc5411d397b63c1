// SQL for reading cabinets: the list, one in detail, the counts.
import type {
  Cabinet,
  CabinetDetail,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
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

const c = sql`c`;
const k = sql`k`;
const v = sql`v`;
const connectivity = connectivitySql(c);

const columns = sql`
  c.id, c.tenant_id as "tenantId", t.name as "tenantName", c.sn, c.name,
  c.model_id as "modelId", m.name as "modelName", m.side,
  c.store_id as "storeId", s.name as "storeName", c.lifecycle,
  ${serviceFactsSql(v)} as service,
  ${connectivity} as connectivity, c.last_seen_at as "lastSeenAt",
  ${storeOutageSql(c)} as "storeOutage", c.app_version as "appVersion", c.signal_dbm as "signalDbm",
  c.desired_config as "desiredConfig", c.desired_config_version as "desiredConfigVersion",
  c.reported_config as "reportedConfig",
  c.reported_config_version as "reportedConfigVersion",
  (select json_build_object(
      'total', count(*),
      'free', count(*) filter (where ${isAvailableSql(k)}),
      'occupied', count(*) filter (where k.occupancy = 'OCCUPIED' and not ${isFaultySql(k)}),
      'faulty', count(*) filter (where ${isFaultySql(k)}))
    from compartment k where k.tenant_id = c.tenant_id and k.cabinet_id = c.id) as compartments`;

const joins = sql`
  join cabinet_model m on m.id = c.model_id
  join tenant t on t.id = c.tenant_id
  left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
  ${serviceJoinSql(c, v)}`;

const hasFault = hasFaultSql(c);

const sortColumns = { lastSeenAt: sql`c.last_seen_at`, sn: sql`c.sn`, name: sql`c.name` };
const directions = { asc: sql`asc`, desc: sql`desc` };

/** Sorts by number by default: an order that does not change with heartbeats. */
function orderOf({ sort = "sn", order = "asc" }: CabinetQuery): Sql {
  return sql`${sortColumns[sort]} ${directions[order]} nulls last, c.id`;
}

const isInService = sql`c.lifecycle <> 'RETIRED'`;

function matching(session: Session, query: CabinetQuery): Sql {
  const conditions = [cabinetPredicate(session, c, query.tenantId)];
  const keyword = query.keyword?.trim();
  if (keyword) conditions.push(cabinetKeywordSql(c, keyword));
  if (query.modelId) conditions.push(sql`c.model_id = ${query.modelId}`);
  if (query.side) {
    conditions.push(sql`c.model_id in (select id from cabinet_model where side = ${query.side})`);
  }
  if (query.storeId) conditions.push(sql`c.store_id = ${query.storeId}`);
  if (query.connectivity) {
    conditions.push(sql`${connectivity} = ${query.connectivity}`);
    // A retired cabinet has no meaningful connectivity: it is left out unless asked for by
    // lifecycle.
    if (!query.lifecycle) conditions.push(isInService);
  }
  if (query.lifecycle) conditions.push(sql`c.lifecycle = ${query.lifecycle}`);
  if (query.serviceState) conditions.push(isInServiceStateSql(c, query.serviceState));
  if (query.hasFault !== undefined) {
    conditions.push(query.hasFault ? hasFault : sql`not ${hasFault}`);
  }
  return join(conditions, " and ");
}

/** Finds the page first and counts compartments for its rows only. */
export function findCabinets(
  db: Db,
  session: Session,
  query: CabinetQuery,
): Promise<Page<Cabinet>> {
  const matched = sql`from cabinet c where ${matching(session, query)}`;
  const order = orderOf(query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select c.* ${matched} order by ${order} ${pageLimits(query)}) c ${joins}
      order by ${order}`,
  });
}

export function findCabinetDetail(
  db: Db,
  session: Session,
  id: number,
): Promise<Omit<CabinetDetail, "pricing"> | null> {
  return db.maybe(sql`
    select ${columns}, s.address as "storeAddress", s.longitude as "storeLongitude",
      s.latitude as "storeLatitude", s.opening_hours as "storeOpeningHours",
      c.service_phone as "servicePhone", c.place, c.longitude, c.latitude,
      c.opening_hours as "openingHours", m.vendor as "modelVendor",
      m.capabilities as "modelCapabilities", c.edit_version as "editVersion",
      c.edited_at as "editedAt", c.edited_by as "editedBy",
      c.desired_config_at as "desiredConfigAt",
      c.reported_config_at as "reportedConfigAt",
      c.temperature_c as "temperatureC",
      c.clock_skew_seconds as "clockSkewSeconds", c.created_at as "createdAt"
    from cabinet c ${joins}
    where c.id = ${id} and ${cabinetPredicate(session, c)}`);
}

export function countCabinets(
  db: Db,
  session: Session,
  { side, tenantId }: Input<typeof cabinetContract.statistics>["query"],
): Promise<Reply<typeof cabinetContract.statistics>> {
  const isOfSide = side ? sql`m.side = ${side}` : sql`true`;
  return db.one(sql`
    select (count(*) filter (where ${isInService}))::int as total,
      (count(*) filter (where ${isInService} and ${connectivity} = 'ONLINE'))::int as online,
      (count(*) filter (where ${isInService} and ${connectivity} = 'OFFLINE'))::int as offline,
      (count(*) filter (where ${isInService} and ${connectivity} = 'NEVER'))::int as never,
      (count(*) filter (where not ${isInService}))::int as retired
    from cabinet c join cabinet_model m on m.id = c.model_id
    where ${isOfSide} and ${cabinetPredicate(session, c, tenantId)}`);
}
