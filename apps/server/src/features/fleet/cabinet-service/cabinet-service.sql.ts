// SQL for the service of cabinets: the list, changes under lock, and the record of changes.
import type { ServiceAction } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type {
  cabinetServiceContract,
  ServicedCabinet,
  ServiceRecord,
} from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import {
  serviceFactsSql,
  serviceJoinSql,
  serviceStateSql,
  todaySql,
} from "../../link/cabinet-condition/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";

type Calls = typeof cabinetServiceContract;
export type ServiceQuery = Input<Calls["list"]>["query"];
export type RecordQuery = Input<Calls["records"]>["query"];

const c = sql`c`;
const v = sql`v`;

function matching(session: Session, query: ServiceQuery): Sql {
  const conditions = [cabinetPredicate(session, c, query.tenantId)];
  const keyword = query.keyword?.trim();
  if (keyword) conditions.push(cabinetKeywordSql(c, keyword));
  if (query.modelId) conditions.push(sql`c.model_id = ${query.modelId}`);
  if (query.state) conditions.push(sql`${serviceStateSql(v)} = ${query.state}`);
  if (query.withinDays !== undefined) {
    conditions.push(sql`v.stopped_at is null
      and v.ends_on between ${todaySql} and ${todaySql} + ${query.withinDays}::int`);
  }
  return sql`from cabinet c ${serviceJoinSql(c, v)} where ${join(conditions, " and ")}`;
}

const sortColumns = { endsOn: sql`v.ends_on`, sn: sql`c.sn`, name: sql`c.name` };
const directions = { asc: sql`asc`, desc: sql`desc` };

/** Earliest end first by default. */
export function findServices(
  db: Db,
  session: Session,
  query: ServiceQuery,
): Promise<Page<ServicedCabinet>> {
  const { sort = "endsOn", order = "asc" } = query;
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select c.id as "cabinetId", c.tenant_id as "tenantId", t.name as "tenantName", c.sn, c.name,
        m.name as "modelName", s.name as "storeName", c.lifecycle, c.service,
        c.stopped_at as "stoppedAt", c.stop_reason as "stopReason", ${todaySql}::text as today,
        (select count(*)::int from compartment k where k.tenant_id = c.tenant_id
          and k.cabinet_id = c.id and k.occupancy = 'OCCUPIED') as occupied
      from (
        select c.id, c.tenant_id, c.sn, c.name, c.model_id, c.store_id, c.lifecycle,
          v.stopped_at, v.stop_reason, ${serviceFactsSql(v)} as service,
          row_number() over (order by ${sortColumns[sort]} ${directions[order]} nulls last, c.sn)
            as place
        ${matched}
        order by place ${pageLimits(query)}) c
      join cabinet_model m on m.id = c.model_id
      join tenant t on t.id = c.tenant_id
      left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
      order by c.place`,
  });
}

export interface ServiceRow {
  tenantId: number;
  cabinetId: number;
  sn: string;
  startsOn: string | null;
  endsOn: string | null;
  isStopped: boolean;
  today: string;
}

/** The visible ones of `ids`, locked until the transaction ends. */
export async function lockServices(db: Db, session: Session, ids: number[]): Promise<ServiceRow[]> {
  const isOfThem = sql`c.id = any(${ids}) and ${cabinetPredicate(session, c)}`;
  // Read in a second statement: its snapshot includes changes that the lock had to wait for.
  await db.run(sql`
    select from cabinet c where ${isOfThem} order by c.tenant_id, c.id for no key update of c`);
  return db.many(sql`
    select c.tenant_id as "tenantId", c.id as "cabinetId", c.sn, v.starts_on::text as "startsOn",
      v.ends_on::text as "endsOn", v.stopped_at is not null as "isStopped",
      ${todaySql}::text as today
    from cabinet c ${serviceJoinSql(c, v)}
    where ${isOfThem}
    order by c.tenant_id, c.id`);
}

export interface ServiceChange {
  tenantId: number;
  cabinetId: number;
  action: ServiceAction;
  before: ServiceFacts;
  after: ServiceFacts;
}

export interface ServiceFacts {
  startsOn: string | null;
  endsOn: string | null;
  isStopped: boolean;
}

/** Saves the changes, each with a line in the service record. */
export async function applyChanges(
  db: Db,
  session: Session,
  changes: ServiceChange[],
  reason: string,
): Promise<void> {
  const rows = JSON.stringify(
    changes.map(({ tenantId, cabinetId, action, before, after }) => ({
      tenant_id: tenantId,
      cabinet_id: cabinetId,
      action,
      before,
      after,
    })),
  );
  await Promise.all([
    db.run(sql`
      insert into cabinet_service as old
        (tenant_id, cabinet_id, starts_on, ends_on, stopped_at, stop_reason)
      select r.tenant_id, r.cabinet_id, (r.after->>'startsOn')::date, (r.after->>'endsOn')::date,
        case when (r.after->>'isStopped')::boolean then now() end,
        case when (r.after->>'isStopped')::boolean then ${reason} end
      from json_populate_recordset(null::cabinet_service_record, ${rows}) r
      on conflict (tenant_id, cabinet_id) do update set
        starts_on = excluded.starts_on, ends_on = excluded.ends_on,
        stopped_at = case when excluded.stopped_at is not null
          then coalesce(old.stopped_at, excluded.stopped_at) end,
        stop_reason = case when excluded.stopped_at is not null
          then coalesce(old.stop_reason, excluded.stop_reason) end`),
    db.run(sql`
      insert into cabinet_service_record
        (tenant_id, cabinet_id, action, actor_id, actor_name, before, after, reason)
      select r.tenant_id, r.cabinet_id, r.action, ${session.operatorId}, ${session.displayName},
        r.before, r.after, ${reason}
      from json_populate_recordset(null::cabinet_service_record, ${rows}) r`),
  ]);
}

/** Newest first. */
export function findRecords(
  db: Db,
  session: Session,
  query: RecordQuery,
): Promise<Page<ServiceRecord>> {
  const conditions = [cabinetPredicate(session, c, query.tenantId)];
  const keyword = query.keyword?.trim();
  const actorName = query.actorName?.trim();
  if (query.cabinetId) conditions.push(sql`r.cabinet_id = ${query.cabinetId}`);
  if (keyword) conditions.push(cabinetKeywordSql(c, keyword));
  if (query.action) conditions.push(sql`r.action = ${query.action}`);
  if (actorName) conditions.push(sql`strpos(r.actor_name, ${actorName}) > 0`);
  if (query.from) conditions.push(sql`r.at >= ${query.from}`);
  if (query.to) conditions.push(sql`r.at <= ${query.to}`);
  const matched = sql`
    from cabinet_service_record r
    join cabinet c on c.tenant_id = r.tenant_id and c.id = r.cabinet_id
    join tenant t on t.id = r.tenant_id
    where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select r.id, r.at, r.tenant_id as "tenantId", t.name as "tenantName",
        r.cabinet_id as "cabinetId", c.sn as "cabinetSn", c.name as "cabinetName", r.action,
        r.actor_name as "actorName", r.before, r.after, r.reason
      ${matched}
      order by r.at desc, r.tenant_id, r.id desc ${pageLimits(query)}`,
  });
}

export function summariseServices(
  db: Db,
  session: Session,
  tenantId?: number,
): Promise<Reply<Calls["summary"]>> {
  const state = serviceStateSql(v);
  return db.one(sql`
    select (count(*) filter (where ${state} = 'EXPIRING'))::int as expiring,
      (count(*) filter (where ${state} = 'EXPIRED'))::int as expired,
      (count(*) filter (where ${state} = 'STOPPED'))::int as stopped,
      (min(v.ends_on) filter (where ${state} = 'EXPIRING'))::text as "nextEndsOn"
    from cabinet c
    join cabinet_service v on v.tenant_id = c.tenant_id and v.cabinet_id = c.id
    where c.lifecycle <> 'RETIRED' and ${cabinetPredicate(session, c, tenantId)}`);
}
