// Malfunction queries: counts, list and detail.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { MalfunctionOutcome } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type {
  Malfunction,
  MalfunctionDetail,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type {
  MalfunctionState,
  Severity,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, directions, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { isOpenSql, type MalfunctionKey, openInsteadSql } from "./malfunction-progress.sql.ts";

const withCabinet = sql`
  left join cabinet on cabinet.tenant_id = malfunction.tenant_id
    and cabinet.id = malfunction.cabinet_id`;
const storeColumn = sql`coalesce(malfunction.store_id, cabinet.store_id)`;
const withPlace = sql`${withCabinet}
  left join store on store.tenant_id = malfunction.tenant_id and store.id = ${storeColumn}`;

const isVisible = (session: Session, tenantId?: number) =>
  storePredicate(session, sql`malfunction.tenant_id`, storeColumn, tenantId);

/** An outage of a store counts once, however many cabinets it took down. */
export async function countMalfunctions(
  db: Db,
  session: Session,
  { status, tenantId }: { status?: MalfunctionState; tenantId?: number },
): Promise<number> {
  const isInState = status ? sql`malfunction.state = ${status}` : sql`true`;
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from malfunction ${withCabinet}
    where ${isInState} and ${isVisible(session, tenantId)}`);
  return n;
}

/** Same rule as `dueAt`. */
const dueSql = sql`(case when not ${isOpenSql} then null
  when malfunction.accepted_at is null then malfunction.respond_by
    else malfunction.resolve_by end)`;
const isOverdueSql = sql`coalesce(${dueSql} < now(), false)`;

const isOthersSql = ({ operatorId }: Session) =>
  sql`coalesce(malfunction.assignee_id <> ${operatorId}, false) as is_others`;

const columns = (session: Session) => sql`
  malfunction.id, malfunction.tenant_id, tenant.name as tenant_name, malfunction.kind,
  malfunction.severity, malfunction.state, malfunction.source, malfunction.cabinet_id,
  cabinet.sn as cabinet_sn, cabinet.name as cabinet_name, malfunction.compartment_no,
  store.id as store_id, store.name as store_name, malfunction.description, malfunction.repeat_count,
  malfunction.reporter_name, malfunction.assignee_id, malfunction.assignee_name,
  malfunction.created_at, malfunction.last_at, malfunction.respond_by, malfunction.resolve_by,
  malfunction.accepted_at, malfunction.resolved_at, malfunction.closed_at,
  ${isOverdueSql} as is_overdue, ${isOthersSql(session)}, malfunction.cause, malfunction.measure`;

const severityRank = sql`array_position(array['SEVERE', 'URGENT', 'NORMAL', 'MINOR'],
  malfunction.severity)`;
const endSql = sql`coalesce(malfunction.resolved_at, malfunction.closed_at, now())`;
const sortColumns = {
  createdAt: sql`malfunction.created_at`,
  lastAt: sql`malfunction.last_at`,
  severity: severityRank,
  due: dueSql,
  lasted: sql`${endSql} - malfunction.created_at`,
};
/** Open ones by severity, outages of a whole store before single cabinets; then by due date. */
const prioritySql = sql`(case when ${isOpenSql} then ${severityRank} end) nulls last,
  (case when ${isOpenSql} then malfunction.store_id is null end), ${dueSql} nulls last`;

export type MalfunctionQuery = Input<typeof malfunctionContract.list>["query"];
type Filters = Omit<MalfunctionQuery, "page" | "pageSize" | "sort" | "order" | "state">;

function assigneeSql({ operatorId }: Session, assignee: string | undefined): Sql {
  if (assignee === undefined) return sql`true`;
  if (assignee === "none") return sql`malfunction.assignee_id is null`;
  if (assignee === "mine-or-none") {
    return sql`(malfunction.assignee_id is null or malfunction.assignee_id = ${operatorId})`;
  }
  return sql`malfunction.assignee_id = ${assignee === "mine" ? operatorId : Number(assignee)}`;
}

function matching(session: Session, filters: Filters): Sql {
  const { keyword, kind, severity, assignee, isOverdue, cabinetId, compartmentNo } = filters;
  const { minMinutes, storeId, from, to, tenantId } = filters;
  return and(
    isVisible(session, tenantId),
    keyword?.trim() &&
      sql`(cabinet.sn ilike ${contains(keyword)} or cabinet.name ilike ${contains(keyword)} or exists (
        select from store where store.tenant_id = malfunction.tenant_id
          and store.id = malfunction.store_id
          and store.name ilike ${contains(keyword)}))`,
    kind && sql`malfunction.kind = ${kind}`,
    severity && sql`malfunction.severity = ${severity}`,
    assignee && assigneeSql(session, assignee),
    isOverdue !== undefined && sql`${isOverdueSql} = ${isOverdue}`,
    minMinutes && sql`${endSql} - malfunction.created_at >= make_interval(mins => ${minMinutes})`,
    // The outage of its store counts as a malfunction of the cabinet, too.
    cabinetId &&
      sql`(malfunction.cabinet_id = ${cabinetId} or exists (
        select from outage_cabinet where outage_cabinet.tenant_id = malfunction.tenant_id
          and outage_cabinet.malfunction_id = malfunction.id
          and outage_cabinet.cabinet_id = ${cabinetId}))`,
    compartmentNo && sql`malfunction.compartment_no = ${compartmentNo}`,
    storeId && sql`${storeColumn} = ${storeId}`,
    periodSql(sql`malfunction.created_at`, { from, to }),
  );
}

/** Sorted by priority unless a column is chosen; ties, and all that are closed, newest first. */
export function findMalfunctions(
  db: Db,
  session: Session,
  { state, ...query }: MalfunctionQuery,
): Promise<Page<Malfunction>> {
  const { sort, order = sort === "severity" || sort === "due" ? "asc" : "desc" } = query;
  const isInState =
    state === "OPEN" ? isOpenSql : state ? sql`malfunction.state = ${state}` : sql`true`;
  const matched = sql`from malfunction ${withCabinet}
    where ${isInState} and ${matching(session, query)}`;
  const first = sort ? sql`${sortColumns[sort]} ${directions[order]} nulls last` : prioritySql;
  const by = sql`${first}, malfunction.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns(session)}
      from (select malfunction.* ${matched} order by ${by} ${pageLimits(query)}) malfunction
      join tenant on tenant.id = malfunction.tenant_id ${withPlace}
      order by ${by}`,
  });
}

type Counts = Reply<typeof malfunctionContract.counts>;

export function countByState(
  db: Db,
  session: Session,
  { assignee, ...query }: Filters,
): Promise<Counts> {
  const isTheirs = assigneeSql(session, assignee);
  const count = (state: MalfunctionState) =>
    sql`(count(*) filter (where malfunction.state = ${state} and ${isTheirs}))::int`;
  return db.one(sql`
    select ${count("CREATED")} as "CREATED", ${count("ASSIGNED")} as "ASSIGNED",
      ${count("PROCESSING")} as "PROCESSING", ${count("RESOLVED")} as "RESOLVED",
      (count(*) filter (where ${isOverdueSql} and ${isTheirs}))::int as overdue,
      (count(*) filter (where ${isOpenSql} and ${assigneeSql(session, "mine")}))::int as mine
    from malfunction ${withCabinet}
    where malfunction.state in ('CREATED', 'ASSIGNED', 'PROCESSING', 'RESOLVED')
      and ${matching(session, query)}`);
}

type DetailRow = Omit<MalfunctionDetail, "timeline" | "notices" | "outage" | "affected">;

const cabinet = sql`cabinet`;

/** Null if it does not exist or this account may not see it. */
export function findMalfunction(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns(session)}, store.address as store_address, store.longitude, store.latitude,
      malfunction.merged_into_id,
      case when not ${isOpenSql} then ${openInsteadSql} end as open_instead_id,
      exists (select from malfunction_signal signal
        where signal.tenant_id = malfunction.tenant_id
          and signal.cabinet_id = malfunction.cabinet_id and signal.kind = malfunction.kind
          and signal.compartment_no = coalesce(malfunction.compartment_no, 0) and signal.is_active
          and signal.is_told)
      or (malfunction.kind = 'OFFLINE' and malfunction.cabinet_id is not null
        and ${connectivitySql(cabinet)} = 'OFFLINE') as is_still_reported,
      case when cabinet.id is not null then json_build_object(
        'isOnline', ${connectivitySql(cabinet)} = 'ONLINE', 'lifecycle', cabinet.lifecycle, 'side',
        model.side,
        'adminState', comp.admin_state, 'doorFront', comp.door_front, 'doorBack', comp.door_back,
        'orderId', live_order.order_id) end as place
    from malfunction
    join tenant on tenant.id = malfunction.tenant_id ${withPlace}
    left join cabinet_model model on model.id = cabinet.model_id
    left join compartment comp on comp.tenant_id = malfunction.tenant_id
      and comp.cabinet_id = malfunction.cabinet_id
      and comp.no = malfunction.compartment_no
    left join live_order on live_order.tenant_id = malfunction.tenant_id
      and live_order.cabinet_id = malfunction.cabinet_id
      and live_order.compartment_no = malfunction.compartment_no
    where malfunction.id = ${id} and ${isVisible(session)}`);
}

const hasGoodsSql = sql`ord.state in ('STORED', 'OVERDUE', 'PICKING')`;

/** Cabinets of a store outage, those still offline first. */
export function findOutageCabinets(
  db: Db,
  { tenantId, id }: MalfunctionKey,
): Promise<MalfunctionDetail["outage"]> {
  return db.many(sql`
    select outage_cabinet.cabinet_id, cabinet.name, cabinet.sn, outage_cabinet.last_seen_at as gone_at,
      outage_cabinet.back_at, live.orders, live.goods
    from outage_cabinet
    join cabinet on cabinet.tenant_id = outage_cabinet.tenant_id
      and cabinet.id = outage_cabinet.cabinet_id
    cross join lateral (
      select count(*)::int as orders, (count(*) filter (where ${hasGoodsSql}))::int as goods
      from live_order join storage_order ord on ord.tenant_id = live_order.tenant_id
        and ord.id = live_order.order_id
      where live_order.tenant_id = outage_cabinet.tenant_id
        and live_order.cabinet_id = outage_cabinet.cabinet_id) live
    where outage_cabinet.tenant_id = ${tenantId} and outage_cabinet.malfunction_id = ${id}
    order by outage_cabinet.back_at is not null, cabinet.name, outage_cabinet.cabinet_id`);
}

/** Days before a malfunction in which `during` looks for orders; bounds the partitions it reads. */
const LONGEST_STAY_DAYS = 92;

/** Places of a malfunction: its cabinet or compartment, or the cabinets of its outage; `is_down` where it goes on. */
export const affectedPlacesSql = ({ tenantId, id }: MalfunctionKey): Sql => sql`
  select malfunction.cabinet_id, malfunction.compartment_no, true as is_down,
    malfunction.created_at as from_at, ${endSql} as to_at
  from malfunction
  where malfunction.tenant_id = ${tenantId} and malfunction.id = ${id}
    and malfunction.cabinet_id is not null
  union all
  select outage_cabinet.cabinet_id, null, outage_cabinet.back_at is null,
    coalesce(outage_cabinet.last_seen_at, malfunction.created_at),
    coalesce(outage_cabinet.back_at, ${endSql})
  from outage_cabinet
  join malfunction on malfunction.tenant_id = outage_cabinet.tenant_id
    and malfunction.id = outage_cabinet.malfunction_id
  where outage_cabinet.tenant_id = ${tenantId} and outage_cabinet.malfunction_id = ${id}`;

/**
 * Live orders where the malfunction is (people wait for these goods), and all orders that it
 * touched.
 */
export function countAffected(
  db: Db,
  malfunction: MalfunctionKey,
): Promise<MalfunctionDetail["affected"]> {
  const { tenantId } = malfunction;
  return db.one(sql`
    with place as (${affectedPlacesSql(malfunction)})
    select count(distinct place.cabinet_id)::int as cabinets,
      count(live_order.order_id)::int as orders,
      (count(*) filter (where ${hasGoodsSql}))::int as goods, (
        select count(*)::int from place
        join storage_order ord on ord.tenant_id = ${tenantId} and ord.cabinet_id = place.cabinet_id
          and ord.id >= first_order_id(place.from_at - make_interval(days => ${LONGEST_STAY_DAYS}))
          and ord.id < first_order_id(place.to_at + interval '1 second')
          and coalesce(ord.ended_at, 'infinity') >= place.from_at
          and ord.compartment_no = coalesce(place.compartment_no, ord.compartment_no)) as during
    from place
    left join live_order on live_order.tenant_id = ${tenantId}
      and live_order.cabinet_id = place.cabinet_id
      and live_order.compartment_no = coalesce(place.compartment_no, live_order.compartment_no)
    left join storage_order ord on ord.tenant_id = live_order.tenant_id
      and ord.id = live_order.order_id
    where place.is_down`);
}

export interface LockedMalfunction extends MalfunctionKey {
  state: MalfunctionState;
  kind: MalfunctionKind;
  severity: Severity;
  cabinetId: number | null;
  compartmentNo: number | null;
  assigneeId: number | null;
  assigneeName: string;
  isOthers: boolean;
  place: string;
}

/** Locks the visible ones in id order until the transaction ends. */
export function lockMalfunctions(
  db: Db,
  session: Session,
  ids: readonly number[],
): Promise<LockedMalfunction[]> {
  return db.many(sql`
    select malfunction.tenant_id, malfunction.id, malfunction.state, malfunction.kind,
      malfunction.severity, malfunction.cabinet_id, malfunction.compartment_no,
      malfunction.assignee_id, malfunction.assignee_name, ${isOthersSql(session)},
      concat_ws(' ', coalesce(cabinet.name, store.name),
        malfunction.compartment_no || ' 号格口') as place
    from malfunction ${withPlace}
    where malfunction.id = any(${[...ids]}::bigint[]) and ${isVisible(session)}
    order by malfunction.id
    -- Not FOR UPDATE: the notifier locks the alert and inserts a notice that references the row; an
    -- action locks the row and then the alert, so that a stronger lock could deadlock.
    for no key update of malfunction`);
}

/** Place of a malfunction, without a lock. */
export function findPlace(
  db: Db,
  session: Session,
  id: number,
): Promise<{ cabinetId: number | null; compartmentNo: number | null } | null> {
  return db.maybe(sql`
    select malfunction.cabinet_id, malfunction.compartment_no
    from malfunction ${withCabinet}
    where malfunction.id = ${id} and ${isVisible(session)}`);
}

/** Tenants of these malfunctions; those that this account may not see are missing. */
export function findTenantsOf(
  db: Db,
  session: Session,
  ids: readonly number[],
): Promise<{ tenantId: number }[]> {
  return db.many(sql`
    select malfunction.tenant_id from malfunction ${withCabinet}
    where malfunction.id = any(${[...ids]}::bigint[]) and ${isVisible(session)}`);
}

export interface CabinetPlace {
  tenantId: number;
  cabinetName: string;
  hasCompartment: boolean;
  /** The open malfunction of this kind at this place. */
  openId: number | null;
}

/**
 * Locks the cabinet, so that nothing else is opened there concurrently; null if the account may not
 * see it.
 */
export function findCabinetPlace(
  db: Db,
  session: Session,
  at: { cabinetId: number; compartmentNo: number | null; kind: MalfunctionKind },
): Promise<CabinetPlace | null> {
  const no = at.compartmentNo ?? 0;
  return db.maybe(sql`
    select cabinet.tenant_id, cabinet.name as cabinet_name,
      ${no} = 0 or exists (select from compartment comp
        where comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
          and comp.no = ${no})
        as has_compartment, (
      select malfunction.id from malfunction
      where malfunction.tenant_id = cabinet.tenant_id and malfunction.cabinet_id = cabinet.id
        and malfunction.kind = ${at.kind}
        and coalesce(malfunction.compartment_no, 0) = ${no} and ${isOpenSql}) as open_id
    from cabinet
    where cabinet.id = ${at.cabinetId}
      and ${storePredicate(session, sql`cabinet.tenant_id`, sql`cabinet.store_id`)}
    for share of cabinet`);
}

export interface Published {
  tenantId: number;
  /** Start of the latest period, and its end. */
  beganAt: string;
  endedAt: string | null;
  outcome: MalfunctionOutcome | null;
  malfunctionId: number;
  kind: MalfunctionKind;
  severity: Severity;
  state: MalfunctionState;
  cabinetSn: string | null;
  compartmentNo: number | null;
  storeId: number | null;
}

/** Webhook payload of these malfunctions: numbers and states only. */
export function findPublished(db: Db, keys: readonly MalfunctionKey[]): Promise<Published[]> {
  return db.many(sql`
    select malfunction.tenant_id, malfunction.terms_since as began_at,
      coalesce(malfunction.resolved_at, malfunction.closed_at) as ended_at,
      case when ${isOpenSql} then null when malfunction.state = 'IGNORED' then 'FALSE_ALARM'
        when malfunction.merged_into_id is not null then 'MERGED'
        when malfunction.is_recovered then 'RECOVERED' else 'MENDED' end as outcome,
      malfunction.id as malfunction_id, malfunction.kind, malfunction.severity, malfunction.state,
      cabinet.sn as cabinet_sn, malfunction.compartment_no, ${storeColumn} as store_id
    from malfunction ${withCabinet}
    join unnest(${keys.map(({ tenantId }) => tenantId)}::int[],
      ${keys.map(({ id }) => id)}::bigint[]) as input (tenant_id, id)
      on input.tenant_id = malfunction.tenant_id and input.id = malfunction.id
    order by malfunction.tenant_id, malfunction.id`);
}
