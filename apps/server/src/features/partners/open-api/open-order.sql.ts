// Third parties' orders and the tenant's cabinets in SQL, as the open API returns them.
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { OrderMoney } from "@cabinet/contract/orders/order/order.rules.ts";
import type {
  OpenCabinet,
  OpenOrder,
} from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import type { Partner } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import {
  isAvailableSql,
  serviceFactsSql,
  serviceJoinSql,
} from "../../link/cabinet-condition/index.ts";
import { isConnectedSql } from "../../link/device/index.ts";
import { stayMinutesSql } from "../../orders/order/index.ts";

type Owner = Pick<Partner, "tenantId" | "appId">;

export interface OpeningRow extends Omit<NonNullable<OpenOrder["opening"]>, "isSettled"> {
  state: CommandState;
}

export interface OpenOrderRow
  extends Omit<OpenOrder, "opening" | "priceFen" | "owedFen" | "recipientPhone">,
    OrderMoney {
  cabinetId: number;
  phone: string;
  rule: PricingRule;
  stayMinutes: number | null;
  opening: OpeningRow | null;
}

const openingColumns = sql`
  m.id, m.order_id as "orderId", m.purpose, m.compartment_no as no, m.side, m.state,
  to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;

const orders = sql`
  select o.id, b.third_party_no as "thirdPartyNo", o.state, o.cabinet_id as "cabinetId",
    c.sn as "cabinetSn", c.name as "cabinetName", o.compartment_no as no, o.size, o.side, p.phone,
    o.item_note as "itemNote", o.created_at as "createdAt", l.deposit_until as "depositUntil",
    o.stored_at as "storedAt", o.overdue_at as "overdueAt", o.ended_at as "endedAt",
    o.pricing -> 'rule' as rule,
    ${stayMinutesSql(sql`o`)} as "stayMinutes",
    o.price_fen as "priceFen", o.covered_fen as "coveredFen", o.waived_fen as "waivedFen",
    o.paid_principal_fen as "paidPrincipalFen", o.paid_bonus_fen as "paidBonusFen",
    o.refunded_principal_fen as "refundedPrincipalFen",
    o.refunded_bonus_fen as "refundedBonusFen", to_jsonb(q) as opening
  from business_order b
  join storage_order o on o.tenant_id = b.tenant_id and o.id = b.order_id
  join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
  join end_user p on p.tenant_id = o.tenant_id and p.id = o.recipient_id
  left join live_order l on l.tenant_id = o.tenant_id and l.order_id = o.id
  left join lateral (
    select ${openingColumns} from command m
    where m.tenant_id = o.tenant_id and m.order_id = o.id and m.purpose is not null
    order by m.created_at desc limit 1) q on true`;

const isTheirs = ({ tenantId, appId }: Owner) =>
  sql`b.tenant_id = ${tenantId} and b.app_id = ${appId}`;

/** Null if it does not exist or belongs to another application. */
export function findOrder(
  db: Db,
  owner: Owner,
  which: { id: number } | { thirdPartyNo: string },
): Promise<OpenOrderRow | null> {
  const asked =
    "id" in which ? sql`b.order_id = ${which.id}` : sql`b.third_party_no = ${which.thirdPartyNo}`;
  return db.maybe(sql`${orders} where ${isTheirs(owner)} and ${asked}`);
}

export interface OrdersWanted {
  from?: string;
  to?: string;
  state?: string;
  after?: number;
  limit: number;
}

/** Sorted oldest first. */
export function findOrders(db: Db, owner: Owner, wanted: OrdersWanted): Promise<OpenOrderRow[]> {
  const conditions = [isTheirs(owner)];
  const { from, to, state, after } = wanted;
  if (after !== undefined) conditions.push(sql`b.order_id > ${after}`);
  if (from) conditions.push(sql`b.order_id >= first_order_id(${from}::timestamptz)`);
  if (to) conditions.push(sql`b.order_id < first_order_id(${to}::timestamptz)`);
  if (state) conditions.push(sql`o.state = ${state}`);
  return db.many(sql`
    ${orders} where ${join(conditions, " and ")} order by b.order_id limit ${wanted.limit}`);
}

/** False if this application has already used the number. */
export async function insertBusinessOrder(
  db: Db,
  { tenantId, appId }: Owner,
  { orderId, thirdPartyNo }: { orderId: number; thirdPartyNo: string },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into business_order (tenant_id, order_id, app_id, third_party_no)
    values (${tenantId}, ${orderId}, ${appId}, ${thirdPartyNo})
    on conflict do nothing`);
  return inserted === 1;
}

export function findOpening(db: Db, owner: Owner, id: string): Promise<OpeningRow | null> {
  return db.maybe(sql`
    select ${openingColumns} from command m
    join business_order b on b.tenant_id = m.tenant_id and b.order_id = m.order_id
    where m.id = ${id} and m.purpose is not null and ${isTheirs(owner)}`);
}

export interface OpenCabinetRow extends Omit<OpenCabinet, "refusal"> {
  cabinetId: number;
  isTenantOpen: boolean;
  lifecycle: Lifecycle;
  service: { state: ServiceState };
}

const cabinets = (tenantId: number, more: Sql): Sql => {
  const [c, v, k] = [sql`c`, sql`v`, sql`k`];
  return sql`
    select c.id as "cabinetId", c.sn, c.name, m.side, s.name as "storeName",
      concat_ws(' ', nullif(s.region, ''), nullif(s.address, ''), nullif(c.place, '')) as address,
      coalesce(c.longitude, s.longitude) as longitude,
      coalesce(c.latitude, s.latitude) as latitude,
      ${isConnectedSql(c)} as "isOnline", tenant_is_open(t) as "isTenantOpen", c.lifecycle, ${serviceFactsSql(v)} as service,
      coalesce((
        select jsonb_agg(z order by array_position(array['S', 'M', 'L', 'XL'], z.size)) from (
          select k.size, count(*)::int as total,
            (count(*) filter (where ${isAvailableSql(k)}
              and (k.door_back is null or k.door_front = 'CLOSED')))::int as free
          from compartment k where k.tenant_id = c.tenant_id and k.cabinet_id = c.id
          group by k.size) z), '[]') as sizes
    from cabinet c
    join cabinet_model m on m.id = c.model_id
    join tenant t on t.id = c.tenant_id
    left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
    ${serviceJoinSql(c, v)}
    where c.tenant_id = ${tenantId} and c.lifecycle <> 'RETIRED' and ${more}`;
};

export function findCabinet(db: Db, tenantId: number, sn: string): Promise<OpenCabinetRow | null> {
  return db.maybe(cabinets(tenantId, sql`c.sn = ${sn}`));
}

/** Sorted by serial number (keyset pagination). */
export function findCabinets(
  db: Db,
  tenantId: number,
  { after, limit }: { after?: string; limit: number },
): Promise<OpenCabinetRow[]> {
  const behind = after === undefined ? sql`true` : sql`c.sn > ${after}`;
  return db.many(sql`${cabinets(tenantId, behind)} order by c.sn limit ${limit}`);
}

export async function findTenantName(db: Db, tenantId: number): Promise<string> {
  const { name } = await db.one<{ name: string }>(sql`
    select name from tenant where id = ${tenantId}`);
  return name;
}
