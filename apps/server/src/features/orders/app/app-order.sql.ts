// SQL for the orders of one app user: those deposited and those to pick up.

import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { Size } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { AppRole } from "@cabinet/contract/orders/app/app.rules.ts";
import type {
  AppOpening,
  appOrderContract,
} from "@cabinet/contract/orders/app/app-order.contract.ts";
import {
  hasGoods,
  ORDER_STATES,
  type OrderMoney,
  type OrderState,
  type PayStatus,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { EndUser } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { stayMinutesSql } from "../order/index.ts";

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
  rule: PricingRule;
  stayMinutes: number | null;
}

/** For an order where the user is both rider and recipient, the recipient counts: they pay. */
const isRecipient = (user: Owner) => sql`o.recipient_id = ${user.endUserId}`;

const columns = (user: Owner): Sql => sql`
  o.id, case when ${isRecipient(user)} then 'RECIPIENT' else 'RIDER' end as role,
  c.sn as "cabinetSn", c.name as "cabinetName", s.name as "storeName", o.compartment_no as no,
  o.size, o.side, o.state, o.pay_status as "payStatus", o.item_note as "itemNote",
  case when ${isRecipient(user)} then r.phone else p.phone end as "otherPhone",
  o.created_at as "createdAt", o.stored_at as "storedAt", o.overdue_at as "overdueAt",
  o.ended_at as "endedAt", o.pricing -> 'rule' as rule,
  ${stayMinutesSql(sql`o`)} as "stayMinutes",
  o.price_fen as "priceFen", o.covered_fen as "coveredFen", o.waived_fen as "waivedFen",
  o.paid_principal_fen as "paidPrincipalFen", o.paid_bonus_fen as "paidBonusFen",
  o.refunded_principal_fen as "refundedPrincipalFen", o.refunded_bonus_fen as "refundedBonusFen"`;

const tables = sql`
  join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
  left join store s on s.tenant_id = o.tenant_id and s.id = o.store_id
  left join end_user r on r.tenant_id = o.tenant_id and r.id = o.rider_id
  join end_user p on p.tenant_id = o.tenant_id and p.id = o.recipient_id`;

function isTheirs(user: Owner, role?: AppRole): Sql {
  const rider = sql`o.rider_id = ${user.endUserId}`;
  const mine =
    role === "RIDER"
      ? rider
      : role === "RECIPIENT"
        ? isRecipient(user)
        : sql`(${rider} or ${isRecipient(user)})`;
  return sql`o.tenant_id = ${user.tenantId} and ${mine}`;
}

/** Newest first. */
export function findMyOrders(
  db: Db,
  user: Owner,
  query: Input<typeof appOrderContract.list>["query"],
): Promise<Page<AppOrderRow>> {
  const conditions = [isTheirs(user, query.role)];
  // A recipient does not see an order before its goods are stored.
  if (query.role === "RECIPIENT") conditions.push(sql`o.stored_at is not null`);
  const live = sql`exists (select from live_order l
    where l.tenant_id = o.tenant_id and l.order_id = o.id)`;
  if (query.isLive !== undefined) conditions.push(query.isLive ? live : sql`not ${live}`);
  const matched = sql`from storage_order o ${tables} where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching: matched,
    rows: sql`select ${columns(user)} ${matched} order by o.id desc ${pageLimits(query)}`,
  });
}

/** Null where there is none, or it belongs to somebody else. */
export function findMyOrder(db: Db, user: Owner, id: number): Promise<AppOrderRow | null> {
  return db.maybe(sql`
    select ${columns(user)} from storage_order o ${tables}
    where o.id = ${id} and ${isTheirs(user)}`);
}

/** Limits the number of orders; somebody who owes for more pays for these first. */
const MOST_DEBTS = 50;

/** Orders this user may still have to pay for: with goods inside, or ended and unpaid. */
export async function findDebts(db: Db, user: Owner): Promise<number[]> {
  const goodsStates = ORDER_STATES.filter(hasGoods);
  const rows = await db.many<{ id: number }>(sql`
    select o.id from storage_order o
    where ${isTheirs(user)} and (o.state = any(${goodsStates}::text[])
      or (o.pay_status = 'UNPAID' and o.ended_at is not null))
    order by o.id limit ${MOST_DEBTS}`);
  return rows.map(({ id }) => id);
}

const openingColumns = sql`
  m.id as "commandId", m.purpose, m.compartment_no as no, m.side, m.state, m.detail,
  m.created_at as at`;

export function findLastOpening(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<AppOpening | null> {
  return db.maybe(sql`
    select ${openingColumns} from command m
    where m.tenant_id = ${tenantId} and m.order_id = ${orderId} and m.purpose is not null
    order by m.created_at desc limit 1`);
}

/** An opening for an order, requested by a person at the cabinet within the last hour. */
export function findOpening(db: Db, commandId: string): Promise<AppOpening | null> {
  return db.maybe(sql`
    select ${openingColumns} from command m
    where m.id = ${commandId} and m.actor_kind = 'END_USER' and m.order_id is not null
      and m.created_at > now() - interval '1 hour'`);
}

/** The user with this phone; creates the row here, before the person first signs in. */
export async function ensureUser(
  db: Db,
  { tenantId, phone }: { tenantId: number; phone: string },
): Promise<{ id: number }> {
  await db.run(sql`
    insert into end_user (tenant_id, phone) values (${tenantId}, ${phone})
    on conflict (tenant_id, phone) do nothing`);
  // A separate statement, so that its snapshot includes a row that the insert had to wait for.
  return db.one(sql`
    select id from end_user where tenant_id = ${tenantId} and phone = ${phone}`);
}
