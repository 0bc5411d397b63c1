// SQL for a new order: picks its compartment and inserts its rows.

import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { Size } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { type Db, sql } from "../../../../platform/db/db.ts";
import {
  isAvailableSql,
  serviceFactsSql,
  serviceJoinSql,
} from "../../../link/cabinet-condition/index.ts";
import { isConnectedSql } from "../../../link/device/index.ts";
import type { CopiedPricing } from "./live-order.sql.ts";

export interface CabinetForOrder {
  sn: string;
  side: Side;
  storeId: number | null;
  lifecycle: Lifecycle;
  service: { state: ServiceState };
  isTenantOpen: boolean;
  isConnected: boolean;
}

/** Locks the cabinet, so that two concurrent requests for its last compartment are serialized. */
export async function lockCabinetForOrder(
  db: Db,
  tenantId: number,
  cabinetId: number,
): Promise<CabinetForOrder | null> {
  const c = sql`c`;
  const v = sql`v`;
  const [, cabinet] = await Promise.all([
    db.run(sql`
      select from cabinet where tenant_id = ${tenantId} and id = ${cabinetId}
      for no key update`),
    db.maybe<CabinetForOrder>(sql`
      select c.sn, m.side, c.store_id as "storeId", c.lifecycle, ${serviceFactsSql(v)} as service,
        tenant_is_open(t) as "isTenantOpen", ${isConnectedSql(c)} as "isConnected"
      from cabinet c join tenant t on t.id = c.tenant_id
      join cabinet_model m on m.id = c.model_id ${serviceJoinSql(c, v)}
      where c.tenant_id = ${tenantId} and c.id = ${cabinetId}`),
  ]);
  return cabinet;
}

/** First available compartment of this size; in a double-sided cabinet its front door must be reported closed. */
export async function takeCompartment(
  db: Db,
  { tenantId, cabinetId, size }: { tenantId: number; cabinetId: number; size: Size },
): Promise<number | null> {
  const k = sql`k`;
  const found = await db.maybe<{ no: number }>(sql`
    select k.no from compartment k
    where k.tenant_id = ${tenantId} and k.cabinet_id = ${cabinetId} and k.size = ${size}
      and ${isAvailableSql(k)} and (k.door_back is null or k.door_front = 'CLOSED')
      and not exists (select from live_order l
        where l.tenant_id = k.tenant_id and l.cabinet_id = k.cabinet_id
          and l.compartment_no = k.no)
      and not exists (select from command m
        where m.tenant_id = k.tenant_id and m.cabinet_id = k.cabinet_id
          and m.compartment_no = k.no and m.kind = 'OPEN'
          and m.state in ('QUEUED', 'SENT', 'ACKED'))
    order by k.no limit 1
    for no key update of k`);
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

/** Inserts the order and the `live_order` row that holds its compartment. */
export function insertOrder(
  db: Db,
  order: NewOrder,
): Promise<{ orderId: number; depositUntil: string }> {
  const { tenantId, cabinetId, no } = order;
  return db.one(sql`
    with o as (
      insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size,
        rider_id, recipient_id, item_note, app_id, third_party_no, pricing)
      values (${tenantId}, ${order.side}, ${cabinetId}, ${order.storeId}, ${no}, ${order.size},
        ${order.riderId}, ${order.recipientId}, ${order.itemNote}, ${order.appId},
        ${order.thirdPartyNo}, ${JSON.stringify(order.pricing)})
      returning id
    ), k as (
      update compartment set occupancy = 'RESERVED', occupied_since = null
      where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}
    )
    insert into live_order (tenant_id, cabinet_id, compartment_no, order_id, deposit_until)
    select ${tenantId}, ${cabinetId}, ${no}, o.id,
      now() + make_interval(mins => ${order.depositMinutes})
    from o
    returning order_id as "orderId", deposit_until as "depositUntil"`);
}

/** Existing people among these ids, locked FOR KEY SHARE so that they cannot be deleted meanwhile. */
export function findPeople(
  db: Db,
  tenantId: number,
  ids: readonly number[],
): Promise<{ id: number; isLocked: boolean }[]> {
  return db.many(sql`
    select u.id, is_locked(u) as "isLocked" from end_user u
    where u.tenant_id = ${tenantId} and u.id = any(${ids}::bigint[]) and u.deleted_at is null
    order by u.id
    for key share of u`);
}

/** Number of deposits of the last day that this person began and neither finished nor cancelled. */
export async function countUnfinished(db: Db, tenantId: number, riderId: number): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from storage_order o
    join live_order l on l.tenant_id = o.tenant_id and l.order_id = o.id
    where o.tenant_id = ${tenantId} and coalesce(o.rider_id, o.recipient_id) = ${riderId}
      and (o.rider_id = ${riderId} or o.recipient_id = ${riderId})
      and o.id >= first_order_id(now() - interval '1 day')
      and o.state in ('PENDING', 'DEPOSITING')`);
  return n;
}
