// What the edit page's form holds, where it comes from, what is sent of it, and what has changed.
import type {
  CabinetConfig,
  CabinetConfigChange,
  CabinetDetail,
  CabinetEdit,
} from "@cabinet/contract/cabinet/cabinet.contract.ts";
import type { Coordinates } from "@cabinet/contract/kit/place.rules.ts";
import type { PricingRuleBody } from "@cabinet/contract/pricing/pricing.contract.ts";
import {
  nearestRule,
  type PricingRule,
  type PricingScope,
} from "@cabinet/contract/pricing/pricing.rules.ts";

/** A place as the map picker has it; not its own: it stands where its store stands. */
export interface CabinetPlace extends Coordinates {
  address: string;
  isOwn: boolean;
}

export interface EditForm {
  name: string;
  /** Undefined or null: in no store. */
  storeId?: number | null;
  servicePhone: string;
  openingHours: string;
  place: CabinetPlace;
  hasOwnPricing: boolean;
  pricing: PricingRule;
  /** Emptied fields are null or empty. */
  config: Record<string, unknown>;
}

/** The rule in force without one of its own. */
export function inheritedRule({ pricing }: Pick<CabinetDetail, "pricing">): {
  scope: PricingScope;
  rule: PricingRule;
} {
  const { scope, rule } = nearestRule<PricingRule>({
    STORE: pricing.store,
    TENANT: pricing.tenant,
  });
  return { scope, rule: ruleOf(rule) };
}

function ruleOf(rule: PricingRule): PricingRule {
  const { freeMinutes, perUseFen, stepMinutes, stepFen, capFen, overdueAfterMinutes } = rule;
  return {
    freeMinutes,
    perUseFen,
    stepMinutes,
    stepFen,
    capFen: capFen ?? null,
    overdueAfterMinutes,
  };
}

/** An own rule begins as what was in force before. */
export function formOf(detail: CabinetDetail): EditForm {
  const { name, storeId, servicePhone, openingHours, longitude, latitude } = detail;
  const own = detail.pricing.cabinet;
  return {
    name,
    storeId,
    servicePhone,
    openingHours,
    place: { address: detail.place, longitude, latitude, isOwn: longitude !== null },
    hasOwnPricing: own !== null,
    pricing: ruleOf(own ?? inheritedRule(detail).rule),
    config: { ...detail.desiredConfig },
  };
}

/** Only what was filled in: an emptied setting is left to the cabinet. */
export function filledIn(config: Readonly<Record<string, unknown>>): CabinetConfig {
  return Object.fromEntries(
    Object.entries(config)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Every setting of the form; an emptied one is null, which leaves it to the cabinet. */
function configOf(config: Readonly<Record<string, unknown>>): CabinetConfigChange {
  const emptied = Object.fromEntries(Object.keys(config).map((name) => [name, null]));
  return { ...emptied, ...filledIn(config) };
}

/** What is saved of the form, over the versions it was filled from. */
export function editOf(
  form: EditForm,
  base: Pick<CabinetDetail, "editVersion" | "desiredConfigVersion">,
): CabinetEdit {
  const { place } = form;
  return {
    editVersion: base.editVersion,
    desiredConfigVersion: base.desiredConfigVersion,
    name: form.name.trim(),
    storeId: form.storeId ?? null,
    servicePhone: form.servicePhone.trim(),
    place: place.address.trim(),
    longitude: place.isOwn ? place.longitude : null,
    latitude: place.isOwn ? place.latitude : null,
    openingHours: form.openingHours,
    config: configOf(form.config),
    pricing: form.hasOwnPricing ? (ruleOf(form.pricing) satisfies PricingRuleBody) : null,
  };
}

const parts: [keyof CabinetEdit, string][] = [
  ["name", "设备名称"],
  ["storeId", "门店"],
  ["servicePhone", "客服电话"],
  ["openingHours", "开放时间"],
  ["place", "位置说明"],
  ["longitude", "坐标"],
  ["latitude", "坐标"],
  ["pricing", "计费规则"],
  ["config", "设备参数"],
];

/** The parts of the page in which these two differ, by name, each once. */
export function changedParts(one: EditForm, other: EditForm): string[] {
  const versions = { editVersion: 0, desiredConfigVersion: 0 };
  // An emptied setting is the same as one that was never filled in.
  const [before, after] = [one, other].map((form) => ({
    ...editOf(form, versions),
    config: filledIn(form.config),
  })) as [CabinetEdit, CabinetEdit];
  const changed = parts.filter(
    ([part]) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
  return [...new Set(changed.map(([, name]) => name))];
}
