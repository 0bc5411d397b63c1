// SQL for compartments: current state, history, and changes under lock.

import type { LayoutCell } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import type {
  CompartmentEvent,
  CompartmentOrder,
} from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CompartmentAxes } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Connectivity, Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type {
  AdminState,
  DoorSide,
  ItemState,
  Occupancy,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import type { CompartmentAction, CompartmentActionKind } from "../../fleet/cabinet-event/index.ts";
import { serviceFactsSql, serviceJoinSql } from "../../link/cabinet-condition/index.ts";
import { connectivitySql, insertEvents } from "../../link/device/index.ts";

const cabinet = sql`cabinet`;

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
    select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.sn from cabinet
    where cabinet.id = ${cabinetId} and ${cabinetPredicate(session, cabinet)}
    for no key update of cabinet`);
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
  const input = sql`input`;
  return db.maybe(sql`
    select cabinet.lifecycle, ${connectivitySql(cabinet)} as connectivity, ${serviceFactsSql(input)} as service
    from cabinet ${serviceJoinSql(cabinet, input)}
    where cabinet.id = ${cabinetId} and ${cabinetPredicate(session, cabinet)}`);
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
    select comp.no, comp.size, comp.layout_column as "column", comp.layout_row as "row",
      comp.row_span, comp.board_address, comp.admin_state, comp.admin_reason, comp.occupancy,
      comp.occupied_since, comp.door_front, comp.door_back, comp.item,
      case when live_order.order_id is not null
        then jsonb_build_object('id', ord.id, 'state', ord.state,
        'recipientPhone', end_user.phone, 'createdAt', ord.created_at, 'storedAt', ord.stored_at,
        'depositUntil', live_order.deposit_until, 'overdueAt', ord.overdue_at,
        'isInDoubt', live_order.doubt_id is not null) end as "order"
    from cabinet
    join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
    left join live_order on live_order.tenant_id = comp.tenant_id
      and live_order.cabinet_id = comp.cabinet_id
      and live_order.compartment_no = comp.no
    left join storage_order ord on ord.tenant_id = live_order.tenant_id
      and ord.id = live_order.order_id
    left join end_user on end_user.tenant_id = ord.tenant_id and end_user.id = ord.recipient_id
    where cabinet.id = ${cabinetId} and ${cabinetPredicate(session, cabinet)}
    order by comp.no`);
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
      select 1 from cabinet
      join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
      where cabinet.id = ${cabinetId} and comp.no = ${no} and ${cabinetPredicate(session, cabinet)}`),
    db.many<EventRow>(sql`
      select cabinet_event.id, cabinet_event.kind, cabinet_event.compartment_no as "no",
        cabinet_event.side, cabinet_event.device_at, cabinet_event.received_at,
        cabinet_event.payload, model.side = 'DOUBLE' as is_double_sided,
        command.actor_name as opened_by, command.reason as opened_for
      from cabinet
      join cabinet_model model on model.id = cabinet.model_id
      join cabinet_event on cabinet_event.tenant_id = cabinet.tenant_id
        and cabinet_event.cabinet_id = cabinet.id
      left join command on command.tenant_id = cabinet_event.tenant_id
        and command.id = cabinet_event.command_id
      where cabinet.id = ${cabinetId} and cabinet_event.compartment_no = ${no} and ${cabinetPredicate(session, cabinet)}
      order by cabinet_event.received_at desc, cabinet_event.id desc
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
    select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.sn, comp.no, comp.admin_state,
      comp.admin_reason, comp.occupancy, comp.item
    from cabinet
    join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
    where cabinet.id = ${cabinetId} and comp.no = any(${nos}) and ${cabinetPredicate(session, cabinet)}
    order by comp.no
    for no key update of comp`);
}

/** Records a person's action in the history of these compartments. */
export async function insertActions(
  db: Db,
  { tenantId, cabinetId }: CabinetWithSn,
  kind: CompartmentActionKind,
  actions: { no: number; payload: CompartmentAction }[],
): Promise<void> {
  await insertEvents(
    db,
    sql`
      select ${tenantId}::int, ${cabinetId}::bigint, ${kind}, no, payload::jsonb
      from unnest(${actions.map(({ no }) => no)}::int[],
        ${actions.map(({ payload }) => JSON.stringify(payload))}::text[]) as input (no, payload)`,
  );
}

export async function insertStockAudit(
  db: Db,
  { tenantId, cabinetId }: CabinetWithSn,
  session: Session,
  findings: unknown,
): Promise<void> {
  await db.run(sql`
    insert into stock_audit (tenant_id, cabinet_id, actor_id, actor_name, findings)
    values (${tenantId}, ${cabinetId}, ${session.operatorId}, ${session.signature},
      ${JSON.stringify(findings)})`);
}
