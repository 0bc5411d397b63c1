// SQL of the order list for consoles: a page found by indexes alone, and one order in full.
import type { Connectivity, Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { type Page, SUM_CAP } from "@cabinet/contract/kit/pagination.ts";
import type {
  Order,
  OrderDetail,
  orderContract,
} from "@cabinet/contract/orders/order/order.contract.ts";
import { isPriceRunning } from "@cabinet/contract/orders/order/order.rules.ts";
import { SIDES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { ORDER_STATES, type OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { type Session, tenantPredicate } from "../../../../platform/context.ts";
import type { Db } from "../../../../platform/db/db.ts";
import {
  findPage,
  isFiltered,
  isPlainFirstPage,
  pageLimits,
} from "../../../../platform/db/page.ts";
import { endUserPhoneSql } from "../../../../platform/db/phone.sql.ts";
import { and, endSql, join, raw, type Sql, sql } from "../../../../platform/db/sql.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../../../fleet/cabinet/index.ts";
import { connectivitySql } from "../../../link/device/index.ts";

export type OrderQuery = Input<typeof orderContract.list>["query"];
export type OrderFilters = Input<typeof orderContract.sums>["query"];

const cabinet = sql`cabinet`;

/** One row of the list before the service masks phones and updates the running price. */
export type OrderRow = Order & {
  /** Copy of the rule, as stored. */
  pricing: unknown;
  /** Minutes that the price follows; null while it stands or nothing is stored. */
  runningMinutes: number | null;
};

/** Restricts to the account's tenant; for store-bound staff also to cabinets in their stores. */
export function isVisibleOrderSql(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`ord.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and ord.cabinet_id = any(array(
    select cabinet.id from cabinet where ${cabinetPredicate(session, cabinet, requestedTenantId)}))`;
}

/**
 * Side and state as literals, from closed lists. With a parameter PostgreSQL takes the plan for all values to be dearer
 * and plans every month anew in each execution.
 */
const literals = new Map<Side | OrderState, Sql>(
  [...SIDES, ...ORDER_STATES].map((value) => [value, raw(`'${value}'`)]),
);

/** An index has the orders of a side, and of a state, in the order of the list: no filters to plan by. */
const withoutIndexed = <Query extends OrderFilters>(query: Query) => ({
  ...query,
  side: undefined,
  state: undefined,
});

/** True for a page whose statements depend on the account alone. */
export const isIndexedFirstPage = (query: OrderQuery): boolean =>
  isPlainFirstPage(withoutIndexed(query));

/** Most cabinets that are passed by id: planning looks up each id in the statistics of each month. */
const MOST_IDS = 1_000;

/**
 * Predicate for the cabinets that the keyword and the account's stores leave; null where they leave all. PostgreSQL knows how
 * many orders these ids have; of a subquery it expects ten cabinets of the average size, and reads all their orders.
 */
async function cabinetsSql(db: Db, session: Session, query: OrderFilters): Promise<Sql | null> {
  const keyword = query.keyword?.trim();
  if (!keyword && !session.isStoreBound) return null;
  const wanted = sql`select cabinet.id from cabinet where ${and(
    cabinetPredicate(session, cabinet, query.tenantId),
    keyword && cabinetKeywordSql(cabinet, keyword),
  )}`;
  const [cabinets] = await Promise.all([
    db.many<{ id: number }>(sql`${wanted} limit ${MOST_IDS + 1}`),
    // From the sixth call on, the plan for the average tenant would seem cheaper.
    db.run(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`),
  ]);
  return cabinets.length > MOST_IDS
    ? sql`ord.cabinet_id = any(array(${wanted}))`
    : sql`ord.cabinet_id = any(${cabinets.map(({ id }) => id)}::bigint[])`;
}

function matching(session: Session, query: OrderFilters, isOfCabinets: Sql | null): Sql {
  const { tenantId, cabinetId, storeId, state, payStatus, from, to } = query;
  // Other filters are planned by their values in any case: no statement for each side and state.
  const isByValues = isFiltered(withoutIndexed(query));
  const indexed = (value: Side | OrderState) =>
    (isByValues ? undefined : literals.get(value)) ?? sql`${value}`;
  const thirdPartyNo = query.thirdPartyNo?.trim();
  return and(
    tenantPredicate(session, sql`ord.tenant_id`, tenantId),
    isOfCabinets,
    sql`ord.side = ${indexed(query.side)}`,
    query.orderNo && sql`ord.id = ${query.orderNo}`,
    thirdPartyNo && sql`ord.third_party_no = ${thirdPartyNo}`,
    cabinetId && sql`ord.cabinet_id = ${cabinetId}`,
    storeId && sql`ord.store_id = ${storeId}`,
    state && sql`ord.state = ${indexed(state)}`,
    payStatus && sql`ord.pay_status = ${payStatus}`,
    // Literals repeat the predicates of the partial indexes: the planner cannot prove a bare parameter.
    state && state !== "COMPLETED" && sql`ord.state <> 'COMPLETED'`,
    payStatus &&
      payStatus !== "NONE" &&
      payStatus !== "PAID" &&
      sql`ord.pay_status not in ('NONE', 'PAID')`,
    // An order id encodes its creation time: a time range prunes to the monthly partitions it touches.
    from && sql`ord.id >= first_order_id(${from}::timestamptz)`,
    to && sql`ord.id < first_order_id(${endSql(to)})`,
  );
}

/** Keys of all matching orders; a search by person goes from end users to orders, as recipient or rider. */
async function keysSql(db: Db, session: Session, query: OrderFilters): Promise<Sql> {
  const { phone, endUserId, tenantId } = query;
  const matched = matching(session, query, await cabinetsSql(db, session, query));
  if (!phone && !endUserId) {
    return sql`select ord.tenant_id, ord.id from storage_order ord where ${matched}`;
  }
  const people = [tenantPredicate(session, sql`end_user.tenant_id`, tenantId)];
  if (endUserId) people.push(sql`end_user.id = ${endUserId}`);
  if (phone) people.push(endUserPhoneSql(session, phone));
  const of = (column: Sql) => sql`
    select ord.tenant_id, ord.id
    from end_user join storage_order ord on ord.tenant_id = end_user.tenant_id
      and ${column} = end_user.id
    where ${join(people, " and ")} and ${matched}`;
  return sql`${of(sql`ord.recipient_id`)} union ${of(sql`ord.rider_id`)}`;
}

const person = (alias: Sql) => sql`case when ${alias}.id is not null then
  jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'phone', ${alias}.phone) end`;

/** Started minutes since the goods came in, until the end or now; null before they are in. */
const stayMinutesSql = sql`case when ord.stored_at is not null then ceil(
  greatest(0, extract(epoch from coalesce(ord.ended_at, now()) - ord.stored_at)) / 60)::int end`;

/** Literals, so that PostgreSQL keeps the plan. */
const isRunningSql = raw(
  `ord.state in (${ORDER_STATES.filter(isPriceRunning).map((state) => `'${state}'`)})`,
);

/** Seconds of the stay `ord` in which its `cabinet` could not be opened, since nobody reached it. */
export const unreachableSecondsSql: Sql = sql`(ord.unreachable_seconds
  + case when ord.ended_at is null and cabinet.offline_at <= now() then greatest(0, extract(
    epoch from now() - greatest(ord.stored_at, cabinet.last_seen_at))) else 0 end)`;

/** Started minutes of the stay `ord` in which its `cabinet` could be opened, until the end or now; null before the goods are in. */
export const chargeableMinutesSql: Sql = sql`case when ord.stored_at is not null then ceil(greatest(0,
  extract(epoch from coalesce(ord.ended_at, now()) - ord.stored_at)
    - ${unreachableSecondsSql}) / 60)::int end`;

/** Minutes that the price of `ord` follows; null while it stands or nothing is stored. */
export const runningMinutesSql: Sql = sql`case
  when ord.charged_minutes is null and ${isRunningSql} then ${chargeableMinutesSql} end`;

const columns = sql`
  ord.id, ord.tenant_id, tenant.name as tenant_name, ord.side, ord.created_at, ord.cabinet_id,
  cabinet.sn as cabinet_sn, cabinet.name as cabinet_name, ord.store_id, store.name as store_name,
  ord.compartment_no, ord.size, ord.state, ord.pay_status, ord.third_party_no,
  ${person(sql`rider`)} as rider, ${person(sql`recipient`)} as recipient, ord.item_note,
  ord.stored_at, ord.overdue_at, ord.ended_at, ${stayMinutesSql} as stay_minutes,
  ${runningMinutesSql} as running_minutes, ord.price_fen, ord.covered_fen, ord.waived_fen, ord.paid_principal_fen, ord.paid_bonus_fen,
  ord.refunded_principal_fen, ord.refunded_bonus_fen, ord.pricing`;

// Left joins although every row exists: the planner then keeps the number of rows of the page. Inner
// joins on (tenant_id, id) are estimated at one row in platform scope, where no tenant is fixed and
// autovacuum never analyzes `tenant` or `storage_order`; the plan then rescans all orders for each row.
const joins = sql`
  left join tenant on tenant.id = ord.tenant_id
  left join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
  left join store on store.tenant_id = ord.tenant_id and store.id = ord.store_id
  left join end_user recipient on recipient.tenant_id = ord.tenant_id
    and recipient.id = ord.recipient_id
  left join end_user rider on rider.tenant_id = ord.tenant_id and rider.id = ord.rider_id`;

/** Newest first. Finds the keys of the page by index, then joins only these rows. */
export async function findOrders(
  db: Db,
  session: Session,
  query: OrderQuery,
): Promise<Page<OrderRow>> {
  const keys = await keysSql(db, session, query);
  return findPage(db, {
    matching: sql`from (${keys}) matched`,
    rows: sql`
      select ${columns}
      from (
        select matched.tenant_id, matched.id from (${keys}) matched
        order by matched.id desc ${pageLimits(withoutIndexed(query))}
      ) matched
      left join storage_order ord on ord.tenant_id = matched.tenant_id
        and ord.id = matched.id ${joins}
      order by matched.id desc`,
  });
}

/** Sums of the orders of one rule and stay; of all whose price no longer runs without these. */
export interface OrderSumRow {
  /** Copy of the rule, as stored; null once the order has ended. */
  pricing: unknown;
  runningMinutes: number | null;
  count: number;
  priceFen: number;
  paidFen: number;
  refundedFen: number;
}

/** Over the newest orders up to the cap. A running price follows its rule: the service calculates it. */
export async function sumOrders(
  db: Db,
  session: Session,
  query: OrderFilters,
): Promise<OrderSumRow[]> {
  const keys = await keysSql(db, session, query);
  return db.many(sql`
    select pricing, running_minutes, count(*)::int as count, sum(price_fen)::bigint as price_fen,
      sum(paid_fen)::bigint as paid_fen, sum(refunded_fen)::bigint as refunded_fen
    from (
      select case when ord.ended_at is null then ord.pricing end as pricing,
        ${runningMinutesSql} as running_minutes, ord.price_fen, ord.paid_principal_fen + ord.paid_bonus_fen as paid_fen,
        ord.refunded_principal_fen + ord.refunded_bonus_fen as refunded_fen
      from (
        select matched.tenant_id, matched.id from (${keys}) matched
        order by matched.id desc limit ${SUM_CAP}) matched
      left join storage_order ord on ord.tenant_id = matched.tenant_id and ord.id = matched.id
      left join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    ) summed
    group by pricing, running_minutes`);
}

export type DetailRow = OrderRow &
  Pick<
    OrderDetail,
    | "exceptionReason"
    | "packageName"
    | "chargedMinutes"
    | "unreachableMinutes"
    | "depositUntil"
    | "hasCode"
    | "isInDoubt"
    | "forcedAt"
    | "isTenantOpen"
  > & {
    connectivity: Connectivity;
    lastSeenAt: string | null;
    lifecycle: Lifecycle;
    cell: NonNullable<OrderDetail["place"]>["cell"] | null;
  };

/**
 * Null when the order does not exist or is not visible to this account. Without `limit 1`, PostgreSQL expects a row in each
 * month and reads whole tables for the joins.
 */
export function findOrder(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns}, ord.exception_reason, user_package.name as package_name,
      live_order.deposit_until, live_order.code_hash is not null as has_code,
      live_order.doubt_id is not null as is_in_doubt, live_order.forced_at,
      coalesce(ord.charged_minutes, ${chargeableMinutesSql}) as charged_minutes,
      floor(${unreachableSecondsSql} / 60)::int as unreachable_minutes,
      tenant_is_open(tenant) as is_tenant_open,
      ${connectivitySql(cabinet)} as connectivity, cabinet.last_seen_at, cabinet.lifecycle,
      case when live_order.order_id is not null
        then jsonb_build_object('no', comp.no, 'size', comp.size,
        'adminState', comp.admin_state, 'adminReason', comp.admin_reason, 'occupancy',
        comp.occupancy,
        'occupiedSince', comp.occupied_since, 'doorFront', comp.door_front, 'doorBack',
        comp.door_back,
        'item', comp.item) end as cell
    from (
      select * from storage_order ord where ord.id = ${id} and ${isVisibleOrderSql(session)} limit 1
    ) ord ${joins}
    left join live_order on live_order.tenant_id = ord.tenant_id and live_order.order_id = ord.id
    left join compartment comp on comp.tenant_id = ord.tenant_id
      and comp.cabinet_id = ord.cabinet_id
      and comp.no = ord.compartment_no
    left join user_package on user_package.tenant_id = ord.tenant_id
      and user_package.id = ord.user_package_id`);
}

export interface OrderPhones {
  tenantId: number;
  rider: string | null;
  recipient: string;
}

/** Unmasked phones: the caller writes the audit entry. */
export function findPhones(db: Db, session: Session, id: number): Promise<OrderPhones | null> {
  return db.maybe(sql`
    select ord.tenant_id, rider.phone as rider, recipient.phone as recipient
    from storage_order ord
    left join end_user recipient on recipient.tenant_id = ord.tenant_id
      and recipient.id = ord.recipient_id
    left join end_user rider on rider.tenant_id = ord.tenant_id and rider.id = ord.rider_id
    where ord.id = ${id} and ${isVisibleOrderSql(session)}`);
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
    select ord.tenant_id, ord.id as order_id, ord.cabinet_id, cabinet.sn as cabinet_sn,
      ord.compartment_no
    from storage_order ord
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    where ord.id = ${id} and ${isVisibleOrderSql(session)}`);
}
