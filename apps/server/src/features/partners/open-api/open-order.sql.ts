// Third parties' orders and the tenant's cabinets in SQL, as the open API returns them.
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { RatedRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { OrderMoney } from "@cabinet/contract/orders/order/order.rules.ts";
import type {
  OpenCabinet,
  OpenOpening,
  OpenOrder,
} from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import type { ChangePosition } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type { Partner } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";
import { isSettledSql } from "../../fleet/command/index.ts";
import {
  isAvailableSql,
  serviceFactsSql,
  serviceJoinSql,
} from "../../link/cabinet-condition/index.ts";
import { isConnectedSql } from "../../link/device/index.ts";
import { nearestRuleSql } from "../../money/pricing/index.ts";
import { runningMinutesSql, unreachableSecondsSql } from "../../orders/order/index.ts";

type Owner = Pick<Partner, "tenantId" | "appId">;

export interface OpenOrderRow
  extends Omit<OpenOrder, "freeUntil" | "pricing" | "priceFen" | "owedFen" | "recipientPhone">,
    OrderMoney {
  cabinetId: number;
  phone: string;
  /** Copy of the rule, as stored. */
  pricing: unknown;
  runningMinutes: number | null;
  unreachableSeconds: number;
}

const openingColumns = sql`
  command.id, command.order_id as "orderId", command.purpose, command.compartment_no as no,
  command.side, command.state, ${isSettledSql(sql`command`)} as "isSettled",
  to_char(command.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;

const orders = sql`
  select ord.id, business_order.third_party_no, ord.state, ord.cabinet_id, cabinet.sn as cabinet_sn,
    cabinet.name as cabinet_name, ord.compartment_no as no, ord.size, ord.side, recipient.phone,
    ord.item_note, ord.created_at, live_order.deposit_until, ord.stored_at, ord.overdue_at,
    ord.ended_at, ord.pricing, 
    ${runningMinutesSql} as running_minutes,
    ceil(${unreachableSecondsSql})::bigint as unreachable_seconds,
    ord.price_fen, ord.covered_fen, ord.waived_fen, ord.paid_principal_fen, ord.paid_bonus_fen,
    ord.refunded_principal_fen, ord.refunded_bonus_fen, to_jsonb(opening) as opening
  from business_order
  join storage_order ord on ord.tenant_id = business_order.tenant_id
    and ord.id = business_order.order_id
  join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
  join end_user recipient on recipient.tenant_id = ord.tenant_id and recipient.id = ord.recipient_id
  left join live_order on live_order.tenant_id = ord.tenant_id and live_order.order_id = ord.id
  left join lateral (
    select ${openingColumns} from command
    where command.tenant_id = ord.tenant_id and command.order_id = ord.id
      and command.purpose is not null
    order by command.created_at desc limit 1) opening on true`;

const isTheirs = ({ tenantId, appId }: Owner) =>
  sql`business_order.tenant_id = ${tenantId} and business_order.app_id = ${appId}`;

/** Null if it does not exist or belongs to another application. */
export function findOrder(
  db: Db,
  owner: Owner,
  which: { id: number } | { thirdPartyNo: string },
): Promise<OpenOrderRow | null> {
  const asked =
    "id" in which
      ? sql`business_order.order_id = ${which.id}`
      : sql`business_order.third_party_no = ${which.thirdPartyNo}`;
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
  const { from, to, state, after } = wanted;
  const conditions = and(
    isTheirs(owner),
    after !== undefined && sql`business_order.order_id > ${after}`,
    from && sql`business_order.order_id >= first_order_id(${from}::timestamptz)`,
    to && sql`business_order.order_id < first_order_id(${to}::timestamptz)`,
    state && sql`ord.state = ${state}`,
  );
  return db.many(sql`
    ${orders} where ${conditions} order by business_order.order_id
    limit ${wanted.limit}`);
}

/**
 * Orders by their last change. Changes of transactions that began after the oldest running one wait for it: a commit
 * that comes later is never sorted before the rows that a reader has had.
 */
export async function findChangedOrders(
  db: Db,
  owner: Owner,
  { updatedAfter, position: start, limit }: ChangesWanted,
): Promise<{ order: OpenOrderRow; position: ChangePosition }[]> {
  const changes = await db.many<{ orderId: number; tx: number }>(sql`
    select change.order_id, change.change_tx as tx from business_order_change change
    where change.tenant_id = ${owner.tenantId} and change.app_id = ${owner.appId}
      and change.change_tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      and (change.change_tx, change.order_id) > (${start.tx}::bigint, ${start.orderId}::bigint)
      ${updatedAfter ? sql`and change.changed_at >= ${updatedAfter}::timestamptz` : sql``}
    order by change.change_tx, change.order_id limit ${limit}`);
  const rows = await db.many<OpenOrderRow>(sql`
    ${orders} where ${isTheirs(owner)}
      and business_order.order_id = any(${changes.map(({ orderId }) => orderId)}::bigint[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return changes.flatMap((position) => {
    const order = byId.get(position.orderId);
    return order ? [{ order, position: { restorations: start.restorations, ...position } }] : [];
  });
}

export async function countRestorations(db: Db): Promise<number> {
  return (await db.one<{ count: number }>(sql`select count(*)::int as count from restoration`))
    .count;
}

/**
 * After a restoration: the numbers are those of the cluster that was backed up, and may lie in this one's future (0154). The
 * backup may be of a version without the table.
 */
export async function resetChanges(db: Db): Promise<void> {
  const { known } = await db.one<{ known: boolean }>(sql`
    select to_regclass('business_order_change') is not null as known`);
  if (known) await db.run(sql`update business_order_change set change_tx = 0`);
}

export interface ChangesWanted {
  updatedAfter?: string;
  position: ChangePosition;
  limit: number;
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

export function findOpening(db: Db, owner: Owner, id: string): Promise<OpenOpening | null> {
  return db.maybe(sql`
    select ${openingColumns} from command
    join business_order on business_order.tenant_id = command.tenant_id
      and business_order.order_id = command.order_id
    where command.id = ${id} and command.purpose is not null and ${isTheirs(owner)}`);
}

export interface OpenCabinetRow extends Omit<OpenCabinet, "refusal" | "sizes"> {
  sizes: Omit<OpenCabinet["sizes"][number], "pricing">[];
  /** Null: none is set. */
  rule: RatedRule | null;
  cabinetId: number;
  isTenantOpen: boolean;
  lifecycle: Lifecycle;
  service: { state: ServiceState };
}

const cabinets = (tenantId: number, more: Sql): Sql => {
  const [cabinet, service, comp] = [sql`cabinet`, sql`service`, sql`comp`];
  return sql`
    select cabinet.id as cabinet_id, cabinet.sn, cabinet.name, model.side, store.name as store_name,
      concat_ws(' ', nullif(store.region, ''), nullif(store.address, ''),
        nullif(cabinet.place, '')) as address,
      coalesce(cabinet.longitude, store.longitude) as longitude,
      coalesce(cabinet.latitude, store.latitude) as latitude,
      ${isConnectedSql(cabinet)} as is_online, tenant_is_open(tenant) as is_tenant_open,
      cabinet.lifecycle, ${serviceFactsSql(service)} as service,
      coalesce((
        select jsonb_agg(free_size order by array_position(array['S', 'M', 'L', 'XL'],
          free_size.size)) from (
          select comp.size, count(*)::int as total,
            (count(*) filter (where ${isAvailableSql(comp)}
              and (comp.door_back is null or comp.door_front = 'CLOSED')))::int as free
          from compartment comp where comp.tenant_id = cabinet.tenant_id
            and comp.cabinet_id = cabinet.id
          group by comp.size) free_size), '[]') as sizes,
      nearest.body as rule
    from cabinet
    join cabinet_model model on model.id = cabinet.model_id
    join tenant on tenant.id = cabinet.tenant_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    left join lateral (${nearestRuleSql({
      tenantId: sql`cabinet.tenant_id`,
      id: sql`cabinet.id`,
      storeId: sql`cabinet.store_id`,
    })}) nearest on true
    ${serviceJoinSql(cabinet, service)}
    where cabinet.tenant_id = ${tenantId} and cabinet.lifecycle <> 'RETIRED' and ${more}`;
};

export function findCabinet(db: Db, tenantId: number, sn: string): Promise<OpenCabinetRow | null> {
  return db.maybe(cabinets(tenantId, sql`cabinet.sn = ${sn}`));
}

/** Sorted by serial number (keyset pagination). */
export function findCabinets(
  db: Db,
  tenantId: number,
  { after, limit }: { after?: string; limit: number },
): Promise<OpenCabinetRow[]> {
  const behind = after === undefined ? sql`true` : sql`cabinet.sn > ${after}`;
  return db.many(sql`${cabinets(tenantId, behind)} order by cabinet.sn limit ${limit}`);
}

export async function findTenantName(db: Db, tenantId: number): Promise<string> {
  const { name } = await db.one<{ name: string }>(sql`
    select name from tenant where id = ${tenantId}`);
  return name;
}
