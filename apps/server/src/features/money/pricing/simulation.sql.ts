// Past stays with the rules they were charged by, in a compact form for the replay.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { type PricingRule, pricingOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { and, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

export type SimulationQuery = Input<typeof pricingContract.simulate>["query"];

export interface StayRow {
  orderId: number;
  cabinetId: number;
  storeId: number | null;
  compartmentNo: number;
  size: Size;
  createdAt: string;
  minutes: number;
  priceFen: number;
  /** Index in the rules. */
  rule: number;
}

const isVisible = (session: Session, requestedTenantId?: number) =>
  storePredicate(session, sql`cabinet.tenant_id`, sql`cabinet.store_id`, requestedTenantId);

/**
 * Stays charged at pickup, of orders that began on these days. The charged time ends at the request
 * to open the door; newest first, at most `most`.
 */
export async function findPastStays(
  db: Db,
  session: Session,
  query: SimulationQuery,
  most: number,
): Promise<{ stays: StayRow[]; rules: PricingRule[] }> {
  const { side, from, to, tenantId, storeId, cabinetId } = query;
  const conditions = and(
    sql`ord.side = ${side}`,
    sql`ord.id >= first_order_id(${dayStartSql(from)})`,
    sql`ord.id < first_order_id(${dayStartSql(to, 1)})`,
    sql`ord.state in ('COMPLETED', 'TAKEN_BACK')`,
    sql`ord.stored_at is not null`,
    sql`ord.cabinet_id = any(array(
      select cabinet.id from cabinet where ${isVisible(session, tenantId)}))`,
    storeId && sql`ord.store_id = ${storeId}`,
    cabinetId && sql`ord.cabinet_id = ${cabinetId}`,
  );
  const rows = await db.many<PricedStayRow>(sql`
    select ord.id as order_id, ord.cabinet_id, ord.store_id, ord.compartment_no, ord.size,
      ord.created_at, ord.price_fen, ord.pricing,
      -- Orders from before migration 0115 have no charged minutes.
      coalesce(ord.charged_minutes, ceil(greatest(0, extract(epoch from coalesce(order_event.at,
        ord.ended_at) - ord.stored_at)) / 60)::int) as minutes
    from storage_order ord
    left join lateral (
      select max(order_event.at) as at from order_event
      where order_event.tenant_id = ord.tenant_id and order_event.order_id = ord.id
        and order_event.kind = 'OPEN_REQUESTED'
        and order_event.at >= ord.stored_at) order_event on ord.charged_minutes is null
    where ${conditions}
    order by ord.id desc limit ${most}`);
  return shareRules(rows);
}

/** With the copy of its rule, as stored. */
type PricedStayRow = Omit<StayRow, "rule"> & { pricing: unknown };

/** Deduplicates rules: thousands of stays share a handful. */
function shareRules(rows: PricedStayRow[]) {
  const rules: PricingRule[] = [];
  const indexOf = new Map<string, number>();
  const stays = rows.map(({ pricing, ...row }): StayRow => {
    const text = JSON.stringify(pricing);
    const known = indexOf.get(text) ?? rules.push(pricingOf(pricing).rule) - 1;
    indexOf.set(text, known);
    return { ...row, rule: known };
  });
  return { stays, rules };
}

export function findCabinetNames(
  db: Db,
  session: Session,
  cabinetIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return db.many(sql`
    select cabinet.id, cabinet.name from cabinet
    where cabinet.id = any(${cabinetIds}::bigint[]) and ${isVisible(session)}`);
}

export function findStoreNames(
  db: Db,
  session: Session,
  storeIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return db.many(sql`
    select store.id, store.name from store
    where store.id = any(${storeIds}::bigint[])
      and ${storePredicate(session, sql`store.tenant_id`, sql`store.id`)}`);
}
