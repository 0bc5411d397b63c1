// SQL for openings requested on behalf of orders: unprocessed results, and the reports about them.

import type { DoorSide } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Actor } from "../../../../platform/actor.ts";
import { type Db, type Sql, sql } from "../../../../platform/db/db.ts";
import { isUnseen, type LockedOrder, type OrderKey } from "./live-order.sql.ts";

export interface Opening {
  commandId: string;
  purpose: OpenPurpose;
  side: DoorSide;
  state: CommandState;
  /** Last command state that the order has processed; null if none. */
  seen: CommandState | null;
  actor: Actor;
  askedBootNo: number | null;
  askedN: number | null;
  /** First report that proves the opening; null if none does. */
  openedBootNo: number | null;
  openedN: number | null;
}

/** The sensor's first report of the opening of command `m`; can precede the report that confirmed the command. */
const seenOpenSql = sql`left join lateral (
  select e.boot_no, e.n from cabinet_event e
  where e.tenant_id = m.tenant_id and e.cabinet_id = m.cabinet_id
    and e.compartment_no = m.compartment_no and e.received_at >= m.created_at
    and e.command_id = m.id and e.kind = 'DOOR_OPENED' and e.boot_no is not null
  order by e.boot_no, e.n limit 1) e on true`;

const columns = sql`
  m.id as "commandId", m.purpose, m.side, m.order_seen as seen, m.state,
  jsonb_build_object('kind', m.actor_kind, 'id', m.actor_id, 'name', m.actor_name) as actor,
  m.asked_boot_no as "askedBootNo", m.asked_n as "askedN",
  case when (e.boot_no, e.n) < (m.opened_boot_no, m.opened_n) or m.opened_n is null
    then e.boot_no else m.opened_boot_no end as "openedBootNo",
  case when (e.boot_no, e.n) < (m.opened_boot_no, m.opened_n) or m.opened_n is null
    then e.n else m.opened_n end as "openedN"`;

/** Command results that the order has not processed yet, in the order of their requests. */
export function findUnseen(db: Db, { tenantId, id }: LockedOrder): Promise<Opening[]> {
  return db.many(sql`
    select ${columns} from command m ${seenOpenSql}
    where m.tenant_id = ${tenantId} and m.order_id = ${id} and ${isUnseen(sql`m`)}
    order by m.created_at, m.id`);
}

export async function markSeen(db: Db, tenantId: number, commandId: string): Promise<void> {
  await db.run(sql`
    update command set order_seen = state where tenant_id = ${tenantId} and id = ${commandId}`);
}

export function findOpening(
  db: Db,
  { tenantId }: LockedOrder,
  commandId: string,
): Promise<Opening | null> {
  return db.maybe(sql`
    select ${columns} from command m ${seenOpenSql}
    where m.tenant_id = ${tenantId} and m.id = ${commandId}`);
}

export interface OpenRequest {
  commandId: string | null;
  /** The price before this request, and the amount that it waived. */
  priceBeforeFen?: number;
  waivedFen?: number;
}

/** The latest request to open the order's door. */
export function findLastRequest(
  db: Db,
  { tenantId, id }: LockedOrder,
): Promise<OpenRequest | null> {
  return db.maybe(sql`
    select command_id as "commandId", (detail -> 'priceBeforeFen')::bigint as "priceBeforeFen",
      (detail -> 'waivedFen')::bigint as "waivedFen"
    from order_event
    where tenant_id = ${tenantId} and order_id = ${id} and kind = 'OPEN_REQUESTED'
    order by id desc limit 1`);
}

/** Price and waiver of an opening that was recorded as not opened and undone. */
export interface Undone {
  priceFen: number;
  waivedFen: number;
}

/** Null unless a DOOR_NOT_OPENED event for this command recorded an undone price. */
export function findUndone(
  db: Db,
  { tenantId, id }: LockedOrder,
  commandId: string,
): Promise<Undone | null> {
  return db.maybe(sql`
    select (detail -> 'undone' -> 'priceFen')::bigint as "priceFen",
      (detail -> 'undone' -> 'waivedFen')::bigint as "waivedFen"
    from order_event
    where tenant_id = ${tenantId} and order_id = ${id} and kind = 'DOOR_NOT_OPENED'
      and command_id = ${commandId} and detail ? 'undone'
    order by id desc limit 1`);
}

/** True when the door has been opened to take goods out before. */
export async function hasOpenedForGoods(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(sql`
    select exists (select from order_event where tenant_id = ${tenantId} and order_id = ${id}
      and kind = 'DOOR_OPENED' and detail ->> 'purpose' in ('PICKUP', 'TAKE_BACK')) as has`);
  return has;
}

/** State of the `side` door of compartment `k`. */
const doorSql = (k: Sql, side: Sql) => sql`case ${side} when 'BACK' then ${k}.door_back
  else ${k}.door_front end`;

/**
 * Orders with something to process: a command settled, a later report shows an opened door closed, or
 * the sensors resolve an opening in doubt. `among` restricts the aliases `m` and `l`.
 */
export function findNews(
  db: Db,
  among: (alias: Sql) => Sql,
  limit: number,
): Promise<(OrderKey & { cabinetId: number })[]> {
  const [m, l, k] = [sql`m`, sql`l`, sql`k`];
  return db.many(sql`
    select m.tenant_id as "tenantId", m.cabinet_id as "cabinetId", m.order_id as "orderId"
    from command m where ${among(m)} and ${isUnseen(m)}
    union
    select l.tenant_id, l.cabinet_id, l.order_id
    from live_order l
    join compartment k on k.tenant_id = l.tenant_id and k.cabinet_id = l.cabinet_id
      and k.no = l.compartment_no
    where ${among(l)} and l.opened_n is not null
      and ${doorSql(k, sql`l.opened_side`)} = 'CLOSED'
      and (k.reported_boot_no, k.reported_n) > (l.opened_boot_no, l.opened_n)
      and k.item is distinct from l.closed_item
    union
    select l.tenant_id, l.cabinet_id, l.order_id
    from live_order l
    join compartment k on k.tenant_id = l.tenant_id and k.cabinet_id = l.cabinet_id
      and k.no = l.compartment_no
    join command m on m.tenant_id = l.tenant_id and m.id = l.doubt_id
    where ${among(l)} and l.doubt_id is not null
      and (k.reported_boot_no, k.reported_n)
        > (coalesce(m.asked_boot_no, -1), coalesce(m.asked_n, -1))
      and (${doorSql(k, sql`m.side`)} = 'OPEN'
        or k.item = case m.purpose when 'DEPOSIT' then 'PRESENT' else 'EMPTY' end)
    order by 1, 2, 3
    limit ${limit}`);
}

/** True when the timeline already records the opening by this command. */
export async function hasHappened(
  db: Db,
  { tenantId, id }: LockedOrder,
  commandId: string,
): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(sql`
    select exists (select from order_event where tenant_id = ${tenantId} and order_id = ${id}
      and kind = 'DOOR_OPENED' and command_id = ${commandId}) as has`);
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
