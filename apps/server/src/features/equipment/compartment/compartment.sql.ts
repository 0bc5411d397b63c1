// SQL for compartments: current state, history, and changes under lock.

import type { LayoutCell } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import type {
  CompartmentEvent,
  CompartmentOrder,
} from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type {
  AdminState,
  CompartmentAxes,
  DoorSide,
  ItemState,
  Occupancy,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Connectivity, Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import type { CompartmentAction, CompartmentActionKind } from "../../fleet/cabinet-event/index.ts";
import { serviceFactsSql, serviceJoinSql } from "../../link/cabinet-condition/index.ts";
import { connectivitySql } from "../../link/device/index.ts";

const c = sql`c`;

export interface CabinetWithSn {
  tenantId: number;
  cabinetId: number;
  sn: string;
}

/**
 * Locks the cabinet until the transaction ends, so that no order starts or moves on there; null
 * when this account may not see it.
 */
export function lockCabinet(
  db: Db,
  session: Session,
  cabinetId: number,
): Promise<CabinetWithSn | null> {
  return db.maybe(sql`
    select c.tenant_id as "tenantId", c.id as "cabinetId", c.sn from cabinet c
    where c.id = ${cabinetId} and ${cabinetPredicate(session, c)}
    for no key update of c`);
}

/** The facts that decide whether the cabinet takes new orders; null as for `lockCabinet`. */
export function findServicedCabinet(
  db: Db,
  session: Session,
  cabinetId: number,
): Promise<{
  lifecycle: Lifecycle;
  connectivity: Connectivity;
  service: { state: ServiceState };
} | null> {
  const v = sql`v`;
  return db.maybe(sql`
    select c.lifecycle, ${connectivitySql(c)} as connectivity, ${serviceFactsSql(v)} as service
    from cabinet c ${serviceJoinSql(c, v)}
    where c.id = ${cabinetId} and ${cabinetPredicate(session, c)}`);
}

export interface CompartmentRow extends CompartmentAxes, LayoutCell {
  adminReason: string | null;
  occupiedSince: string | null;
  order: CompartmentOrder | null;
}

export function findCompartments(
  db: Db,
  session: Session,
  cabinetId: number,
): Promise<CompartmentRow[]> {
  return db.many(sql`
    select k.no, k.size, k.layout_column as "column", k.layout_row as "row",
      k.row_span as "rowSpan", k.board_address as "boardAddress",
      k.admin_state as "adminState", k.admin_reason as "adminReason",
      k.occupancy, k.occupied_since as "occupiedSince",
      k.door_front as "doorFront", k.door_back as "doorBack", k.item,
      case when l.order_id is not null then jsonb_build_object('id', o.id, 'state', o.state,
        'recipientPhone', r.phone, 'createdAt', o.created_at, 'storedAt', o.stored_at,
        'depositUntil', l.deposit_until, 'overdueAt', o.overdue_at,
        'isInDoubt', l.doubt_id is not null) end as "order"
    from cabinet c
    join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
    left join live_order l on l.tenant_id = k.tenant_id and l.cabinet_id = k.cabinet_id
      and l.compartment_no = k.no
    left join storage_order o on o.tenant_id = l.tenant_id and o.id = l.order_id
    left join end_user r on r.tenant_id = o.tenant_id and r.id = o.recipient_id
    where c.id = ${cabinetId} and ${cabinetPredicate(session, c)}
    order by k.no`);
}

export type EventRow = Omit<CompartmentEvent, "text"> & {
  side: DoorSide | null;
  isDoubleSided: boolean;
  payload: Record<string, unknown> | null;
  openedBy: string | null;
  openedFor: string | null;
};

const RECENT_EVENTS = 50;

/** Newest first; null when there is no such compartment visible to this account. */
export async function findCompartmentEvents(
  db: Db,
  session: Session,
  cabinetId: number,
  no: number,
): Promise<EventRow[] | null> {
  const [compartment, events] = await Promise.all([
    db.maybe<object>(sql`
      select 1 from cabinet c
      join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
      where c.id = ${cabinetId} and k.no = ${no} and ${cabinetPredicate(session, c)}`),
    db.many<EventRow>(sql`
      select e.id, e.kind, e.compartment_no as "no", e.side, e.device_at as "deviceAt",
        e.received_at as "receivedAt", e.payload, m.side = 'DOUBLE' as "isDoubleSided",
        d.actor_name as "openedBy", d.reason as "openedFor"
      from cabinet c
      join cabinet_model m on m.id = c.model_id
      join cabinet_event e on e.tenant_id = c.tenant_id and e.cabinet_id = c.id
      left join command d on d.tenant_id = e.tenant_id and d.id = e.command_id
      where c.id = ${cabinetId} and e.compartment_no = ${no} and ${cabinetPredicate(session, c)}
      order by e.received_at desc, e.id desc
      limit ${RECENT_EVENTS}`),
  ]);
  return compartment && events;
}

export interface LockedCompartment extends CabinetWithSn {
  no: number;
  adminState: AdminState;
  adminReason: string | null;
  occupancy: Occupancy;
  item: ItemState;
}

/** The visible ones of `nos`, locked until the transaction ends. */
export function lockCompartments(
  db: Db,
  session: Session,
  cabinetId: number,
  nos: number[],
): Promise<LockedCompartment[]> {
  return db.many(sql`
    select c.tenant_id as "tenantId", c.id as "cabinetId", c.sn, k.no,
      k.admin_state as "adminState", k.admin_reason as "adminReason", k.occupancy, k.item
    from cabinet c
    join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
    where c.id = ${cabinetId} and k.no = any(${nos}) and ${cabinetPredicate(session, c)}
    order by k.no
    for no key update of k`);
}

export async function updateAdminState(
  db: Db,
  { tenantId, cabinetId, no }: LockedCompartment,
  state: AdminState,
  reason: string | null,
): Promise<void> {
  await db.run(sql`
    update compartment set admin_state = ${state}, admin_reason = ${reason}
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}`);
}

export interface Correction {
  no: number;
  occupancy: Occupancy;
  item: ItemState;
}

/** A person's finding overrides records and sensor, until the sensor's next report. */
export async function correctCompartments(
  db: Db,
  { tenantId, cabinetId }: CabinetWithSn,
  corrections: Correction[],
): Promise<void> {
  await db.run(sql`
    update compartment k set occupancy = v.occupancy, item = v.item,
      occupied_since = case when v.occupancy <> 'OCCUPIED' then null
        else coalesce(k.occupied_since, now()) end
    from unnest(${corrections.map(({ no }) => no)}::int[],
      ${corrections.map(({ occupancy }) => occupancy)}::text[],
      ${corrections.map(({ item }) => item)}::text[]) as v (no, occupancy, item)
    where k.tenant_id = ${tenantId} and k.cabinet_id = ${cabinetId} and k.no = v.no`);
}

/** Records a person's action in the history of these compartments. */
export async function insertActions(
  db: Db,
  { tenantId, cabinetId }: CabinetWithSn,
  kind: CompartmentActionKind,
  actions: { no: number; payload: CompartmentAction }[],
): Promise<void> {
  await db.run(sql`
    insert into cabinet_event (tenant_id, cabinet_id, kind, compartment_no, payload)
    select ${tenantId}, ${cabinetId}, ${kind}, no, payload::jsonb
    from unnest(${actions.map(({ no }) => no)}::int[],
      ${actions.map(({ payload }) => JSON.stringify(payload))}::text[]) as v (no, payload)`);
}

export async function insertStockAudit(
  db: Db,
  { tenantId, cabinetId }: CabinetWithSn,
  session: Session,
  findings: unknown,
): Promise<void> {
  await db.run(sql`
    insert into stock_audit (tenant_id, cabinet_id, actor_id, actor_name, findings)
    values (${tenantId}, ${cabinetId}, ${session.operatorId}, ${session.displayName},
      ${JSON.stringify(findings)})`);
}
