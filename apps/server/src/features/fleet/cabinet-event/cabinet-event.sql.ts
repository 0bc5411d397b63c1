// SQL for the cabinet event log, paged by indexes alone, and for online time.
import type {
  CabinetEvent,
  cabinetEventContract,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import {
  kindsOfGroup,
  knownKinds,
  type PresenceChange,
  problemKinds,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import { tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { BATCH_ROWS } from "../../../platform/jobs/retention.ts";
import { type EventPlace, removeOldEvents } from "../../link/device/index.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";
import type { EventFacts } from "./event-text.rules.ts";

export type EventQuery = Input<typeof cabinetEventContract.list>["query"];

export type EventRow = Omit<CabinetEvent, "text" | "isProblem" | "side" | "payload"> &
  EventFacts & { raw: string | null };

const cabinetAlias = sql`cabinet`;

/**
 * The tenant condition is repeated on the event itself, because its indexes begin with the tenant.
 */
function matching(session: Session, query: EventQuery): Sql {
  const keyword = query.keyword?.trim();
  return and(
    tenantPredicate(session, sql`cabinet_event.tenant_id`, query.tenantId),
    cabinetPredicate(session, cabinetAlias, query.tenantId),
    query.cabinetId && sql`cabinet_event.cabinet_id = ${query.cabinetId}`,
    keyword && cabinetKeywordSql(cabinetAlias, keyword),
    query.kind && sql`cabinet_event.kind = ${query.kind}`,
    query.group === "OTHER"
      ? isOfUnknownKindSql(session, query)
      : query.group && sql`cabinet_event.kind = any(${kindsOfGroup(query.group)})`,
    query.no && sql`cabinet_event.compartment_no = ${query.no}`,
    query.isProblem !== undefined &&
      (query.isProblem ? isProblemSql : sql`${isProblemSql} is not true`),
    periodSql(sql`cabinet_event.received_at`, query),
  );
}

/**
 * Skips from kind to kind along the index (loose index scan): unknown kinds are rare, and a filter
 * would read all rows.
 */
function isOfUnknownKindSql(session: Session, { tenantId }: EventQuery): Sql {
  const isOfTenant = tenantPredicate(session, sql`cabinet_event.tenant_id`, tenantId);
  return sql`cabinet_event.kind = any(array(
    with recursive kinds (kind) as (
      (select cabinet_event.kind from cabinet_event where ${isOfTenant} order by cabinet_event.kind
        limit 1)
      union all
      select (select cabinet_event.kind from cabinet_event
        where ${isOfTenant} and cabinet_event.kind > kinds.kind order by cabinet_event.kind limit 1)
      from kinds where kinds.kind is not null
    )
    select kind from kinds where kind <> all(${knownKinds})))`;
}

/** SQL equivalent of the contract's `isProblem`. */
const isProblemSql = sql`(
  (cabinet_event.kind = any(${problemKinds}) and cabinet_event.payload->'active' is distinct from 'false'::jsonb)
  or (cabinet_event.kind = 'JOB' and cabinet_event.payload->'job'->>'status' = any(${["FAILED", "REFUSED", "REJECTED"]})))`;

/** Newest first; finds the page first, and joins details for its rows only. */
export function findEvents(db: Db, session: Session, query: EventQuery): Promise<Page<EventRow>> {
  const matched = sql`
    from cabinet_event join cabinet on cabinet.tenant_id = cabinet_event.tenant_id
      and cabinet.id = cabinet_event.cabinet_id
    where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select cabinet_event.id, cabinet_event.tenant_id, tenant.name as tenant_name,
        cabinet_event.cabinet_id, cabinet_event.sn as cabinet_sn,
        cabinet_event.name as cabinet_name, cabinet_event.kind, cabinet_event.compartment_no as no,
        cabinet_event.side, cabinet_event.command_id, cabinet_event.device_at,
        cabinet_event.received_at, cabinet_event.boot_no, cabinet_event.n, cabinet_event.payload,
        cabinet_event.payload::text as raw, model.side = 'DOUBLE' as is_double_sided,
        command.actor_name as opened_by, command.reason as opened_for
      from (
        select cabinet_event.*, cabinet.sn, cabinet.name, cabinet.model_id ${matched}
        order by cabinet_event.received_at desc, cabinet_event.id desc ${pageLimits(query)}
      ) cabinet_event
      join tenant on tenant.id = cabinet_event.tenant_id
      join cabinet_model model on model.id = cabinet_event.model_id
      left join command on command.tenant_id = cabinet_event.tenant_id
        and command.id = cabinet_event.command_id
      order by cabinet_event.received_at desc, cabinet_event.id desc`,
  });
}

export interface PresenceFacts {
  /** The database clock, in Unix milliseconds. */
  now: number;
  changes: PresenceChange[];
}

/**
 * Connection changes from the last one before the time range on; null when the cabinet is not
 * visible.
 */
export async function findPresence(
  db: Db,
  session: Session,
  cabinetId: number,
  hours: number,
): Promise<PresenceFacts | null> {
  const cabinet = await db.maybe<{ tenantId: number; now: number; from: string }>(sql`
    select cabinet.tenant_id, floor(extract(epoch from now()) * 1000)::bigint as now,
      now() - make_interval(hours => ${hours}) as "from"
    from cabinet where cabinet.id = ${cabinetId} and ${cabinetPredicate(session, cabinetAlias)}`);
  if (!cabinet) return null;
  const isOfCabinet = sql`cabinet_event.tenant_id = ${cabinet.tenantId} and cabinet_event.cabinet_id = ${cabinetId}
    and cabinet_event.kind in ('ONLINE', 'OFFLINE')`;
  const changes = await db.many<PresenceChange>(sql`
    select cabinet_event.kind as state,
      floor(extract(epoch from case when cabinet_event.kind = 'OFFLINE'
        then least(cabinet_event.received_at, (cabinet_event.payload->>'lastSeenAt')::timestamptz)
        else cabinet_event.received_at end) * 1000)::bigint as at
    from cabinet_event
    where ${isOfCabinet} and cabinet_event.received_at >= coalesce(
      (select cabinet_event.received_at from cabinet_event
        where ${isOfCabinet} and cabinet_event.received_at < ${cabinet.from}
        order by cabinet_event.received_at desc limit 1),
      ${cabinet.from})
    order by cabinet_event.received_at, cabinet_event.id`);
  return { now: cabinet.now, changes };
}

export function removeEvents(
  db: Db,
  tenantId: number,
  from: EventPlace | null,
): Promise<EventPlace | null> {
  const dueBefore = dueBeforeSql("keepEventsDays", sql`${tenantId}::int`);
  return removeOldEvents(db, { tenantId, from, dueBefore, limit: BATCH_ROWS });
}
