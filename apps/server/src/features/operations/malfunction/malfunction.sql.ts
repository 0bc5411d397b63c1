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
  MalfunctionKind,
  MalfunctionState,
  Severity,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { isOpenSql, type MalfunctionKey, openInsteadSql } from "./malfunction-progress.sql.ts";

const withCabinet = sql`
  left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id`;
const storeColumn = sql`coalesce(m.store_id, c.store_id)`;
const withPlace = sql`${withCabinet}
  left join store s on s.tenant_id = m.tenant_id and s.id = ${storeColumn}`;

const isVisible = (session: Session, tenantId?: number) =>
  storePredicate(session, sql`m.tenant_id`, storeColumn, tenantId);

/** An outage of a store counts once, however many cabinets it took down. */
export async function countMalfunctions(
  db: Db,
  session: Session,
  { status, tenantId }: { status?: MalfunctionState; tenantId?: number },
): Promise<number> {
  const isInState = status ? sql`m.state = ${status}` : sql`true`;
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from malfunction m ${withCabinet}
    where ${isInState} and ${isVisible(session, tenantId)}`);
  return n;
}

/** Same rule as `dueAt`. */
const dueSql = sql`(case when not ${isOpenSql} then null
  when m.accepted_at is null then m.respond_by else m.resolve_by end)`;
const isOverdueSql = sql`coalesce(${dueSql} < now(), false)`;

const isOthersSql = ({ operatorId }: Session) =>
  sql`coalesce(m.assignee_id <> ${operatorId}, false) as "isOthers"`;

const columns = (session: Session) => sql`
  m.id, m.tenant_id as "tenantId", t.name as "tenantName", m.kind, m.severity, m.state, m.source,
  m.cabinet_id as "cabinetId", c.sn as "cabinetSn", c.name as "cabinetName",
  m.compartment_no as "compartmentNo", s.id as "storeId", s.name as "storeName", m.description,
  m.repeat_count as "repeatCount", m.reporter_name as "reporterName",
  m.assignee_id as "assigneeId", m.assignee_name as "assigneeName", m.created_at as "createdAt",
  m.last_at as "lastAt", m.respond_by as "respondBy", m.resolve_by as "resolveBy",
  m.accepted_at as "acceptedAt", m.resolved_at as "resolvedAt", m.closed_at as "closedAt",
  ${isOverdueSql} as "isOverdue", ${isOthersSql(session)}, m.cause, m.measure`;

const severityRank = sql`array_position(array['SEVERE', 'URGENT', 'NORMAL', 'MINOR'], m.severity)`;
const sortColumns = {
  createdAt: sql`m.created_at`,
  lastAt: sql`m.last_at`,
  severity: severityRank,
  due: dueSql,
};
const directions = { asc: sql`asc`, desc: sql`desc` };
/** Open ones by severity, outages of a whole store before single cabinets; then by due date. */
const prioritySql = sql`(case when ${isOpenSql} then ${severityRank} end) nulls last,
  (case when ${isOpenSql} then m.store_id is null end), ${dueSql} nulls last`;

export type MalfunctionQuery = Input<typeof malfunctionContract.list>["query"];
type Filters = Omit<MalfunctionQuery, "page" | "pageSize" | "sort" | "order" | "state">;

function assigneeSql({ operatorId }: Session, assignee: string | undefined): Sql {
  if (assignee === undefined) return sql`true`;
  if (assignee === "none") return sql`m.assignee_id is null`;
  return sql`m.assignee_id = ${assignee === "mine" ? operatorId : Number(assignee)}`;
}

function matching(session: Session, filters: Filters): Sql {
  const { keyword, kind, severity, assignee, isOverdue, cabinetId, compartmentNo } = filters;
  const { storeId, from, to, tenantId } = filters;
  const conditions = [isVisible(session, tenantId)];
  if (keyword?.trim()) {
    const pattern = contains(keyword);
    conditions.push(sql`(c.sn ilike ${pattern} or c.name ilike ${pattern} or exists (
      select from store o where o.tenant_id = m.tenant_id and o.id = m.store_id
        and o.name ilike ${pattern}))`);
  }
  if (kind) conditions.push(sql`m.kind = ${kind}`);
  if (severity) conditions.push(sql`m.severity = ${severity}`);
  if (assignee) conditions.push(assigneeSql(session, assignee));
  if (isOverdue !== undefined) conditions.push(sql`${isOverdueSql} = ${isOverdue}`);
  // The outage of its store counts as a malfunction of the cabinet, too.
  if (cabinetId) {
    conditions.push(sql`(m.cabinet_id = ${cabinetId} or exists (
      select from outage_cabinet o where o.tenant_id = m.tenant_id and o.malfunction_id = m.id
        and o.cabinet_id = ${cabinetId}))`);
  }
  if (compartmentNo) conditions.push(sql`m.compartment_no = ${compartmentNo}`);
  if (storeId) conditions.push(sql`${storeColumn} = ${storeId}`);
  if (from) conditions.push(sql`m.created_at >= ${from}`);
  if (to) conditions.push(sql`m.created_at <= ${to}`);
  return join(conditions, " and ");
}

/** Sorted by priority unless a column is chosen; ties, and all that are closed, newest first. */
export function findMalfunctions(
  db: Db,
  session: Session,
  { state, ...query }: MalfunctionQuery,
): Promise<Page<Malfunction>> {
  const { sort, order = sort === "severity" || sort === "due" ? "asc" : "desc" } = query;
  const isInState = state === "OPEN" ? isOpenSql : state ? sql`m.state = ${state}` : sql`true`;
  const matched = sql`from malfunction m ${withCabinet}
    where ${isInState} and ${matching(session, query)}`;
  const first = sort ? sql`${sortColumns[sort]} ${directions[order]} nulls last` : prioritySql;
  const by = sql`${first}, m.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns(session)}
      from (select m.* ${matched} order by ${by} ${pageLimits(query)}) m
      join tenant t on t.id = m.tenant_id ${withPlace}
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
    sql`(count(*) filter (where m.state = ${state} and ${isTheirs}))::int`;
  return db.one(sql`
    select ${count("CREATED")} as "CREATED", ${count("ASSIGNED")} as "ASSIGNED",
      ${count("PROCESSING")} as "PROCESSING", ${count("RESOLVED")} as "RESOLVED",
      (count(*) filter (where ${isOverdueSql} and ${isTheirs}))::int as overdue,
      (count(*) filter (where ${isOpenSql} and ${assigneeSql(session, "mine")}))::int as mine
    from malfunction m ${withCabinet}
    where m.state in ('CREATED', 'ASSIGNED', 'PROCESSING', 'RESOLVED')
      and ${matching(session, query)}`);
}

type DetailRow = Omit<MalfunctionDetail, "timeline" | "outage">;

const c = sql`c`;

/** Null if it does not exist or this account may not see it. */
export function findMalfunction(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns(session)}, s.address as "storeAddress", s.longitude, s.latitude,
      m.merged_into_id as "mergedIntoId",
      case when not ${isOpenSql} then ${openInsteadSql} end as "openInsteadId",
      exists (select from malfunction_signal g
        where g.tenant_id = m.tenant_id and g.cabinet_id = m.cabinet_id and g.kind = m.kind
          and g.compartment_no = coalesce(m.compartment_no, 0) and g.is_active and g.is_told)
      or (m.kind = 'OFFLINE' and m.cabinet_id is not null
        and ${connectivitySql(c)} = 'OFFLINE') as "isStillReported",
      case when c.id is not null then json_build_object(
        'isOnline', ${connectivitySql(c)} = 'ONLINE', 'lifecycle', c.lifecycle, 'side', d.side,
        'adminState', k.admin_state, 'doorFront', k.door_front, 'doorBack', k.door_back,
        'orderId', l.order_id) end as place
    from malfunction m
    join tenant t on t.id = m.tenant_id ${withPlace}
    left join cabinet_model d on d.id = c.model_id
    left join compartment k on k.tenant_id = m.tenant_id and k.cabinet_id = m.cabinet_id
      and k.no = m.compartment_no
    left join live_order l on l.tenant_id = m.tenant_id and l.cabinet_id = m.cabinet_id
      and l.compartment_no = m.compartment_no
    where m.id = ${id} and ${isVisible(session)}`);
}

/** Cabinets of a store outage, those still offline first. */
export function findOutageCabinets(
  db: Db,
  { tenantId, id }: MalfunctionKey,
): Promise<MalfunctionDetail["outage"]> {
  return db.many(sql`
    select o.cabinet_id as "cabinetId", c.name, c.sn, o.back_at as "backAt"
    from outage_cabinet o
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    where o.tenant_id = ${tenantId} and o.malfunction_id = ${id}
    order by o.back_at is not null, c.name, o.cabinet_id`);
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
    select m.tenant_id as "tenantId", m.id, m.state, m.kind, m.severity,
      m.cabinet_id as "cabinetId", m.compartment_no as "compartmentNo",
      m.assignee_id as "assigneeId", m.assignee_name as "assigneeName", ${isOthersSql(session)},
      concat_ws(' ', coalesce(c.name, s.name), m.compartment_no || ' 号格口') as place
    from malfunction m ${withPlace}
    where m.id = any(${[...ids]}::bigint[]) and ${isVisible(session)}
    order by m.id
    -- Not FOR UPDATE: the notifier locks the alert and inserts a notice that references m; an action
    -- locks m and then the alert, so that a stronger lock could deadlock.
    for no key update of m`);
}

/** Place of a malfunction, without a lock. */
export function findPlace(
  db: Db,
  session: Session,
  id: number,
): Promise<{ cabinetId: number | null; compartmentNo: number | null } | null> {
  return db.maybe(sql`
    select m.cabinet_id as "cabinetId", m.compartment_no as "compartmentNo"
    from malfunction m ${withCabinet}
    where m.id = ${id} and ${isVisible(session)}`);
}

/** Tenants of these malfunctions; those that this account may not see are missing. */
export function findTenantsOf(
  db: Db,
  session: Session,
  ids: readonly number[],
): Promise<{ tenantId: number }[]> {
  return db.many(sql`
    select m.tenant_id as "tenantId" from malfunction m ${withCabinet}
    where m.id = any(${[...ids]}::bigint[]) and ${isVisible(session)}`);
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
    select c.tenant_id as "tenantId", c.name as "cabinetName",
      ${no} = 0 or exists (select from compartment k
        where k.tenant_id = c.tenant_id and k.cabinet_id = c.id and k.no = ${no})
        as "hasCompartment", (
      select m.id from malfunction m
      where m.tenant_id = c.tenant_id and m.cabinet_id = c.id and m.kind = ${at.kind}
        and coalesce(m.compartment_no, 0) = ${no} and ${isOpenSql}) as "openId"
    from cabinet c
    where c.id = ${at.cabinetId}
      and ${storePredicate(session, sql`c.tenant_id`, sql`c.store_id`)}
    for share of c`);
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
    select m.tenant_id as "tenantId", m.terms_since as "beganAt",
      coalesce(m.resolved_at, m.closed_at) as "endedAt",
      case when ${isOpenSql} then null when m.state = 'IGNORED' then 'FALSE_ALARM'
        when m.merged_into_id is not null then 'MERGED'
        when m.is_recovered then 'RECOVERED' else 'MENDED' end as outcome,
      m.id as "malfunctionId", m.kind, m.severity, m.state, c.sn as "cabinetSn", m.compartment_no as "compartmentNo",
      ${storeColumn} as "storeId"
    from malfunction m ${withCabinet}
    join unnest(${keys.map(({ tenantId }) => tenantId)}::int[],
      ${keys.map(({ id }) => id)}::bigint[]) as k (tenant_id, id)
      on k.tenant_id = m.tenant_id and k.id = m.id
    order by m.tenant_id, m.id`);
}
