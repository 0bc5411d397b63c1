// Pricing rules (计费规则): of a tenant, a store or a cabinet; the nearest one is in force.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../kit/endpoint.ts";
import { Nullable, StoreId, Strict, TenantId, Timestamp } from "../kit/fields.ts";

const MAX_MINUTES = 60 * 24 * 60;
const MAX_FEN = 1_000_000;
const fen = (title: string) => Type.Integer({ title, minimum: 0, maximum: MAX_FEN });
const minutes = (title: string, minimum: number) =>
  Type.Integer({ title, minimum, maximum: MAX_MINUTES });

const ruleFields = {
  freeMinutes: minutes("免费时长", 0),
  perUseFen: fen("每次起步价"),
  stepMinutes: minutes("计费单位时长", 1),
  stepFen: fen("每单位价格"),
  capFen: Nullable(fen("单次封顶")),
  overdueAfterMinutes: minutes("滞留时限", 1),
};
export const PricingRuleBody = Strict(ruleFields);
export type PricingRuleBody = Static<typeof PricingRuleBody>;

/** A rule that somebody has set. */
export const SavedPricing = Type.Object({
  ...ruleFields,
  version: Type.Integer(),
  editedAt: Timestamp,
  editedBy: Type.String(),
});
export type SavedPricing = Static<typeof SavedPricing>;

/** The rules that bear on a cabinet, from the nearest; null where none is set. */
export const CabinetPricing = Type.Object({
  cabinet: Nullable(SavedPricing),
  store: Nullable(SavedPricing),
  tenant: Nullable(SavedPricing),
});
export type CabinetPricing = Static<typeof CabinetPricing>;

/** Which rule is meant: the tenant's, or that of one of its stores. */
const scopeFields = {
  /** Platform staff say whose; for everybody else it is their own. */
  tenantId: Type.Optional(TenantId),
  storeId: Type.Optional(StoreId),
};

export const pricingContract = {
  get: endpoint({
    method: "GET",
    path: "/admin/v1/pricing",
    access: "cabinet:read",
    summary: "租户或门店的计费规则",
    query: Strict(scopeFields),
    reply: Type.Object({
      rule: Nullable(SavedPricing),
      cabinets: Type.Integer({ description: "以它为准的设备数" }),
    }),
  }),
  save: endpoint({
    method: "PUT",
    path: "/admin/v1/pricing",
    access: "pricing:write",
    summary: "设置租户或门店的计费规则",
    body: Strict({
      ...scopeFields,
      /** Of the rule that the form was filled from; 0: none was set then. */
      version: Type.Integer({ title: "版本", minimum: 0 }),
      /** Null: takes the rule away, so that the next one is in force. */
      rule: Nullable(PricingRuleBody),
    }),
    reply: Nothing,
  }),
};
