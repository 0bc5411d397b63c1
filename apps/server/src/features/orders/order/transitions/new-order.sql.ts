// SQL for a new order: picks its compartment and inserts its rows.

import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  type CopiedPricing,
  copyOfPricing,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import {
  isAvailableSql,
  serviceFactsSql,
  serviceJoinSql,
} from "../../../link/cabinet-condition/index.ts";
import {
  isConnectedSql,
  isIdentitySharedSql,
  updateOccupancy,
} from "../../../link/device/index.ts";
import { isForcedSql } from "../../../operations/malfunction/index.ts";
import { provenFromSql } from "./live-order.sql.ts";

export interface CabinetForOrder {
  sn: string;
  side: Side;
  storeId: number | null;
  lifecycle: Lifecycle;
  service: { state: ServiceState };
  isTenantOpen: boolean;
  isOnline: boolean;
  /** Time that the order will have begun at. */
  now: string;
}

/** Locks the cabinet, so that two concurrent requests for its last compartment are serialized. */
export async function lockCabinetForOrder(
  db: Db,
  tenantId: number,
  cabinetId: number,
): Promise<CabinetForOrder | null> {
  const cabinetAlias = sql`cabinet`;
  const service = sql`service`;
  const [, cabinet] = await Promise.all([
    db.run(sql`
      select from cabinet where tenant_id = ${tenantId} and id = ${cabinetId}
      for no key update`),
    db.maybe<CabinetForOrder>(sql`
      select cabinet.sn, model.side, cabinet.store_id, cabinet.lifecycle,
        ${serviceFactsSql(service)} as service, tenant_is_open(tenant) as is_tenant_open,
        ${isConnectedSql(cabinetAlias)} as is_online, now() as now
      from cabinet join tenant on tenant.id = cabinet.tenant_id
      join cabinet_model model on model.id = cabinet.model_id ${serviceJoinSql(cabinetAlias, service)}
      where cabinet.tenant_id = ${tenantId} and cabinet.id = ${cabinetId}`),
  ]);
  return cabinet;
}

/** Longer than any command can have an effect; limits how many the search reads. */
const RECENT = sql`interval '5 minutes'`;

/**
 * First available compartment of this size, one whose item sensor works before others; in a double-sided cabinet its front
 * door must be reported closed. None while two cabinets share the identity: goods may lie where a door of the other
 * was closed. A compartment whose door may still open by an earlier command, such as one that stuck, waits until then.
 * was closed. Nor one without item sensor that opened without a command: somebody has to look inside.
 */
export async function takeCompartment(
  db: Db,
  { tenantId, cabinetId, size }: { tenantId: number; cabinetId: number; size: Size },
): Promise<number | null> {
  const comp = sql`comp`;
  const found = await db.maybe<{ no: number }>(sql`
    select comp.no from compartment comp
    join cabinet on cabinet.tenant_id = comp.tenant_id and cabinet.id = comp.cabinet_id
    where comp.tenant_id = ${tenantId} and comp.cabinet_id = ${cabinetId} and comp.size = ${size}
      and not ${isIdentitySharedSql(sql`cabinet`)}
      and not (comp.item = 'UNKNOWN' and ${isForcedSql(comp)})
      and ${isAvailableSql(comp)} and (comp.door_back is null or comp.door_front = 'CLOSED')
      and not exists (select from live_order
        where live_order.tenant_id = comp.tenant_id and live_order.cabinet_id = comp.cabinet_id
          and live_order.compartment_no = comp.no)
      and not exists (select from command
        where command.tenant_id = comp.tenant_id and command.cabinet_id = comp.cabinet_id
          and command.compartment_no = comp.no and command.kind = 'OPEN'
          and command.state in ('QUEUED', 'SENT', 'ACKED'))
      and not exists (select from command
        where command.tenant_id = comp.tenant_id and command.cabinet_id = comp.cabinet_id
          and command.created_at > now() - ${RECENT} and command.compartment_no = comp.no
          and command.state in ('UNKNOWN', 'NOT_CONFIRMED')
          and ${provenFromSql(sql`command`)} > now())
    order by comp.item = 'UNKNOWN', comp.no limit 1
    for no key update of comp`);
  return found?.no ?? null;
}

export interface NewOrder {
  tenantId: number;
  cabinetId: number;
  storeId: number | null;
  side: Side;
  no: number;
  size: Size;
  riderId: number | null;
  recipientId: number;
  itemNote: string;
  /** The third party's application and its own order number. */
  appId: number | null;
  thirdPartyNo: string | null;
  pricing: CopiedPricing;
  depositMinutes: number;
}

interface InsertedOrder {
  orderId: number;
  depositUntil: string;
}

/** Inserts the order and the `live_order` row that holds its compartment, which becomes RESERVED. */
export async function insertOrder(db: Db, order: NewOrder): Promise<InsertedOrder> {
  const { tenantId, cabinetId, no } = order;
  const [inserted] = await Promise.all([
    db.one<InsertedOrder>(sql`
      with ord as (
        insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size,
          rider_id, recipient_id, item_note, app_id, third_party_no, pricing)
        values (${tenantId}, ${order.side}, ${cabinetId}, ${order.storeId}, ${no}, ${order.size},
          ${order.riderId}, ${order.recipientId}, ${order.itemNote}, ${order.appId},
          ${order.thirdPartyNo}, ${copyOfPricing(order.pricing)})
        returning id
      )
      insert into live_order (tenant_id, cabinet_id, compartment_no, order_id, deposit_until)
      select ${tenantId}, ${cabinetId}, ${no}, ord.id,
        now() + make_interval(mins => ${order.depositMinutes})
      from ord
      returning order_id, deposit_until`),
    updateOccupancy(db, { tenantId, cabinetId, no }, "RESERVED"),
  ]);
  return inserted;
}

/** Existing people among these ids, locked FOR KEY SHARE so that they cannot be deleted meanwhile. */
export function findPeople(
  db: Db,
  tenantId: number,
  ids: readonly number[],
): Promise<{ id: number; isLocked: boolean }[]> {
  return db.many(sql`
    select end_user.id, is_locked(end_user) as is_locked from end_user
    where end_user.tenant_id = ${tenantId} and end_user.id = any(${ids}::bigint[])
      and end_user.deleted_at is null
    order by end_user.id
    for key share of end_user`);
}

/**
 * Holds a compartment and was never stored. One whose door was opened and left open runs out as an exception, which keeps its
 * compartment until staff have looked.
 */
const isReservingSql = sql`(ord.state in ('PENDING', 'DEPOSITING')
  or ord.state = 'EXCEPTION' and ord.stored_at is null)`;

/**
 * Reservations of an application in a cabinet, and the cabinet's compartments of this size. Exact under the lock of `lockCabinetForOrder`.
 */
export function countReserved(
  db: Db,
  of: { tenantId: number; cabinetId: number; size: Size; appId: number },
): Promise<{ reserved: number; total: number }> {
  return db.one(sql`
    select count(*)::int as total,
      (count(*) filter (where ord.app_id = ${of.appId} and ${isReservingSql}))::int as reserved
    from compartment comp
    left join live_order on live_order.tenant_id = comp.tenant_id
      and live_order.cabinet_id = comp.cabinet_id and live_order.compartment_no = comp.no
    left join storage_order ord on ord.tenant_id = live_order.tenant_id
      and ord.id = live_order.order_id
    where comp.tenant_id = ${of.tenantId} and comp.cabinet_id = ${of.cabinetId}
      and comp.size = ${of.size}`);
}

/** Number of deposits of the last day that this person began and neither finished nor cancelled, those that ran out included. */
export async function countUnfinished(db: Db, tenantId: number, riderId: number): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from storage_order ord
    join live_order on live_order.tenant_id = ord.tenant_id and live_order.order_id = ord.id
    where ord.tenant_id = ${tenantId} and coalesce(ord.rider_id, ord.recipient_id) = ${riderId}
      and (ord.rider_id = ${riderId} or ord.recipient_id = ${riderId})
      and ord.id >= first_order_id(now() - interval '1 day')
      and ${isReservingSql}`);
  return n;
}
