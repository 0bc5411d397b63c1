// Pricing rules of the demo: one per company, a more expensive store, a discounted cabinet with large compartments and nights apart.
import type { PricingRate } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { PlacedStory } from "../orders/placed-story.ts";
import type { DemoActor } from "../organization/account.ts";

interface PricedTenant {
  tenantId: number;
  storeIds: number[];
  actors: DemoActor[];
}

const usual = {
  free_minutes: 30,
  per_use_fen: 0,
  step_minutes: 60,
  step_fen: 100,
  cap_fen: 1_000,
  overdue_after_minutes: 24 * 60,
  rates: [] as PricingRate[],
};

const discounted = { freeMinutes: 120, perUseFen: 0, stepMinutes: 60, stepFen: 50, capFen: 500 };
const rates: PricingRate[] = [
  { ...discounted, size: "L", hours: null, stepFen: 100, capFen: 800 },
  { ...discounted, size: null, hours: { from: "20:00", to: "08:00" }, capFen: 300 },
];

export function pricingRows(tenants: readonly PricedTenant[], stories: readonly PlacedStory[]) {
  return tenants.flatMap(({ tenantId, storeIds, actors }, nth) => {
    const tenantRule = {
      tenant_id: tenantId,
      store_id: null as number | null,
      cabinet_id: null as number | null,
      ...usual,
      step_fen: 100 + 50 * nth,
      edited_by: actors[1]?.signature ?? "",
    };
    const store = storeIds[0] ?? null;
    const offered = stories.find(
      (story) => story.tenantId === tenantId && story.cabinet.lifecycle === "ACTIVE",
    );
    return [
      tenantRule,
      { ...tenantRule, store_id: store, free_minutes: 15, per_use_fen: 100, step_fen: 150 },
      {
        ...tenantRule,
        cabinet_id: offered?.cabinetId ?? null,
        free_minutes: 120,
        step_fen: 50,
        cap_fen: 500,
        overdue_after_minutes: 48 * 60,
        rates,
      },
    ].filter((rule) => rule === tenantRule || rule.store_id !== null || rule.cabinet_id !== null);
  });
}
