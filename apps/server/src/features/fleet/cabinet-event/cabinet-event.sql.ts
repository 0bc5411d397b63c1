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
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";
import type { EventFacts } from "./event-text.rules.ts";

export type EventQuery = Input<typeof cabinetEventContract.list>["query"];

export type EventRow = Omit<CabinetEvent, "text" | "isProblem" | "side" | "payload"> &
  EventFacts & { raw: string | null };

const c = sql`c`;

/**
 * The tenant condition is repeated on the event itself, because its indexes begin with the tenant.
 */
function matching(session: Session, query: EventQuery): Sql {
  const conditions = [
    tenantPredicate(session, sql`e.tenant_id`, query.tenantId),
    cabinetPredicate(session, c, query.tenantId),
  ];
  const keyword = query.keyword?.trim();
  if (query.cabinetId) conditions.push(sql`e.cabinet_id = ${query.cabinetId}`);
  if (keyword) conditions.push(cabinetKeywordSql(c, keyword));
  if (query.kind) conditions.push(sql`e.kind = ${query.kind}`);
  if (query.group === "OTHER") conditions.push(isOfUnknownKindSql(session, query));
  else if (query.group) conditions.push(sql`e.kind = any(${kindsOfGroup(query.group)})`);
  if (query.no) conditions.push(sql`e.compartment_no = ${query.no}`);
  if (query.isProblem !== undefined) {
    conditions.push(query.isProblem ? isProblemSql : sql`${isProblemSql} is not true`);
  }
  if (query.from) conditions.push(sql`e.received_at >= ${query.from}`);
  if (query.to) conditions.push(sql`e.received_at <= ${query.to}`);
  return join(conditions, " and ");
}

/**
 * Skips from kind to kind along the index (loose index scan): unknown kinds are rare, and a filter
 * would read all rows.
 */
function isOfUnknownKindSql(session: Session, { tenantId }: EventQuery): Sql {
  const isOfTenant = tenantPredicate(session, sql`x.tenant_id`, tenantId);
  return sql`e.kind = any(array(
    with recursive kinds (kind) as (
      (select x.kind from cabinet_event x where ${isOfTenant} order by x.kind limit 1)
      union all
      select (select x.kind from cabinet_event x
        where ${isOfTenant} and x.kind > k.kind order by x.kind limit 1)
      from kinds k where k.kind is not null
    )
    select kind from kinds where kind <> all(${knownKinds})))`;
}

/** SQL equivalent of the contract's `isProblem`. */
const isProblemSql = sql`(
  (e.kind = any(${problemKinds}) and e.payload->'active' is distinct from 'false'::jsonb)
  or (e.kind = 'JOB' and e.payload->'job'->>'status' = any(${["FAILED", "REFUSED", "REJECTED"]})))`;

/** Newest first; finds the page first, and joins details for its rows only. */
export function findEvents(db: Db, session: Session, query: EventQuery): Promise<Page<EventRow>> {
  const matched = sql`
    from cabinet_event e join cabinet c on c.tenant_id = e.tenant_id and c.id = e.cabinet_id
    where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select e.id, e.tenant_id as "tenantId", t.name as "tenantName", e.cabinet_id as "cabinetId",
        e.sn as "cabinetSn", e.name as "cabinetName", e.kind, e.compartment_no as no, e.side,
        e.command_id as "commandId", e.device_at as "deviceAt", e.received_at as "receivedAt",
        e.boot_no as "bootNo", e.n, e.payload, e.payload::text as raw,
        m.side = 'DOUBLE' as "isDoubleSided", d.actor_name as "openedBy", d.reason as "openedFor"
      from (
        select e.*, c.sn, c.name, c.model_id ${matched}
        order by e.received_at desc, e.id desc ${pageLimits(query)}
      ) e
      join tenant t on t.id = e.tenant_id
      join cabinet_model m on m.id = e.model_id
      left join command d on d.tenant_id = e.tenant_id and d.id = e.command_id
      order by e.received_at desc, e.id desc`,
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
    select c.tenant_id as "tenantId", floor(extract(epoch from now()) * 1000)::bigint as now,
      now() - make_interval(hours => ${hours}) as "from"
    from cabinet c where c.id = ${cabinetId} and ${cabinetPredicate(session, c)}`);
  if (!cabinet) return null;
  const isOfCabinet = sql`e.tenant_id = ${cabinet.tenantId} and e.cabinet_id = ${cabinetId}
    and e.kind in ('ONLINE', 'OFFLINE')`;
  const changes = await db.many<PresenceChange>(sql`
    select e.kind as state,
      floor(extract(epoch from case when e.kind = 'OFFLINE'
        then least(e.received_at, (e.payload->>'lastSeenAt')::timestamptz)
        else e.received_at end) * 1000)::bigint as at
    from cabinet_event e
    where ${isOfCabinet} and e.received_at >= coalesce(
      (select e.received_at from cabinet_event e
        where ${isOfCabinet} and e.received_at < ${cabinet.from}
        order by e.received_at desc limit 1),
      ${cabinet.from})
    order by e.received_at, e.id`);
  return { now: cabinet.now, changes };
}
