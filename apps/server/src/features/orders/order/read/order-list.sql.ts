// SQL of the order list for consoles: a page found by indexes alone, and one order in full.
import type { Connectivity, Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { PricingRule, PricingScope } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type {
  Order,
  OrderDetail,
  orderContract,
} from "@cabinet/contract/orders/order/order.contract.ts";
import { type Session, tenantPredicate } from "../../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../../platform/db/page.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../../../fleet/cabinet/index.ts";
import { connectivitySql } from "../../../link/device/index.ts";

export type OrderQuery = Input<typeof orderContract.list>["query"];

const c = sql`c`;

/** One row of the list before the service masks phones and updates the running price. */
export type OrderRow = Order & { pricing: { scope: PricingScope; rule: PricingRule } };

/** Restricts to the account's tenant; for store-bound staff also to cabinets in their stores. */
function isVisibleSql(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`o.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and o.cabinet_id = any(array(
    select c.id from cabinet c where ${cabinetPredicate(session, c, requestedTenantId)}))`;
}

function matching(session: Session, query: OrderQuery): Sql {
  const { tenantId, cabinetId, storeId, state, payStatus, from, to } = query;
  const conditions = [isVisibleSql(session, tenantId), sql`o.side = ${query.side}`];
  if (query.orderNo) conditions.push(sql`o.id = ${query.orderNo}`);
  const thirdPartyNo = query.thirdPartyNo?.trim();
  if (thirdPartyNo) conditions.push(sql`o.third_party_no = ${thirdPartyNo}`);
  const keyword = query.keyword?.trim();
  if (keyword) {
    conditions.push(sql`o.cabinet_id = any(array(
      select c.id from cabinet c
      where ${cabinetPredicate(session, c, tenantId)} and ${cabinetKeywordSql(c, keyword)}))`);
  }
  if (cabinetId) conditions.push(sql`o.cabinet_id = ${cabinetId}`);
  if (storeId) conditions.push(sql`o.store_id = ${storeId}`);
  if (state) conditions.push(sql`o.state = ${state}`);
  if (payStatus) conditions.push(sql`o.pay_status = ${payStatus}`);
  // Literals repeat the predicates of the partial indexes: the planner cannot prove a bare parameter.
  if (state && state !== "COMPLETED") conditions.push(sql`o.state <> 'COMPLETED'`);
  if (payStatus && payStatus !== "NONE" && payStatus !== "PAID") {
    conditions.push(sql`o.pay_status not in ('NONE', 'PAID')`);
  }
  // An order id encodes its creation time: a time range prunes to the monthly partitions it touches.
  if (from) conditions.push(sql`o.id >= first_order_id(${from}::timestamptz)`);
  if (to) conditions.push(sql`o.id < first_order_id(${to}::timestamptz + interval '1 second')`);
  return join(conditions, " and ");
}

/** Keys of all matching orders; a search by person goes from end users to orders, as recipient or rider. */
function keysSql(session: Session, query: OrderQuery): Sql {
  const { phone, endUserId, tenantId } = query;
  const matched = matching(session, query);
  if (!phone && !endUserId) {
    return sql`select o.tenant_id, o.id from storage_order o where ${matched}`;
  }
  const people = [tenantPredicate(session, sql`u.tenant_id`, tenantId)];
  if (endUserId) people.push(sql`u.id = ${endUserId}`);
  if (phone) people.push(phone.length === 11 ? sql`u.phone = ${phone}` : isPartSql(phone));
  const of = (column: Sql) => sql`
    select o.tenant_id, o.id
    from end_user u join storage_order o on o.tenant_id = u.tenant_id and ${column} = u.id
    where ${join(people, " and ")} and ${matched}`;
  return sql`${of(sql`o.recipient_id`)} union ${of(sql`o.rider_id`)}`;
}

/** Digits only, enforced by the contract: no LIKE wildcards to escape. */
const isPartSql = (digits: string) => sql`u.phone like ${`%${digits}%`}`;

const person = (alias: Sql) => sql`case when ${alias}.id is not null then
  jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'phone', ${alias}.phone) end`;

/** Started minutes since the goods came in, until the end or now; null before they are in. */
export const stayMinutesSql = (o: Sql): Sql => sql`case when ${o}.stored_at is not null then ceil(
  greatest(0, extract(epoch from coalesce(${o}.ended_at, now()) - ${o}.stored_at)) / 60)::int end`;

const columns = sql`
  o.id, o.tenant_id as "tenantId", t.name as "tenantName", o.side, o.created_at as "createdAt",
  o.cabinet_id as "cabinetId", c.sn as "cabinetSn", c.name as "cabinetName",
  o.store_id as "storeId", s.name as "storeName", o.compartment_no as "compartmentNo", o.size,
  o.state, o.pay_status as "payStatus", o.third_party_no as "thirdPartyNo",
  ${person(sql`d`)} as rider, ${person(sql`r`)} as recipient, o.item_note as "itemNote",
  o.stored_at as "storedAt", o.overdue_at as "overdueAt", o.ended_at as "endedAt",
  ${stayMinutesSql(sql`o`)} as "stayMinutes",
  o.price_fen as "priceFen", o.covered_fen as "coveredFen", o.waived_fen as "waivedFen",
  o.paid_principal_fen as "paidPrincipalFen", o.paid_bonus_fen as "paidBonusFen",
  o.refunded_principal_fen as "refundedPrincipalFen", o.refunded_bonus_fen as "refundedBonusFen",
  o.pricing`;

// Left joins although every row exists: the planner then keeps the number of rows of the page. Inner
// joins on (tenant_id, id) are estimated at one row in platform scope, where no tenant is fixed and
// autovacuum never analyzes `tenant` or `storage_order`; the plan then rescans all orders for each row.
const joins = sql`
  left join tenant t on t.id = o.tenant_id
  left join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
  left join store s on s.tenant_id = o.tenant_id and s.id = o.store_id
  left join end_user r on r.tenant_id = o.tenant_id and r.id = o.recipient_id
  left join end_user d on d.tenant_id = o.tenant_id and d.id = o.rider_id`;

/** Newest first. Finds the keys of the page by index, then joins only these rows. */
export function findOrders(db: Db, session: Session, query: OrderQuery): Promise<Page<OrderRow>> {
  const keys = keysSql(session, query);
  return findPage(db, {
    matching: sql`from (${keys}) k`,
    rows: sql`
      select ${columns}
      from (
        select k.tenant_id, k.id from (${keys}) k order by k.id desc ${pageLimits(query)}
      ) k
      left join storage_order o on o.tenant_id = k.tenant_id and o.id = k.id ${joins}
      order by k.id desc`,
  });
}

export type DetailRow = OrderRow &
  Pick<
    OrderDetail,
    "exceptionReason" | "packageName" | "depositUntil" | "hasCode" | "isInDoubt"
  > & {
    /** Minutes of the stay when its last opening was requested; null before the first one for pickup. */
    pricedAfterMinutes: number | null;
    connectivity: Connectivity;
    lifecycle: Lifecycle;
    cell: NonNullable<OrderDetail["place"]>["cell"] | null;
  };

/** Null when the order does not exist or is not visible to this account. */
export function findOrder(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns}, o.exception_reason as "exceptionReason", p.name as "packageName",
      l.deposit_until as "depositUntil", l.code_hash is not null as "hasCode",
      l.doubt_id is not null as "isInDoubt",
      case when e.at > o.stored_at then ceil(extract(epoch from e.at - o.stored_at) / 60)::int end
        as "pricedAfterMinutes",
      ${connectivitySql(c)} as connectivity, c.lifecycle,
      case when l.order_id is not null then jsonb_build_object('no', k.no, 'size', k.size,
        'adminState', k.admin_state, 'adminReason', k.admin_reason, 'occupancy', k.occupancy,
        'occupiedSince', k.occupied_since, 'doorFront', k.door_front, 'doorBack', k.door_back,
        'item', k.item) end as cell
    from storage_order o ${joins}
    left join live_order l on l.tenant_id = o.tenant_id and l.order_id = o.id
    left join compartment k on k.tenant_id = o.tenant_id and k.cabinet_id = o.cabinet_id
      and k.no = o.compartment_no
    left join user_package p on p.tenant_id = o.tenant_id and p.id = o.user_package_id
    left join lateral (
      select max(e.at) as at from order_event e
      where e.tenant_id = o.tenant_id and e.order_id = o.id and e.kind = 'OPEN_REQUESTED') e on true
    where o.id = ${id} and ${isVisibleSql(session)}`);
}

export interface OrderPhones {
  tenantId: number;
  rider: string | null;
  recipient: string;
}

/** Unmasked phones: the caller writes the audit entry. */
export function findPhones(db: Db, session: Session, id: number): Promise<OrderPhones | null> {
  return db.maybe(sql`
    select o.tenant_id as "tenantId", d.phone as rider, r.phone as recipient
    from storage_order o
    left join end_user r on r.tenant_id = o.tenant_id and r.id = o.recipient_id
    left join end_user d on d.tenant_id = o.tenant_id and d.id = o.rider_id
    where o.id = ${id} and ${isVisibleSql(session)}`);
}

export interface VisibleOrderKey {
  tenantId: number;
  orderId: number;
  cabinetId: number;
  cabinetSn: string;
  compartmentNo: number;
}

/** Key of an order for actions; null when it does not exist or is not visible to this account. */
export function findOrderKey(
  db: Db,
  session: Session,
  id: number,
): Promise<VisibleOrderKey | null> {
  return db.maybe(sql`
    select o.tenant_id as "tenantId", o.id as "orderId", o.cabinet_id as "cabinetId",
      c.sn as "cabinetSn", o.compartment_no as "compartmentNo"
    from storage_order o
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    where o.id = ${id} and ${isVisibleSql(session)}`);
}
