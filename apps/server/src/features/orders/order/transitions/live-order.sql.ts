// Working copies of orders: locked with their cabinet, changed in memory, written back whole.
import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type {
  DoorSide,
  DoorState,
  ItemState,
  Size,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { PricingRule, PricingScope } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type {
  OpenPurpose,
  OrderEventKind,
  OrderMoney,
  OrderState,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { isLive, payStatusOf } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import { type Db, type Sql, sql } from "../../../../platform/db/db.ts";
import { occupancyOf } from "./occupancy.rules.ts";

export interface OrderKey {
  tenantId: number;
  orderId: number;
}

/** One report of a cabinet, by its place in the cabinet's sequence. */
export interface Position {
  bootNo: number;
  n: number;
}

export interface CopiedPricing {
  scope: PricingScope;
  rule: PricingRule;
}

export interface LockedOrder extends OrderMoney {
  tenantId: number;
  id: number;
  side: Side;
  cabinetId: number;
  cabinetSn: string;
  storeId: number | null;
  no: number;
  size: Size;
  state: OrderState;
  purpose: OpenPurpose;
  riderId: number | null;
  recipientId: number;
  /** The third party's application that placed the order. */
  appId: number | null;
  thirdPartyNo: string | null;
  pricing: CopiedPricing;
  storedAt: string | null;
  overdueAt: string | null;
  endedAt: string | null;
  userPackageId: number | null;
  exceptionReason: string | null;
  /** Null once the order holds no compartment any more. */
  live: {
    codeHash: Buffer | null;
    depositUntil: string | null;
    /** Null before the goods are in, and again once the order is overdue. */
    overdueAt: string | null;
    openedSide: DoorSide | null;
    openedBootNo: number | null;
    openedN: number | null;
    closedItem: ItemState | null;
    doubtId: string | null;
  } | null;
  /** Null when the layout no longer has this compartment. */
  cell: {
    doorFront: DoorState;
    doorBack: DoorState | null;
    item: ItemState;
    reportedBootNo: number | null;
    reportedN: number | null;
    isOpening: boolean;
  } | null;
  /** A command has settled that the order has not processed yet: its view of the door is incomplete. */
  hasNews: boolean;
  /** Time of the database's clock. */
  now: string;
}

/** True when command `m` has settled in a state that its order has not processed yet. */
export const isUnseen = (m: Sql) => sql`${m}.order_id is not null and ${m}.purpose is not null
  and ${m}.state not in ('QUEUED', 'SENT', 'ACKED') and ${m}.order_seen is distinct from ${m}.state`;

/**
 * Locks an order and everything it touches until the transaction ends, always in the same order (cabinet,
 * compartment, order), which prevents deadlocks. Null when the order does not exist.
 */
export async function lockOrder(
  db: Db,
  { tenantId, orderId }: OrderKey,
): Promise<LockedOrder | null> {
  const place = await db.maybe<{ cabinetId: number; no: number }>(sql`
    select cabinet_id as "cabinetId", compartment_no as no from storage_order
    where tenant_id = ${tenantId} and id = ${orderId}`);
  if (!place) return null;
  const { cabinetId, no } = place;
  // Pipelined; each statement waits for the lock before it, so the last one reads the state after all locks.
  const [, , , order] = await Promise.all([
    db.run(sql`
      select from cabinet where tenant_id = ${tenantId} and id = ${cabinetId}
      for no key update`),
    db.run(sql`
      select from compartment
      where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}
      for no key update`),
    db.run(sql`
      select from storage_order where tenant_id = ${tenantId} and id = ${orderId}
      for no key update`),
    readOrder(db, { tenantId, orderId }),
  ]);
  return order;
}

/** Reads the order without a lock. */
export async function readOrder(
  db: Db,
  { tenantId, orderId }: OrderKey,
): Promise<LockedOrder | null> {
  const row = await db.maybe<LockedOrder & { codeHash: Buffer | null }>(sql`
    select o.tenant_id as "tenantId", o.id, o.side, o.cabinet_id as "cabinetId",
      c.sn as "cabinetSn", o.store_id as "storeId", o.compartment_no as no, o.size, o.state, o.purpose,
      o.rider_id as "riderId", o.recipient_id as "recipientId", o.app_id as "appId",
      o.third_party_no as "thirdPartyNo", o.pricing,
      o.stored_at as "storedAt", o.overdue_at as "overdueAt", o.ended_at as "endedAt",
      o.price_fen as "priceFen", o.covered_fen as "coveredFen", o.waived_fen as "waivedFen",
      o.paid_principal_fen as "paidPrincipalFen", o.paid_bonus_fen as "paidBonusFen",
      o.refunded_principal_fen as "refundedPrincipalFen",
      o.refunded_bonus_fen as "refundedBonusFen", o.user_package_id as "userPackageId",
      o.exception_reason as "exceptionReason", now() as now, l.code_hash as "codeHash",
      exists (select from command m where m.tenant_id = o.tenant_id and m.order_id = o.id
        and ${isUnseen(sql`m`)}) as "hasNews",
      case when l.order_id is not null then jsonb_build_object(
        'depositUntil', l.deposit_until, 'overdueAt', l.overdue_at,
        'openedSide', l.opened_side, 'openedBootNo', l.opened_boot_no, 'openedN', l.opened_n,
        'closedItem', l.closed_item, 'doubtId', l.doubt_id) end as live,
      case when k.no is not null then jsonb_build_object('doorFront', k.door_front,
        'doorBack', k.door_back, 'item', k.item, 'reportedBootNo', k.reported_boot_no,
        'reportedN', k.reported_n, 'isOpening', exists (
          select from command m where m.tenant_id = k.tenant_id
            and m.cabinet_id = k.cabinet_id and m.compartment_no = k.no and m.kind = 'OPEN'
            and m.state in ('QUEUED', 'SENT', 'ACKED'))) end as cell
    from storage_order o
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    left join live_order l on l.tenant_id = o.tenant_id and l.order_id = o.id
    left join compartment k on k.tenant_id = o.tenant_id and k.cabinet_id = o.cabinet_id
      and k.no = o.compartment_no
    where o.tenant_id = ${tenantId} and o.id = ${orderId}`);
  if (!row) return null;
  const { codeHash, live, ...order } = row;
  return { ...order, live: live && { ...live, codeHash } };
}

/** Writes the order, its `live_order` row and the occupancy of its compartment. */
export async function saveOrder(db: Db, order: LockedOrder): Promise<void> {
  const { tenantId, id, cabinetId, no, state, live } = order;
  const occupancy = occupancyOf(state);
  await Promise.all([
    db.run(sql`
      update storage_order set state = ${state}, purpose = ${order.purpose},
        pay_status = ${payStatusOf(order)}, stored_at = ${order.storedAt},
        overdue_at = ${order.overdueAt}, ended_at = ${order.endedAt},
        price_fen = ${order.priceFen}, covered_fen = ${order.coveredFen},
        waived_fen = ${order.waivedFen}, paid_principal_fen = ${order.paidPrincipalFen},
        paid_bonus_fen = ${order.paidBonusFen},
        refunded_principal_fen = ${order.refundedPrincipalFen},
        refunded_bonus_fen = ${order.refundedBonusFen},
        user_package_id = ${order.userPackageId}, exception_reason = ${order.exceptionReason}
      where tenant_id = ${tenantId} and id = ${id}`),
    live &&
      isLive(state) &&
      db.run(sql`
        update live_order set code_hash = ${live.codeHash}, deposit_until = ${live.depositUntil},
          overdue_at = ${live.overdueAt}, opened_side = ${live.openedSide},
          opened_boot_no = ${live.openedBootNo}, opened_n = ${live.openedN},
          closed_item = ${live.closedItem}, doubt_id = ${live.doubtId}
        where tenant_id = ${tenantId} and order_id = ${id}`),
    live &&
      !isLive(state) &&
      db.run(sql`delete from live_order where tenant_id = ${tenantId} and order_id = ${id}`),
    // An order that is not live any more has already freed its compartment.
    live &&
      db.run(sql`
        update compartment set occupancy = ${occupancy},
          occupied_since = case when ${occupancy} = 'OCCUPIED'
            then coalesce(occupied_since, now()) end
        where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}`),
  ]);
}

export interface OrderEvent {
  kind: OrderEventKind;
  actor: Actor;
  fromState?: OrderState | null;
  toState?: OrderState;
  commandId?: string | null;
  detail?: Record<string, unknown>;
}

export async function insertOrderEvent(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  event: OrderEvent,
): Promise<void> {
  const { kind, actor, fromState = null, toState = null, commandId = null, detail = {} } = event;
  await db.run(sql`
    insert into order_event (tenant_id, order_id, kind, from_state, to_state, actor_kind, actor_id,
      actor_name, command_id, detail)
    values (${tenantId}, ${id}, ${kind}, ${fromState}, ${toState}, ${actor.kind}, ${actor.id},
      ${actor.name}, ${commandId}, ${JSON.stringify(detail)})`);
}

/** Id of the live order that this code opens in this cabinet. */
export async function findByCode(
  db: Db,
  { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  codeHash: Buffer,
): Promise<number | null> {
  const found = await db.maybe<{ orderId: number }>(sql`
    select order_id as "orderId" from live_order
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and code_hash = ${codeHash}`);
  return found?.orderId ?? null;
}

/** Live orders that hold these compartments. */
export function findLiveOrders(
  db: Db,
  { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  nos: readonly number[],
): Promise<{ no: number; orderId: number }[]> {
  return db.many(sql`
    select compartment_no as no, order_id as "orderId" from live_order
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId}
      and compartment_no = any(${nos}::int[])
    order by compartment_no`);
}

export interface Notice {
  phone: string;
  place: string;
}

/** Recipient's phone for an order's messages, and the place of its goods in words a person understands. */
export function findNotice(db: Db, { tenantId, id }: LockedOrder): Promise<Notice> {
  return db.one(sql`
    select r.phone, case when starts_with(c.name, s.name) then c.name else concat_ws(' ', s.name, c.name) end as place
    from storage_order o
    join end_user r on r.tenant_id = o.tenant_id and r.id = o.recipient_id
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
    where o.tenant_id = ${tenantId} and o.id = ${id}`);
}

/** Payers of an order, each with the amount paid less the amount refunded. */
export function findPayers(
  db: Db,
  { tenantId, id }: LockedOrder,
): Promise<{ endUserId: number; principalFen: number; bonusFen: number }[]> {
  return db.many(sql`
    select end_user_id as "endUserId", -sum(principal_fen)::bigint as "principalFen",
      -sum(bonus_fen)::bigint as "bonusFen"
    from ledger_journal
    where tenant_id = ${tenantId} and order_id = ${id} and kind in ('PAYMENT', 'PAYMENT_REFUND')
    group by end_user_id
    order by end_user_id`);
}
