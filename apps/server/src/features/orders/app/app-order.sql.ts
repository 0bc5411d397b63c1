// SQL for the orders of one app user: those deposited and those to pick up.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  AppOpening,
  appOrderContract,
} from "@cabinet/contract/orders/app/app-order.contract.ts";
import {
  hasGoods,
  type OrderMoney,
  type PayStatus,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { AppRole } from "@cabinet/contract/vocabulary/order.rules.ts";
import { ORDER_STATES, type OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { EndUser } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";
import { isSettledSql } from "../../fleet/command/index.ts";
import { runningMinutesSql } from "../order/index.ts";

type Owner = Pick<EndUser, "tenantId" | "endUserId">;

export interface AppOrderRow extends OrderMoney {
  id: number;
  role: AppRole;
  cabinetSn: string;
  cabinetName: string;
  storeName: string | null;
  no: number;
  size: Size;
  side: Side;
  state: OrderState;
  payStatus: PayStatus;
  itemNote: string;
  otherPhone: string | null;
  createdAt: string;
  storedAt: string | null;
  overdueAt: string | null;
  endedAt: string | null;
  /** Copy of the rule, as stored. */
  pricing: unknown;
  runningMinutes: number | null;
}

/** For an order where the user is both rider and recipient, the recipient counts: they pay. */
const isRecipient = (user: Owner) => sql`ord.recipient_id = ${user.endUserId}`;

const columns = (user: Owner): Sql => sql`
  ord.id, case when ${isRecipient(user)} then 'RECIPIENT' else 'RIDER' end as role,
  cabinet.sn as cabinet_sn, cabinet.name as cabinet_name, store.name as store_name,
  ord.compartment_no as no, ord.size, ord.side, ord.state, ord.pay_status, ord.item_note,
  case when ${isRecipient(user)} then rider.phone else recipient.phone end as other_phone,
  ord.created_at, ord.stored_at, ord.overdue_at, ord.ended_at, ord.pricing,
  ${runningMinutesSql} as running_minutes, ord.price_fen, ord.covered_fen, ord.waived_fen,
  ord.paid_principal_fen, ord.paid_bonus_fen, ord.refunded_principal_fen, ord.refunded_bonus_fen`;

const tables = sql`
  join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
  left join store on store.tenant_id = ord.tenant_id and store.id = ord.store_id
  left join end_user rider on rider.tenant_id = ord.tenant_id and rider.id = ord.rider_id
  join end_user recipient on recipient.tenant_id = ord.tenant_id
    and recipient.id = ord.recipient_id`;

function isTheirs(user: Owner, role?: AppRole): Sql {
  const rider = sql`ord.rider_id = ${user.endUserId}`;
  const mine =
    role === "RIDER"
      ? rider
      : role === "RECIPIENT"
        ? isRecipient(user)
        : sql`(${rider} or ${isRecipient(user)})`;
  return sql`ord.tenant_id = ${user.tenantId} and ${mine}`;
}

/** Newest first. */
export function findMyOrders(
  db: Db,
  user: Owner,
  query: Input<typeof appOrderContract.list>["query"],
): Promise<Page<AppOrderRow>> {
  const live = sql`exists (select from live_order
    where live_order.tenant_id = ord.tenant_id and live_order.order_id = ord.id)`;
  const conditions = and(
    isTheirs(user, query.role),
    // A recipient does not see an order before its goods are stored.
    query.role === "RECIPIENT" && sql`ord.stored_at is not null`,
    query.isLive !== undefined && (query.isLive ? live : sql`not ${live}`),
  );
  const matched = sql`from storage_order ord ${tables} where ${conditions}`;
  return findPage(db, {
    matching: matched,
    rows: sql`select ${columns(user)} ${matched} order by ord.id desc ${pageLimits(query)}`,
  });
}

/** Null where there is none, or it belongs to somebody else. */
export function findMyOrder(db: Db, user: Owner, id: number): Promise<AppOrderRow | null> {
  return db.maybe(sql`
    select ${columns(user)} from storage_order ord ${tables}
    where ord.id = ${id} and ${isTheirs(user)}`);
}

/** Limits the number of orders; somebody who owes for more pays for these first. */
const MOST_DEBTS = 50;

/** Orders this user may still have to pay for: with goods inside, or ended and unpaid. */
export async function findDebts(db: Db, user: Owner): Promise<number[]> {
  const goodsStates = ORDER_STATES.filter(hasGoods);
  const rows = await db.many<{ id: number }>(sql`
    select ord.id from storage_order ord
    where ${isTheirs(user)} and (ord.state = any(${goodsStates}::text[])
      or (ord.pay_status = 'UNPAID' and ord.ended_at is not null))
    order by ord.id limit ${MOST_DEBTS}`);
  return rows.map(({ id }) => id);
}

const openingColumns = sql`
  command.id as command_id, command.purpose, command.compartment_no as no, command.side,
  command.state, ${isSettledSql(sql`command`)} as is_settled, command.detail, command.created_at as at, ord.state as order_state,
  case command.side when 'BACK' then comp.door_back else comp.door_front end as door`;

const openingTables = sql`
  join storage_order ord on ord.tenant_id = command.tenant_id and ord.id = command.order_id
  join compartment comp on comp.tenant_id = command.tenant_id
    and comp.cabinet_id = command.cabinet_id and comp.no = command.compartment_no`;

export function findLastOpening(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<AppOpening | null> {
  return db.maybe(sql`
    select ${openingColumns} from command ${openingTables}
    where command.tenant_id = ${tenantId} and command.order_id = ${orderId} and command.purpose is not null
    order by command.created_at desc limit 1`);
}

/** An opening for an order, requested by a person at the cabinet within the last hour. */
export function findOpening(db: Db, commandId: string): Promise<AppOpening | null> {
  return db.maybe(sql`
    select ${openingColumns} from command ${openingTables}
    where command.id = ${commandId} and command.actor_kind = 'END_USER'
      and command.created_at > now() - interval '1 hour'`);
}
