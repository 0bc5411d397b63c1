// Past stays with the rules they were charged by, in a compact form for the replay.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, join, sql } from "../../../platform/db/db.ts";
import { storePredicate } from "../../organization/store/index.ts";

export type SimulationQuery = Input<typeof pricingContract.simulate>["query"];

export interface StayRow {
  orderId: number;
  cabinetId: number;
  storeId: number | null;
  compartmentNo: number;
  minutes: number;
  priceFen: number;
  /** Index in the rules. */
  rule: number;
}

const isVisible = (session: Session, requestedTenantId?: number) =>
  storePredicate(session, sql`c.tenant_id`, sql`c.store_id`, requestedTenantId);

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
  const conditions = [
    sql`o.side = ${side}`,
    sql`o.id >= first_order_id(${from}::date::timestamp at time zone 'Asia/Shanghai')`,
    sql`o.id < first_order_id((${to}::date + 1)::timestamp at time zone 'Asia/Shanghai')`,
    sql`o.state in ('COMPLETED', 'TAKEN_BACK')`,
    sql`o.stored_at is not null`,
    sql`o.cabinet_id = any(array(
      select c.id from cabinet c where ${isVisible(session, tenantId)}))`,
  ];
  if (storeId) conditions.push(sql`o.store_id = ${storeId}`);
  if (cabinetId) conditions.push(sql`o.cabinet_id = ${cabinetId}`);
  const rows = await db.many<Omit<StayRow, "rule"> & { rule: PricingRule }>(sql`
    select o.id as "orderId", o.cabinet_id as "cabinetId", o.store_id as "storeId",
      o.compartment_no as "compartmentNo", o.price_fen as "priceFen", o.pricing -> 'rule' as rule,
      ceil(greatest(0, extract(epoch from coalesce(e.at, o.ended_at) - o.stored_at)) / 60)::int
        as minutes
    from storage_order o
    left join lateral (
      select max(e.at) as at from order_event e
      where e.tenant_id = o.tenant_id and e.order_id = o.id and e.kind = 'OPEN_REQUESTED'
        and e.at >= o.stored_at) e on true
    where ${join(conditions, " and ")}
    order by o.id desc limit ${most}`);
  return shareRules(rows);
}

/** Deduplicates rules: thousands of stays share a handful. */
function shareRules(rows: (Omit<StayRow, "rule"> & { rule: PricingRule })[]) {
  const rules: PricingRule[] = [];
  const indexOf = new Map<string, number>();
  const stays = rows.map((row): StayRow => {
    const text = JSON.stringify(row.rule);
    const known = indexOf.get(text) ?? rules.push(row.rule) - 1;
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
    select c.id, c.name from cabinet c
    where c.id = any(${cabinetIds}::bigint[]) and ${isVisible(session)}`);
}

export function findStoreNames(
  db: Db,
  session: Session,
  storeIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return db.many(sql`
    select s.id, s.name from store s
    where s.id = any(${storeIds}::bigint[])
      and ${storePredicate(session, sql`s.tenant_id`, sql`s.id`)}`);
}
