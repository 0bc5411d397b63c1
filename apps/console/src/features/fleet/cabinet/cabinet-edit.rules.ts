// Form of the edit page: its fields, conversion from and to the contract, changed parts.
import type {
  CabinetConfig,
  CabinetConfigChange,
  CabinetDetail,
  CabinetEdit,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Coordinates } from "@cabinet/contract/kit/place.rules.ts";
import type { PricingRuleBody } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import {
  nearestRule,
  type PricingScope,
  type RatedRule,
  RULE_FIELDS,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";

/** Value of the map picker; without `isOwn` the cabinet takes the place of its store. */
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
  pricing: RatedRule;
  /** Emptied fields are null or empty. */
  config: Record<string, unknown>;
}

/** Rule that applies without a rule of the cabinet's own. */
export function inheritedRule({ pricing }: Pick<CabinetDetail, "pricing">): {
  scope: PricingScope;
  rule: RatedRule;
} {
  const { scope, rule } = nearestRule<RatedRule>({
    STORE: pricing.store,
    TENANT: pricing.tenant,
  });
  return { scope, rule: ruleOf(rule) };
}

/** The fields of a rule alone; values as they are, checked by the form. */
function ruleOf(rule: RatedRule): Required<RatedRule> {
  const values = RULE_FIELDS.map((field) => [field, rule[field] ?? null]);
  return { ...Object.fromEntries(values), rates: rule.rates ?? [] };
}

/** Fills the form; a new rule of its own starts as a copy of the inherited one. */
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

/** Drops emptied settings: the cabinet decides those itself. */
export function filledIn(config: Readonly<Record<string, unknown>>): CabinetConfig {
  return Object.fromEntries(
    Object.entries(config)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** All settings of the form; an emptied one is null, so that the cabinet decides it itself. */
function configOf(config: Readonly<Record<string, unknown>>): CabinetConfigChange {
  const emptied = Object.fromEntries(Object.keys(config).map((name) => [name, null]));
  return { ...emptied, ...filledIn(config) };
}

/** Request body of the form, against the versions that it was filled from. */
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

/** Request body that gives the cabinet this rule of its own and changes nothing else. */
export function editWithPricing(detail: CabinetDetail, pricing: RatedRule): CabinetEdit {
  return editOf({ ...formOf(detail), hasOwnPricing: true, pricing }, detail);
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

/** Names of the parts of the page in which the two forms differ, without duplicates. */
export function changedParts(one: EditForm, other: EditForm): string[] {
  const versions = { editVersion: 0, desiredConfigVersion: 0 };
  // An emptied setting equals one that was never filled in.
  const [before, after] = [one, other].map((form) => ({
    ...editOf(form, versions),
    config: filledIn(form.config),
  })) as [CabinetEdit, CabinetEdit];
  const changed = parts.filter(
    ([part]) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
  return [...new Set(changed.map(([, name]) => name))];
}
