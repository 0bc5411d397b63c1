// Sets the pricing rules of a tenant or a store, and finds the rules that apply to a cabinet.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type {
  CabinetPricing,
  PricingRuleBody,
  pricingContract,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import {
  nearestRule,
  type PricingScope,
  type RatedRule,
  ratesProblem,
  rateText,
  wholeRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Ctx, Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse, refuseOutdated } from "../../../platform/errors.ts";
import { findStore, requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import * as repo from "./pricing.sql.ts";

type Scope = Input<typeof pricingContract.get>["query"];

export async function getPricing(
  ctx: Ctx,
  scope: Scope,
): Promise<Reply<typeof pricingContract.get>> {
  const { place } = await findPlace(ctx, scope);
  const [rule, cabinets] = await Promise.all([
    repo.findPricingAt(ctx.db, place),
    repo.countCabinetsUnder(ctx.db, place),
  ]);
  return { rule, cabinets };
}

export async function savePricing(
  ctx: Ctx,
  { version, rule, ...scope }: Input<typeof pricingContract.save>["body"],
): Promise<null> {
  const { place, name } = await findPlace(ctx, scope);
  if (place.storeId === undefined) requireAllStores(ctx, "租户的计费规则");
  const before = await repo.findPricingAt(ctx.db, place);
  if (rule) requireDisjoint(rule);
  const isSaved = rule
    ? await repo.writePricing(ctx.db, ctx.session, place, rule, version)
    : await repo.deletePricing(ctx.db, place, version);
  if (!isSaved) refuseOutdated(before?.editedBy);
  ctx.audit({
    tenantId: place.tenantId,
    target: `计费规则 ${name}`,
    before: before && audited(before, before),
    after: rule && audited(rule, before),
  });
  return null;
}

/** Sets or deletes the cabinet's own rule; the caller holds the lock of the cabinet's row. */
export async function setCabinetPricing(
  db: Db,
  session: Session,
  { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  rule: PricingRuleBody | null,
): Promise<void> {
  const place = { tenantId, cabinetId };
  if (rule) requireDisjoint(rule);
  if (rule) await repo.writePricing(db, session, place, rule, null);
  else await repo.deletePricing(db, place, null);
}

export async function findCabinetPricing(
  db: Db,
  place: { tenantId: number; storeId: number | null; cabinetId: number },
): Promise<CabinetPricing> {
  const rules = await repo.findPricing(db, place);
  return {
    cabinet: rules.find((rule) => rule.cabinetId !== null) ?? null,
    store: rules.find((rule) => rule.storeId !== null) ?? null,
    tenant: rules.find((rule) => rule.cabinetId === null && rule.storeId === null) ?? null,
  };
}

/** The rule in force for a cabinet, with the rates that it has for each size and time. */
export async function findRuleInForce(
  db: Db,
  place: { tenantId: number; storeId: number | null; cabinetId: number },
): Promise<{ scope: PricingScope; rule: RatedRule }> {
  const rules = await findCabinetPricing(db, place);
  return nearestRule<RatedRule>({
    CABINET: rules.cabinet,
    STORE: rules.store,
    TENANT: rules.tenant,
  });
}

/** A store of another tenant is answered as not found. */
async function findPlace(
  ctx: Ctx,
  { tenantId, storeId }: Scope,
): Promise<{ place: repo.PricingPlace; name: string }> {
  if (storeId !== undefined) {
    const found = await findStore(ctx.db, ctx.session, storeId);
    if (!found || (tenantId !== undefined && tenantId !== found.tenantId)) {
      refuse("NOT_FOUND", { what: "门店" });
    }
    return { place: { tenantId: found.tenantId, storeId }, name: `门店 ${found.name}` };
  }
  const tenant = await requireTenant(ctx, tenantId);
  return { place: { tenantId: tenant.id }, name: `租户 ${tenant.name}` };
}

/** Fields without editor and time, which the audit entry has; rates as people read them. */
function audited(rule: RatedRule, before: RatedRule | null) {
  const rates = (rule.rates ?? before?.rates ?? []).map(rateText);
  return { ...wholeRule(rule), rates };
}

function requireDisjoint({ rates = [] }: RatedRule): void {
  const problem = ratesProblem(rates);
  if (problem) refuse("PRICING_RATES_INVALID", { problem });
}
