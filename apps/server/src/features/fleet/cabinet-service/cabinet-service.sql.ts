// SQL for the service of cabinets: the list, changes under lock, and the record of changes.
import type { ServiceAction } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type {
  cabinetServiceContract,
  ServicedCabinet,
  ServiceRecord,
} from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { todaySql } from "../../../platform/db/shanghai.sql.ts";
import { and, directions, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import {
  serviceFactsSql,
  serviceJoinSql,
  serviceStateSql,
} from "../../link/cabinet-condition/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";

type Calls = typeof cabinetServiceContract;
export type ServiceQuery = Input<Calls["list"]>["query"];
export type RecordQuery = Input<Calls["records"]>["query"];

const cabinet = sql`cabinet`;
const service = sql`service`;

function matching(session: Session, query: ServiceQuery): Sql {
  const keyword = query.keyword?.trim();
  const conditions = and(
    cabinetPredicate(session, cabinet, query.tenantId),
    keyword && cabinetKeywordSql(cabinet, keyword),
    query.modelId && sql`cabinet.model_id = ${query.modelId}`,
    query.state && sql`${serviceStateSql(service)} = ${query.state}`,
    query.withinDays !== undefined &&
      sql`service.stopped_at is null
        and service.ends_on between ${todaySql} and ${todaySql} + ${query.withinDays}::int`,
  );
  return sql`from cabinet ${serviceJoinSql(cabinet, service)} where ${conditions}`;
}

const sortColumns = { endsOn: sql`service.ends_on`, sn: sql`cabinet.sn`, name: sql`cabinet.name` };

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
      select cabinet.id as cabinet_id, cabinet.tenant_id, tenant.name as tenant_name, cabinet.sn,
        cabinet.name, model.name as model_name, store.name as store_name, cabinet.lifecycle,
        cabinet.service, cabinet.stopped_at, cabinet.stop_reason, ${todaySql}::text as today,
        (select count(*)::int from compartment comp where comp.tenant_id = cabinet.tenant_id
          and comp.cabinet_id = cabinet.id and comp.occupancy = 'OCCUPIED') as occupied
      from (
        select cabinet.id, cabinet.tenant_id, cabinet.sn, cabinet.name, cabinet.model_id,
          cabinet.store_id, cabinet.lifecycle,
          service.stopped_at, service.stop_reason, ${serviceFactsSql(service)} as service,
          row_number() over (order by ${sortColumns[sort]} ${directions[order]} nulls last,
            cabinet.sn)
            as place
        ${matched}
        order by place ${pageLimits(query)}) cabinet
      join cabinet_model model on model.id = cabinet.model_id
      join tenant on tenant.id = cabinet.tenant_id
      left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
      order by cabinet.place`,
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
  const isOfThem = sql`cabinet.id = any(${ids}) and ${cabinetPredicate(session, cabinet)}`;
  // Read in a second statement: its snapshot includes changes that the lock had to wait for.
  await db.run(sql`
    select from cabinet where ${isOfThem} order by cabinet.tenant_id, cabinet.id
    for no key update of cabinet`);
  return db.many(sql`
    select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.sn,
      service.starts_on::text as starts_on, service.ends_on::text as ends_on,
      service.stopped_at is not null as is_stopped, ${todaySql}::text as today
    from cabinet ${serviceJoinSql(cabinet, service)}
    where ${isOfThem}
    order by cabinet.tenant_id, cabinet.id`);
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
      select input.tenant_id, input.cabinet_id, (input.after->>'startsOn')::date,
        (input.after->>'endsOn')::date,
        case when (input.after->>'isStopped')::boolean then now() end,
        case when (input.after->>'isStopped')::boolean then ${reason} end
      from json_populate_recordset(null::cabinet_service_record, ${rows}) input
      on conflict (tenant_id, cabinet_id) do update set
        starts_on = excluded.starts_on, ends_on = excluded.ends_on,
        stopped_at = case when excluded.stopped_at is not null
          then coalesce(old.stopped_at, excluded.stopped_at) end,
        stop_reason = case when excluded.stopped_at is not null
          then coalesce(old.stop_reason, excluded.stop_reason) end`),
    db.run(sql`
      insert into cabinet_service_record
        (tenant_id, cabinet_id, action, actor_id, actor_name, before, after, reason)
      select input.tenant_id, input.cabinet_id,
        input.action, ${session.operatorId}, ${session.signature},
        input.before, input.after, ${reason}
      from json_populate_recordset(null::cabinet_service_record, ${rows}) input`),
  ]);
}

/** Newest first. */
export function findRecords(
  db: Db,
  session: Session,
  query: RecordQuery,
): Promise<Page<ServiceRecord>> {
  const keyword = query.keyword?.trim();
  const actorName = query.actorName?.trim();
  const conditions = and(
    cabinetPredicate(session, cabinet, query.tenantId),
    query.cabinetId && sql`record.cabinet_id = ${query.cabinetId}`,
    keyword && cabinetKeywordSql(cabinet, keyword),
    query.action && sql`record.action = ${query.action}`,
    actorName && sql`strpos(record.actor_name, ${actorName}) > 0`,
    periodSql(sql`record.at`, query),
  );
  const matched = sql`
    from cabinet_service_record record
    join cabinet on cabinet.tenant_id = record.tenant_id and cabinet.id = record.cabinet_id
    join tenant on tenant.id = record.tenant_id
    where ${conditions}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select record.id, record.at, record.tenant_id, tenant.name as tenant_name, record.cabinet_id,
        cabinet.sn as cabinet_sn, cabinet.name as cabinet_name, record.action, record.actor_name,
        record.before, record.after, record.reason
      ${matched}
      order by record.at desc, record.tenant_id, record.id desc ${pageLimits(query)}`,
  });
}
