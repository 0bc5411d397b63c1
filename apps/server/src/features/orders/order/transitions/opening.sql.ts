// SQL for openings requested on behalf of orders: unprocessed results, and the reports about them.

import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type {
  DoorSide,
  DoorState,
  ItemState,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import { lineSql } from "../../../link/device/index.ts";
import type { Agreement, Undone } from "../money/settle.rules.ts";
import {
  isProvenSql,
  isUnseen,
  type LockedOrder,
  type OrderKey,
  provenFromSql,
} from "./live-order.sql.ts";

export interface Opening {
  commandId: string;
  purpose: OpenPurpose;
  /** Compartment number; the order may have moved since. */
  no: number;
  side: DoorSide;
  state: CommandState;
  /** Result that counts as final, and has been published as such, although a later report may change it; null: none. */
  finalState: CommandState | null;
  /** Reason code with which the cabinet refused. */
  refusal: string | null;
  /** A cabinet's state from then on shows whatever the opening can have caused. */
  provenFrom: string;
  /** Last command state that the order has processed; null if none. */
  seen: CommandState | null;
  actor: Actor;
  epoch: number;
  /** Somebody opened the door afterwards, but not for the order. */
  isFollowedByOthers: boolean;
  askedBootNo: number | null;
  askedN: number | null;
  /** Item sensor's state when the opening was requested; null for one of an earlier release. */
  askedItem: ItemState | null;
  /** The same of its door. */
  askedDoor: DoorState | null;
  /** First report that proves the opening; null if none does. */
  openedBootNo: number | null;
  openedN: number | null;
}

/** The sensor's first report of the opening of the row `command`; can precede the report that confirmed the command. */
const seenOpenSql = sql`left join lateral (
  select cabinet_event.boot_no, cabinet_event.n from cabinet_event
  where cabinet_event.tenant_id = command.tenant_id
    and cabinet_event.cabinet_id = command.cabinet_id
    and cabinet_event.compartment_no = command.compartment_no
    and cabinet_event.received_at >= command.created_at
    and cabinet_event.command_id = command.id and cabinet_event.kind = 'DOOR_OPENED'
    and cabinet_event.boot_no is not null
  order by cabinet_event.boot_no, cabinet_event.n limit 1) cabinet_event on true`;

/**
 * Somebody opened the compartment of the row `command` afterwards, but not for its order, as staff do to look inside: an open
 * door, and goods that came or went, may follow from that.
 */
const isFollowedByOthersSql = sql`exists (select from command later_command
  where later_command.tenant_id = command.tenant_id
    and later_command.cabinet_id = command.cabinet_id and later_command.kind = 'OPEN'
    and later_command.compartment_no = command.compartment_no
    and later_command.created_at > command.created_at
    and later_command.order_id is distinct from command.order_id
    and later_command.state not in ('QUEUED', 'REJECTED', 'EXPIRED', 'FAILED'))`;

const columns = sql`
  command.id as command_id, command.purpose, command.compartment_no as no, command.side,
  command.order_seen as seen, command.state, command.final_state, command.refusal, ${provenFromSql(sql`command`)} as proven_from,
  jsonb_build_object('kind', command.actor_kind, 'id', command.actor_id, 'name',
    command.actor_name) as actor,
  command.epoch, command.asked_boot_no, command.asked_n, command.asked_item, command.asked_door,
  ${isFollowedByOthersSql} as is_followed_by_others,
  case when (cabinet_event.boot_no, cabinet_event.n) < (command.opened_boot_no, command.opened_n)
    or command.opened_n is null
    then cabinet_event.boot_no else command.opened_boot_no end as opened_boot_no,
  case when (cabinet_event.boot_no, cabinet_event.n) < (command.opened_boot_no, command.opened_n) or command.opened_n is null
    then cabinet_event.n else command.opened_n end as opened_n`;

/** Command results that the order has not processed yet, in the order of their requests. */
export function findUnseen(db: Db, { tenantId, id }: LockedOrder): Promise<Opening[]> {
  return db.many(sql`
    select ${columns} from command ${seenOpenSql}
    where command.tenant_id = ${tenantId} and command.order_id = ${id} and ${isUnseen(sql`command`)}
    order by command.created_at, command.id`);
}

export function findOpening(
  db: Db,
  { tenantId }: LockedOrder,
  commandId: string,
): Promise<Opening | null> {
  return db.maybe(sql`
    select ${columns} from command ${seenOpenSql}
    where command.tenant_id = ${tenantId} and command.id = ${commandId}`);
}

export interface OpenRequest {
  commandId: string | null;
  /** The price before this request, and the amount that it waived. */
  priceBeforeFen?: number;
  /** Minutes of that price; null if it ran. */
  minutesBefore: number | null;
  waivedFen?: number;
}

/** The latest request to open the order's door. */
export function findLastRequest(
  db: Db,
  { tenantId, id }: LockedOrder,
): Promise<OpenRequest | null> {
  return db.maybe(sql`
    select command_id, (detail -> 'priceBeforeFen')::bigint as price_before_fen,
      (detail ->> 'minutesBefore')::int as minutes_before,
      (detail -> 'waivedFen')::bigint as waived_fen
    from order_event
    where tenant_id = ${tenantId} and order_id = ${id} and kind = 'OPEN_REQUESTED'
    order by id desc limit 1`);
}

/**
 * Amount that the person agreed to when they requested the opening by this command, less what the order was paid since; and
 * the opening's price and waiver if it was recorded as not opened and undone. Staff who open the door do so for whoever
 * agreed last.
 */
export async function findAgreement(
  db: Db,
  { tenantId, id }: LockedOrder,
  commandId: string,
): Promise<Agreement & { coveredFen: number; undone: Undone | null }> {
  const mine = (event: Sql) => sql`${event}.tenant_id = ${tenantId} and ${event}.order_id = ${id}`;
  const found = await db.maybe<Awaited<ReturnType<typeof findAgreement>>>(sql`
    select agreed_event.actor_id as payer_id,
      coalesce((agreed_event.detail -> 'coveredFen')::bigint, 0) as covered_fen, greatest(0, coalesce((agreed_event.detail -> 'chargedFen')::bigint, 0)
        - coalesce((select sum((paid_event.detail -> 'fen')::bigint) from order_event paid_event
          where ${mine(sql`paid_event`)} and paid_event.kind = 'PAID'
            and paid_event.id > agreed_event.id), 0))::bigint as agreed_fen,
      (select undone_event.detail -> 'undone' from order_event undone_event
        where ${mine(sql`undone_event`)} and undone_event.kind = 'DOOR_NOT_OPENED'
          and undone_event.command_id = ${commandId} and undone_event.detail ? 'undone'
        order by undone_event.id desc limit 1) as undone
    from order_event
    left join lateral (select agreed_event.id, agreed_event.actor_id, agreed_event.detail from order_event agreed_event
      where ${mine(sql`agreed_event`)} and agreed_event.kind = 'OPEN_REQUESTED'
        and case order_event.actor_kind when 'END_USER' then agreed_event.id = order_event.id
          else agreed_event.id <= order_event.id and (agreed_event.detail -> 'chargedFen')::bigint > 0 end
      order by agreed_event.id desc limit 1) agreed_event on true
    where ${mine(sql`order_event`)} and order_event.kind = 'OPEN_REQUESTED'
      and order_event.command_id = ${commandId}
    order by order_event.id desc limit 1`);
  return found ?? { payerId: null, agreedFen: 0, coveredFen: 0, undone: null };
}

/** True when a card has paid for an opening that happened. */
export async function hasUsedCard(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(sql`
    select exists (select from order_event where tenant_id = ${tenantId} and order_id = ${id}
      and kind = 'COVERED') as has`);
  return has;
}

/** State of the `side` door of the compartment. */
const doorSql = (comp: Sql, side: Sql) => sql`case ${side} when 'BACK' then ${comp}.door_back
  else ${comp}.door_front end`;

/**
 * Orders with something to process: a command settled, a later report shows an opened door closed, the
 * sensors resolve an opening in doubt, or goods are gone after an opening without a command.
 */
function newsSql(of: { tenantId: number; cabinetIds: readonly number[] } | "all"): Sql {
  const [command, liveOrder, comp] = [sql`command`, sql`live_order`, sql`comp`];
  const among = (alias: Sql) =>
    of === "all"
      ? sql`true`
      : sql`${alias}.tenant_id = ${of.tenantId}
          and ${alias}.cabinet_id = any(${[...of.cabinetIds]}::bigint[])`;
  return sql`
    select command.tenant_id, command.cabinet_id, command.order_id
    from command where ${among(command)} and ${isUnseen(command)}
    union
    select live_order.tenant_id, live_order.cabinet_id, live_order.order_id
    from live_order
    join compartment comp on comp.tenant_id = live_order.tenant_id
      and comp.cabinet_id = live_order.cabinet_id
      and comp.no = live_order.compartment_no
    where ${among(liveOrder)} and live_order.opened_n is not null
      and ${doorSql(comp, sql`live_order.opened_side`)} = 'CLOSED'
      and (comp.reported_boot_no, comp.reported_n) > (live_order.opened_boot_no,
        live_order.opened_n)
      and comp.item is distinct from live_order.closed_item
    union
    select live_order.tenant_id, live_order.cabinet_id, live_order.order_id
    from live_order
    join compartment comp on comp.tenant_id = live_order.tenant_id and comp.cabinet_id = live_order.cabinet_id
      and comp.no = live_order.compartment_no
    join command on command.tenant_id = live_order.tenant_id and command.id = live_order.doubt_id
    join cabinet on cabinet.tenant_id = live_order.tenant_id and cabinet.id = live_order.cabinet_id
    where ${among(liveOrder)} and live_order.doubt_id is not null
      and command.epoch >= ${lineSql(sql`cabinet`, "epoch")}
      and (comp.reported_boot_no, comp.reported_n)
        > (coalesce(command.asked_boot_no, -1), coalesce(command.asked_n, -1))
      and ((((${doorSql(comp, sql`command.side`)} = 'OPEN' and command.asked_door is distinct from 'OPEN')
          or (comp.item = case command.purpose when 'DEPOSIT' then 'PRESENT' else 'EMPTY' end
            and comp.item is distinct from command.asked_item))
          and not ${isFollowedByOthersSql})
        or (command.state = 'NOT_CONFIRMED' and ${doorSql(comp, sql`command.side`)} = 'CLOSED'
          and ${isProvenSql(command, sql`cabinet`, comp)}))
    union
    select live_order.tenant_id, live_order.cabinet_id, live_order.order_id
    from live_order
    join compartment comp on comp.tenant_id = live_order.tenant_id and comp.cabinet_id = live_order.cabinet_id
      and comp.no = live_order.compartment_no
    where ${among(liveOrder)} and live_order.forced_at is not null and comp.item = 'EMPTY'`;
}

export function findNews(
  db: Db,
  of: { tenantId: number; cabinetIds: readonly number[] },
  limit: number,
): Promise<(OrderKey & { cabinetId: number })[]> {
  return db.many(sql`${newsSql(of)} order by 1, 2, 3 limit ${limit}`);
}

/** The same of all cabinets, for reports that a gateway stored but did not apply to orders before it died. */
export const newsQueue = sql`
  select news.tenant_id, news.order_id::text as key, now() as due_at from (${newsSql("all")}) news`;

/** The order on behalf of which the door was opened; null: none. */
export async function findOrderIdOf(
  db: Db,
  { tenantId, id }: { tenantId: number; id: string },
): Promise<number | null> {
  const found = await db.maybe<{ orderId: number | null }>(sql`
    select order_id from command where tenant_id = ${tenantId} and id = ${id}`);
  return found?.orderId ?? null;
}

/** True when the timeline already records the opening by this command as known, not merely as possible. */
export async function hasHappened(
  db: Db,
  { tenantId, id }: LockedOrder,
  commandId: string,
): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(sql`
    select exists (select from order_event where tenant_id = ${tenantId} and order_id = ${id}
      and kind = 'DOOR_OPENED' and command_id = ${commandId}
      and detail -> 'isInDoubt' is null) as has`);
  return has;
}

/** The newest other opening at the order's compartment whose result nobody knows and no one has decided. */
export async function findEarlierDoubt(
  db: Db,
  { tenantId, id, cabinetId, no }: LockedOrder,
  commandId: string,
): Promise<string | null> {
  const found = await db.maybe<{ id: string }>(sql`
    select command.id from command
    where command.tenant_id = ${tenantId} and command.order_id = ${id}
      and command.cabinet_id = ${cabinetId} and command.compartment_no = ${no}
      and command.state = 'UNKNOWN' and command.id <> ${commandId}
      and not exists (select from order_event where order_event.tenant_id = ${tenantId}
        and order_event.order_id = ${id} and order_event.command_id = command.id
        and order_event.kind in ('DOOR_OPENED', 'DOOR_NOT_OPENED'))
    order by command.created_at desc limit 1`);
  return found?.id ?? null;
}

/** True when no later opening than that by this command is recorded. */
export async function isLastOpening(
  db: Db,
  { tenantId, id }: LockedOrder,
  commandId: string,
): Promise<boolean> {
  const last = await db.maybe<{ commandId: string | null }>(sql`
    select command_id from order_event
    where tenant_id = ${tenantId} and order_id = ${id} and kind = 'DOOR_OPENED'
    order by id desc limit 1`);
  return last?.commandId === commandId;
}

/** True when any door of the order's compartment has opened, for whomever, since it was reserved. */
export async function hasOpenedSinceReserved(
  db: Db,
  { tenantId, id, cabinetId, no }: LockedOrder,
): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(sql`
    select exists (select from cabinet_event
      where cabinet_event.tenant_id = ${tenantId} and cabinet_event.cabinet_id = ${cabinetId}
        and cabinet_event.compartment_no = ${no}
        and cabinet_event.kind in ('DOOR_OPENED', 'UNCOMMANDED_OPENING')
        and cabinet_event.received_at > (select max(order_event.at) from order_event
          where order_event.tenant_id = ${tenantId} and order_event.order_id = ${id}
            and order_event.kind in ('CREATED', 'MOVED'))) as has`);
  return has;
}

/** Locks the cabinets of these orders in ascending id order, which prevents deadlocks. */
export async function lockCabinetsOfOrders(
  db: Db,
  tenantId: number,
  orders: readonly { cabinetId: number }[],
): Promise<void> {
  await db.run(sql`
    select from cabinet
    where tenant_id = ${tenantId} and id = any(${orders.map(({ cabinetId }) => cabinetId)}::bigint[])
    order by id
    for no key update`);
}

/** End users with money on hold for these orders. */
export async function findHolders(
  db: Db,
  tenantId: number,
  orders: readonly OrderKey[],
): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select distinct end_user_id as id from wallet_hold
    where tenant_id = ${tenantId} and state = 'HELD'
      and order_id = any(${orders.map(({ orderId }) => orderId)}::bigint[])`);
  return rows.map(({ id }) => id);
}

/** Longest time after its end in which an order can become an exception because of its compartment. */
const CONTRADICTED_WITHIN = sql`interval '1 day'`;
/** Orders that are older hold goods rarely: the search reads a cabinet's orders one by one. */
const SOUGHT_AMONG = sql`interval '30 days'`;

/**
 * Orders that have ended although the sensor sees goods in the compartment, which no door opening of anybody else can have
 * brought there, nor one of the next order, which only waits.
 */
export const leftBehindQueue = sql`
    select ord.tenant_id, ord.id::text as key, ord.ended_at as due_at
    from (
      select comp.* from compartment comp where comp.occupancy = 'FREE' and comp.item = 'PRESENT'
      union all
      select comp.* from live_order
      join compartment comp on comp.tenant_id = live_order.tenant_id
        and comp.cabinet_id = live_order.cabinet_id and comp.no = live_order.compartment_no
      where live_order.deposit_until is not null and comp.occupancy = 'RESERVED' and comp.item = 'PRESENT'
    ) comp
    cross join lateral (
      select storage_order.tenant_id, storage_order.id, storage_order.ended_at
      from storage_order
      where storage_order.tenant_id = comp.tenant_id
        and storage_order.cabinet_id = comp.cabinet_id
        and storage_order.id >= first_order_id(now() - ${SOUGHT_AMONG})
        and storage_order.compartment_no = comp.no
        and storage_order.state <> 'PENDING'
      order by storage_order.id desc limit 1) ord
    where ord.ended_at > now() - ${CONTRADICTED_WITHIN}
      and not exists (
        select from cabinet_event
        left join command on command.tenant_id = cabinet_event.tenant_id
          and command.id = cabinet_event.command_id
        where cabinet_event.tenant_id = comp.tenant_id
          and cabinet_event.cabinet_id = comp.cabinet_id
          and cabinet_event.compartment_no = comp.no
          and cabinet_event.kind in ('DOOR_OPENED', 'UNCOMMANDED_OPENING')
          and cabinet_event.received_at > ord.ended_at
          and command.order_id is distinct from ord.id)
      and not exists (
        select from command
        where command.tenant_id = comp.tenant_id and command.cabinet_id = comp.cabinet_id
          and command.compartment_no = comp.no and command.kind = 'OPEN'
          and (command.state = 'CONFIRMED' or (comp.occupancy = 'RESERVED'
            and command.state not in ('REJECTED', 'EXPIRED', 'FAILED')))
          and command.created_at > ord.ended_at
          and command.order_id is distinct from ord.id)`;
