// Pricing rules in SQL: at most one each per tenant, store and cabinet.
import type {
  PricingRuleBody,
  SavedPricing,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { RULE_FIELDS } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { join, raw, type Sql, sql } from "../../../platform/db/sql.ts";

/** Owner of a rule: the tenant if neither store nor cabinet is given. */
export interface PricingPlace {
  tenantId: number;
  storeId?: number;
  cabinetId?: number;
}

export interface PlacedPricing extends SavedPricing {
  storeId: number | null;
  cabinetId: number | null;
}

const columnOf = (field: string) =>
  raw(field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const fieldColumns = RULE_FIELDS.map(columnOf);

const columns = sql`
  rule.store_id, rule.cabinet_id, ${join(fieldColumns.map((column) => sql`rule.${column}`))},
  rule.rates, rule.edit_version as version, rule.edited_at, rule.edited_by`;

const ruleJsonSql = sql`json_build_object(${join(
  RULE_FIELDS.map((field) => sql`${raw(`'${field}'`)}, rule.${columnOf(field)}`),
)}, 'rates', rule.rates)`;

/** The rule in force for a cabinet of these columns, as JSON `body`, with its scope; no row if none is set. */
export const nearestRuleSql = (cabinet: { tenantId: Sql; id: Sql; storeId: Sql }): Sql => sql`
  select case when rule.cabinet_id is not null then 'CABINET'
      when rule.store_id is not null then 'STORE' else 'TENANT' end as scope,
    ${ruleJsonSql} as body
  from pricing_rule rule
  where rule.tenant_id = ${cabinet.tenantId} and (rule.cabinet_id = ${cabinet.id}
    or (rule.cabinet_id is null and (rule.store_id is null or rule.store_id = ${cabinet.storeId})))
  order by rule.cabinet_id nulls last, rule.store_id nulls last limit 1`;

function isAtSql({ tenantId, storeId, cabinetId }: PricingPlace): Sql {
  return sql`rule.tenant_id = ${tenantId} and rule.store_id is not distinct from ${storeId ?? null}
    and rule.cabinet_id is not distinct from ${cabinetId ?? null}`;
}

/** Rules of the tenant, this store and this cabinet, as far as they exist. */
export function findPricing(
  db: Db,
  place: { tenantId: number; storeId: number | null; cabinetId: number },
): Promise<PlacedPricing[]> {
  return db.many(sql`
    select ${columns} from pricing_rule rule
    where rule.tenant_id = ${place.tenantId}
      and (rule.cabinet_id = ${place.cabinetId} or (rule.cabinet_id is null
        and (rule.store_id is null or rule.store_id = ${place.storeId})))`);
}

export function findPricingAt(db: Db, place: PricingPlace): Promise<SavedPricing | null> {
  return db.maybe(sql`select ${columns} from pricing_rule rule where ${isAtSql(place)}`);
}

/**
 * Upserts the rule if its version is the given one (0: none exists yet; null: any version). False
 * on a version conflict. Rates that are not given stay.
 */
export async function writePricing(
  db: Db,
  session: Session,
  place: PricingPlace,
  rule: PricingRuleBody,
  version: number | null,
): Promise<boolean> {
  const values = RULE_FIELDS.map((field) => sql`${rule[field]}::bigint`);
  const updated = fieldColumns.map((column) => sql`${column} = excluded.${column}`);
  const rates = rule.rates ? JSON.stringify(rule.rates) : null;
  const written = await db.run(sql`
    insert into pricing_rule as rule (tenant_id, store_id, cabinet_id, ${join(fieldColumns)}, rates, edited_by)
    select ${place.tenantId}, ${place.storeId ?? null}, ${place.cabinetId ?? null},
      ${join(values)}, coalesce(${rates}::jsonb, '[]'), ${session.signature}
    where coalesce(${version}::int, 0) = 0 or exists (
      select from pricing_rule rule where ${isAtSql(place)})
    on conflict (tenant_id, store_id, cabinet_id) do update set
      ${join(updated)}, rates = coalesce(${rates}::jsonb, rule.rates), edit_version = rule.edit_version + 1, edited_at = now(), edited_by = excluded.edited_by
      where ${version}::int is null or rule.edit_version = ${version}::int`);
  return written === 1;
}

/** Deletes the rule; false on a version conflict. */
export async function deletePricing(
  db: Db,
  place: PricingPlace,
  version: number | null,
): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from pricing_rule rule
    where ${isAtSql(place)} and (${version}::int is null or rule.edit_version = ${version}::int)`);
  return deleted === 1 || !version;
}

/** Number of cabinets whose nearest rule is that of this tenant or store. */
export async function countCabinetsUnder(
  db: Db,
  { tenantId, storeId }: PricingPlace,
): Promise<number> {
  const isUnder =
    storeId === undefined
      ? sql`not exists (select from pricing_rule rule
          where rule.tenant_id = cabinet.tenant_id and rule.store_id = cabinet.store_id)`
      : sql`cabinet.store_id = ${storeId}`;
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from cabinet
    where cabinet.tenant_id = ${tenantId} and cabinet.lifecycle <> 'RETIRED' and ${isUnder}
      and not exists (select from pricing_rule rule
        where rule.tenant_id = cabinet.tenant_id and rule.cabinet_id = cabinet.id)`);
  return n;
}
