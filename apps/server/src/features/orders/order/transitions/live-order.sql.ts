// Working copies of orders: locked with their cabinet, changed in memory, written back whole.
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import { type CopiedPricing, pricingOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { OpenPurpose, OrderEventKind } from "@cabinet/contract/orders/order/order.rules.ts";
import { isLive, payStatusOf } from "@cabinet/contract/orders/order/order.rules.ts";
import type {
  DoorSide,
  DoorState,
  ItemState,
  Size,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import { OPENS_WITHIN_SECONDS } from "../../../fleet/command/index.ts";
import { isIdentitySharedSql, lineSql, updateOccupancy } from "../../../link/device/index.ts";
import { findHoldOfOrder } from "../../../money/ledger/index.ts";
import type { OrderAccount } from "../money/settle.rules.ts";
import { chargeableMinutesSql } from "../read/order-list.sql.ts";
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

export interface LockedOrder {
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
  /** Only `settleOrder` changes it. */
  account: OrderAccount;
  /** Minutes to charge up to now; null before the goods are in. */
  chargeableMinutes: number | null;
  storedAt: string | null;
  overdueAt: string | null;
  endedAt: string | null;
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
    /** State of the opening in doubt, as read. */
    doubtState: CommandState | null;
    /** The sensors' values are later than anything that the opening in doubt can have caused. */
    isDoubtProven: boolean;
    /** The door opened without a command while goods were inside. */
    forcedAt: string | null;
  } | null;
  /** Null when the layout no longer has this compartment. */
  cell: {
    doorFront: DoorState;
    doorBack: DoorState | null;
    item: ItemState;
    reportedBootNo: number | null;
    reportedN: number | null;
    /** Start of the cabinet that last showed goods. */
    presentBootNo: number | null;
    isOpening: boolean;
  } | null;
  /** A command has settled that the order has not processed yet: its view of the door is incomplete. */
  hasNews: boolean;
  /** First epoch and start since which the reports are provably one cabinet's. */
  lineEpoch: number;
  lineBootNo: number;
  /** Two cabinets may report under this one's identity. */
  isIdentityShared: boolean;
  /** Time of the database's clock. */
  now: string;
}

/** True when the command has settled in a state that its order has not processed yet. */
export const isUnseen = (
  command: Sql,
) => sql`${command}.order_id is not null and ${command}.purpose is not null
  and ${command}.state not in ('QUEUED', 'SENT', 'ACKED') and ${command}.order_seen is distinct from ${command}.state`;

/** After its expiry: the lock's pulse, its confirmation, and the way of the answer. */
const EXECUTED_WITHIN_SECONDS = 5;

/**
 * From then on a cabinet's state shows whatever the opening of the row `command` can have caused. Behind a result that
 * nobody knows there may be a door that stuck.
 */
export const provenFromSql = (command: Sql) => sql`greatest(
  ${command}.expires_at + make_interval(secs => ${EXECUTED_WITHIN_SECONDS}),
  case when ${command}.state in ('NOT_CONFIRMED', 'UNKNOWN')
    then coalesce(${command}.acked_at, ${command}.expires_at)
      + make_interval(secs => ${OPENS_WITHIN_SECONDS}) end)`;

/**
 * True when the reported state of the row `comp` is later than whatever the opening can have caused: it belongs to a
 * snapshot that was requested late enough or to a later report. A birth alone proves nothing: a door that stuck before the
 * power was cut may still be pulled open. While two cabinets may share the identity, a snapshot may show the other one, and
 * a device that may be another one than the one that got the command proves nothing.
 */
export const isProvenSql = (command: Sql, cabinet: Sql, comp: Sql) => sql`(
  ${cabinet}.snapshot_asked_at between ${provenFromSql(command)} and now()
  and (${comp}.reported_boot_no, ${comp}.reported_n)
    >= (${cabinet}.snapshot_boot_no, ${cabinet}.snapshot_n)
  and ${command}.epoch >= ${lineSql(cabinet, "epoch")} and not ${isIdentitySharedSql(cabinet)})`;

/**
 * Locks an order and everything it touches until the transaction ends, always in the same order (cabinet,
 * compartment, order), which prevents deadlocks. Null when the order does not exist.
 */
export async function lockOrder(
  db: Db,
  { tenantId, orderId }: OrderKey,
): Promise<LockedOrder | null> {
  const place = await db.maybe<{ cabinetId: number; no: number }>(sql`
    select cabinet_id, compartment_no as no from storage_order
    where tenant_id = ${tenantId} and id = ${orderId}`);
  if (!place) return null;
  const { cabinetId, no } = place;
  // Pipelined; each statement waits for the lock before it, so the last one reads the state after all locks.
  const [, , , order, hold] = await Promise.all([
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
    findHoldOfOrder(db, { tenantId, orderId }),
  ]);
  return order && { ...order, account: { ...order.account, hold } };
}

/** Reads the order without a lock and without the hold. */
export async function readOrder(
  db: Db,
  { tenantId, orderId }: OrderKey,
): Promise<LockedOrder | null> {
  const row = await db.maybe<
    Omit<LockedOrder, "pricing"> & { codeHash: Buffer | null; pricing: unknown }
  >(sql`
    select ord.tenant_id, ord.id, ord.side, ord.cabinet_id, cabinet.sn as cabinet_sn, ord.store_id,
      ord.compartment_no as no, ord.size, ord.state, ord.purpose, ord.rider_id, ord.recipient_id,
      ord.app_id, ord.third_party_no, ord.pricing, ord.stored_at, ord.overdue_at, ord.ended_at,
      ${chargeableMinutesSql} as chargeable_minutes, ord.exception_reason,
      jsonb_build_object('priceFen', ord.price_fen, 'chargedMinutes', ord.charged_minutes,
        'coveredFen', ord.covered_fen, 'waivedFen', ord.waived_fen,
        'paidPrincipalFen', ord.paid_principal_fen, 'paidBonusFen', ord.paid_bonus_fen,
        'refundedPrincipalFen', ord.refunded_principal_fen, 'refundedBonusFen', ord.refunded_bonus_fen,
        'userPackageId', ord.user_package_id, 'hold', null) as account,
      now() as now, live_order.code_hash, ${isIdentitySharedSql(sql`cabinet`)} as is_identity_shared,
      ${lineSql(sql`cabinet`, "epoch")} as line_epoch, ${lineSql(sql`cabinet`, "bootNo")} as line_boot_no,
      exists (select from command where command.tenant_id = ord.tenant_id
        and command.order_id = ord.id
        and ${isUnseen(sql`command`)}) as has_news,
      case when live_order.order_id is not null then jsonb_build_object(
        'depositUntil', live_order.deposit_until, 'overdueAt', live_order.overdue_at,
        'openedSide', live_order.opened_side, 'openedBootNo', live_order.opened_boot_no, 'openedN',
        live_order.opened_n,
        'closedItem', live_order.closed_item, 'forcedAt', live_order.forced_at, 'doubtId', live_order.doubt_id,
        'doubtState', doubted_command.state, 'isDoubtProven', coalesce(
          ${isProvenSql(sql`doubted_command`, sql`cabinet`, sql`comp`)}, false)) end as live,
      case when comp.no is not null then jsonb_build_object('doorFront', comp.door_front,
        'doorBack', comp.door_back, 'item', comp.item, 'reportedBootNo', comp.reported_boot_no,
        'reportedN', comp.reported_n, 'presentBootNo', comp.present_boot_no, 'isOpening', exists (
          select from command where command.tenant_id = comp.tenant_id
            and command.cabinet_id = comp.cabinet_id
            and command.compartment_no = comp.no and command.kind = 'OPEN'
            and command.state in ('QUEUED', 'SENT', 'ACKED'))) end as cell
    from storage_order ord
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    left join live_order on live_order.tenant_id = ord.tenant_id and live_order.order_id = ord.id
    left join compartment comp on comp.tenant_id = ord.tenant_id
      and comp.cabinet_id = ord.cabinet_id
      and comp.no = ord.compartment_no
    left join command doubted_command on doubted_command.tenant_id = live_order.tenant_id
      and doubted_command.id = live_order.doubt_id
    where ord.tenant_id = ${tenantId} and ord.id = ${orderId}`);
  if (!row) return null;
  const { codeHash, live, pricing, ...order } = row;
  return { ...order, pricing: pricingOf(pricing), live: live && { ...live, codeHash } };
}

/** Writes the order, its `live_order` row and the occupancy of its compartment. */
export async function saveOrder(db: Db, order: LockedOrder): Promise<void> {
  const { tenantId, id, cabinetId, no, state, live, account } = order;
  await Promise.all([
    db.run(sql`
      update storage_order set state = ${state}, purpose = ${order.purpose},
        pay_status = ${payStatusOf(account)}, stored_at = ${order.storedAt},
        overdue_at = ${order.overdueAt}, ended_at = ${order.endedAt},
        price_fen = ${account.priceFen}, charged_minutes = ${account.chargedMinutes},
        covered_fen = ${account.coveredFen}, waived_fen = ${account.waivedFen},
        paid_principal_fen = ${account.paidPrincipalFen}, paid_bonus_fen = ${account.paidBonusFen},
        refunded_principal_fen = ${account.refundedPrincipalFen},
        refunded_bonus_fen = ${account.refundedBonusFen},
        user_package_id = ${account.userPackageId}, exception_reason = ${order.exceptionReason}
      where tenant_id = ${tenantId} and id = ${id}`),
    live &&
      isLive(state) &&
      db.run(sql`
        update live_order set code_hash = ${live.codeHash}, deposit_until = ${live.depositUntil},
          overdue_at = ${live.overdueAt}, opened_side = ${live.openedSide},
          opened_boot_no = ${live.openedBootNo}, opened_n = ${live.openedN},
          closed_item = ${live.closedItem}, doubt_id = ${live.doubtId},
          forced_at = ${live.forcedAt}
        where tenant_id = ${tenantId} and order_id = ${id}`),
    live &&
      !isLive(state) &&
      db.run(sql`delete from live_order where tenant_id = ${tenantId} and order_id = ${id}`),
    // An order that is not live any more has already freed its compartment.
    live && updateOccupancy(db, { tenantId, cabinetId, no }, occupancyOf(state)),
  ]);
}

/** Apart from `saveOrder`: no other change of an order touches its people. */
export async function updateRecipient(
  db: Db,
  { tenantId, id, recipientId }: Pick<LockedOrder, "tenantId" | "id" | "recipientId">,
): Promise<void> {
  await db.run(sql`
    update storage_order set recipient_id = ${recipientId}
    where tenant_id = ${tenantId} and id = ${id}`);
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

/** True if the order has been overdue before: it counts once, however often it is extended. */
export async function hasBeenOverdue(db: Db, { tenantId, id }: LockedOrder): Promise<boolean> {
  const found = await db.maybe(sql`
    select from order_event
    where tenant_id = ${tenantId} and order_id = ${id} and to_state = 'OVERDUE' limit 1`);
  return found !== null;
}

/** Id of the live order that this code opens in this cabinet. */
export async function findByCode(
  db: Db,
  { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  codeHash: Buffer,
): Promise<number | null> {
  const found = await db.maybe<{ orderId: number }>(sql`
    select order_id from live_order
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and code_hash = ${codeHash}`);
  return found?.orderId ?? null;
}

/** True if the recipient's phone ends in these digits. */
export async function isRecipientsPhone(
  db: Db,
  { tenantId, recipientId }: Pick<LockedOrder, "tenantId" | "recipientId">,
  given: string,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from end_user
    where tenant_id = ${tenantId} and id = ${recipientId}
      and ${given} in (end_user.phone, right(end_user.phone, 4))`);
  return found !== null;
}

/** Live orders that hold these compartments. */
export function findLiveOrders(
  db: Db,
  { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  nos: readonly number[],
): Promise<{ no: number; orderId: number }[]> {
  return db.many(sql`
    select compartment_no as no, order_id from live_order
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId}
      and compartment_no = any(${nos}::int[])
    order by compartment_no`);
}

export interface Notice {
  phone: string;
  sn: string;
  place: string;
}

/** Recipient's phone for an order's messages, and the place of its goods in words a person understands. */
export function findNotice(db: Db, { tenantId, id }: LockedOrder): Promise<Notice> {
  return db.one(sql`
    select end_user.phone, cabinet.sn,
      case when starts_with(cabinet.name, store.name) then cabinet.name
      else concat_ws(' ', store.name, cabinet.name) end as place
    from storage_order ord
    join end_user on end_user.tenant_id = ord.tenant_id and end_user.id = ord.recipient_id
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    where ord.tenant_id = ${tenantId} and ord.id = ${id}`);
}

/**
 * Adds the seconds in which their cabinet could not be reached to the orders with goods inside, each since its goods came
 * in. The list of ids leads to their months by the index; a join with `live_order` might read all orders.
 */
export async function addUnreachable(
  db: Db,
  tenantId: number,
  cabinets: readonly { cabinetId: number; seconds: number }[],
): Promise<void> {
  const found = await db.many<{ cabinetId: number; orderId: number }>(sql`
    select cabinet_id, order_id from live_order
    where tenant_id = ${tenantId}
      and cabinet_id = any(${cabinets.map(({ cabinetId }) => cabinetId)}::bigint[])`);
  if (found.length === 0) return;
  const secondsOf = new Map(cabinets.map(({ cabinetId, seconds }) => [cabinetId, seconds]));
  const orderIds = found.map(({ orderId }) => orderId);
  const seconds = found.map(({ cabinetId }) => secondsOf.get(cabinetId) ?? 0);
  await db.run(sql`
    update storage_order ord set unreachable_seconds = ord.unreachable_seconds
      + least(input.seconds, ceil(extract(epoch from now() - ord.stored_at))::bigint)
    from unnest(${orderIds}::bigint[], ${seconds}::bigint[]) input (order_id, seconds)
    where ord.tenant_id = ${tenantId} and ord.id = any(${orderIds}::bigint[])
      and ord.id = input.order_id and ord.stored_at is not null`);
}

/** Payers of an order, each with the amount paid less the amount refunded. */
export function findPayers(
  db: Db,
  { tenantId, id }: LockedOrder,
): Promise<{ endUserId: number; principalFen: number; bonusFen: number }[]> {
  return db.many(sql`
    select end_user_id, -sum(principal_fen)::bigint as principal_fen,
      -sum(bonus_fen)::bigint as bonus_fen
    from ledger_journal
    where tenant_id = ${tenantId} and order_id = ${id} and kind in ('PAYMENT', 'PAYMENT_REFUND')
    group by end_user_id
    order by end_user_id`);
}

interface Erased {
  tenantId: number;
  endUserId: number;
  name: string;
}

/** Ids of all orders of a person, newest first. */
export async function findOrderIdsOf(
  db: Db,
  { tenantId, endUserId }: Omit<Erased, "name">,
): Promise<number[]> {
  // Sorted here: an index in this order would lead through the orders of everybody.
  const orders = await db.many<{ id: number }>(sql`
    select id from storage_order
    where tenant_id = ${tenantId} and (recipient_id = ${endUserId} or rider_id = ${endUserId})`);
  return orders.map(({ id }) => id).sort((a, b) => b - a);
}

/** Takes the name of a deleted person from the events of these orders, and what the orders say about their goods. */
export async function forgetOnOrders(
  db: Db,
  { tenantId, endUserId, name }: Erased,
  orderIds: readonly number[],
): Promise<void> {
  const ids = sql`any(${[...orderIds]}::bigint[])`;
  await db.run(sql`
    update storage_order set item_note = ''
    where tenant_id = ${tenantId} and id = ${ids} and item_note <> ''`);
  await db.run(sql`
    update order_event set actor_name = ${name}
    where tenant_id = ${tenantId} and order_id = ${ids}
      and actor_kind = 'END_USER' and actor_id = ${endUserId} and actor_name <> ${name}`);
}

/** Holds the compartment for the order again; false while another order holds it. */
export async function insertLiveOrder(
  db: Db,
  { tenantId, cabinetId, no, id }: LockedOrder,
): Promise<boolean> {
  const held = await db.maybe(sql`
    insert into live_order (tenant_id, cabinet_id, compartment_no, order_id)
    select tenant_id, cabinet_id, no, ${id}::bigint from compartment
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}
    on conflict (tenant_id, cabinet_id, compartment_no) do nothing returning order_id`);
  return held !== null;
}

/** Moves the order's reservation to another compartment of its cabinet. */
export async function updateCompartment(
  db: Db,
  { tenantId, cabinetId, id, no }: LockedOrder,
  to: number,
): Promise<void> {
  await Promise.all([
    db.run(sql`
      update live_order set compartment_no = ${to} where tenant_id = ${tenantId} and order_id = ${id}`),
    db.run(sql`
      update storage_order set compartment_no = ${to} where tenant_id = ${tenantId} and id = ${id}`),
    updateOccupancy(db, { tenantId, cabinetId, no }, "FREE"),
    updateOccupancy(db, { tenantId, cabinetId, no: to }, "RESERVED"),
  ]);
}
