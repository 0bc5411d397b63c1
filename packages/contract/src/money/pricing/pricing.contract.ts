// Calls for pricing rules (计费规则) of a tenant, store or cabinet; the nearest one is in force.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  Day,
  EditVersionOrNew,
  Id,
  Nullable,
  OneOf,
  StoreId,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { SIDES, SIZES } from "../../vocabulary/hardware.rules.ts";
import { HOURS_PATTERN, MAX_RATES } from "./pricing.rules.ts";
import { COMPARED_LINES } from "./simulation.rules.ts";

const MAX_MINUTES = 60 * 24 * 60;
const MAX_FEN = 1_000_000;
const fen = (title: string) => Type.Integer({ title, minimum: 0, maximum: MAX_FEN });
const minutes = (title: string, minimum: number) =>
  Type.Integer({ title, minimum, maximum: MAX_MINUTES });

const feeFields = {
  freeMinutes: minutes("免费时长", 0),
  perUseFen: fen("每次起步价"),
  stepMinutes: minutes("计费单位时长", 1),
  stepFen: fen("每单位价格"),
  capFen: Nullable(fen("单次封顶")),
};
const ruleFields = { ...feeFields, overdueAfterMinutes: minutes("滞留时限", 1) };

/** Rule without rates, as orders have it. */
export const PlainPricing = named("PlainPricing", Type.Object(ruleFields));

const clock = (title: string, pattern: string) =>
  Type.String({ title, pattern, examples: ["20:00"] });

export const PricingRateBody = named(
  "PricingRate",
  Strict({
    size: Nullable(OneOf(SIZES, "规格")),
    hours: Nullable(
      Strict({
        from: clock("开始时间", HOURS_PATTERN.from),
        to: clock("结束时间", HOURS_PATTERN.to),
      }),
    ),
    ...feeFields,
  }),
);
const Rates = Type.Array(PricingRateBody, {
  title: "按规格、时段的价格",
  maxItems: MAX_RATES,
  description:
    "按格口规格、下单时刻（北京时间）或两者另定的价格；两者都符合的优先，其次按规格的，再次按时段的",
});
export const PricingRuleBody = named(
  "PricingRule",
  Strict({ ...ruleFields, rates: Type.Optional(Rates) }),
);
export type PricingRuleBody = Static<typeof PricingRuleBody>;

/** Pricing rule set by somebody, as saved. */
export const SavedPricing = named(
  "SavedPricing",
  Type.Object({
    ...ruleFields,
    rates: Rates,
    version: Type.Integer(),
    editedAt: Timestamp,
    editedBy: Type.String(),
  }),
);
export type SavedPricing = Static<typeof SavedPricing>;

/** Rules that apply to a cabinet, nearest first; null where none is set. */
export const CabinetPricing = Type.Object({
  cabinet: Nullable(SavedPricing),
  store: Nullable(SavedPricing),
  tenant: Nullable(SavedPricing),
});
export type CabinetPricing = Static<typeof CabinetPricing>;

/** Selects a rule: the tenant's, or that of one of its stores. */
const scopeFields = {
  /** Tenant chosen by platform staff; all other accounts use their own. */
  tenantId: Type.Optional(TenantId),
  storeId: Type.Optional(StoreId),
};

const Compared = {
  orders: Type.Integer({ description: "订单数" }),
  oldFen: Type.Integer({ description: "实际费用" }),
  newFen: Type.Integer({ description: "试算费用" }),
};
const PlaceCompared = named(
  "PlaceCompared",
  Type.Object({ id: Id, name: Type.String(), ...Compared }),
);

/** Past order with its price under both rules. */
export const ReplayedOrder = Type.Object({
  orderId: Id,
  cabinetName: Type.String(),
  compartmentNo: Type.Integer(),
  size: OneOf(SIZES),
  createdAt: Timestamp,
  minutes: Type.Integer({ description: "计费的存放分钟数" }),
  rule: PlainPricing,
  oldFen: Type.Integer(),
  newFen: Type.Integer(),
});
export type ReplayedOrder = Static<typeof ReplayedOrder>;

export const PricingSimulation = Type.Object({
  ...Compared,
  cheaper: Type.Integer(),
  dearer: Type.Integer(),
  oldFree: Type.Integer(),
  newFree: Type.Integer(),
  oldOverdue: Type.Integer(),
  newOverdue: Type.Integer(),
  lines: Type.Array(
    Type.Object({
      kind: OneOf(COMPARED_LINES),
      oldFen: Type.Integer(),
      newFen: Type.Integer(),
    }),
  ),
  lengths: Type.Array(Type.Object({ upToMinutes: Nullable(Type.Integer()), ...Compared })),
  stores: Type.Array(PlaceCompared, { description: "差额最大的门店" }),
  cabinets: Type.Array(PlaceCompared, { description: "差额最大的设备" }),
  samples: Type.Array(ReplayedOrder, { description: "差额最大的订单" }),
});
export type PricingSimulation = Static<typeof PricingSimulation>;

/** Most orders in one replay, limited by how long a console waits. */
export const MAX_REPLAYED = 100_000;
export const MAX_REPLAYED_DAYS = 92;

export const pricingContract = {
  simulate: endpoint({
    method: "GET",
    path: "/admin/v1/pricing/simulate",
    access: "pricing:simulate",
    load: "heavy",
    summary: "计价试算：按另一条规则重算过去的订单",
    query: Strict({
      side: OneOf(SIDES, "单双面"),
      from: Day,
      to: Day,
      tenantId: Type.Optional(TenantId),
      storeId: Type.Optional(StoreId),
      cabinetId: Type.Optional(Id),
      freeMinutes: ruleFields.freeMinutes,
      perUseFen: ruleFields.perUseFen,
      stepMinutes: ruleFields.stepMinutes,
      stepFen: ruleFields.stepFen,
      /** Absent: no cap. */
      capFen: Type.Optional(fen("单次封顶")),
      overdueAfterMinutes: ruleFields.overdueAfterMinutes,
      rates: Type.Optional(
        Type.String({
          title: "按规格、时段的价格",
          maxLength: 4_000,
          description: "同名字段的 JSON 数组",
        }),
      ),
    }),
    reply: PricingSimulation,
  }),
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
    risk: "money",
    summary: "设置租户或门店的计费规则",
    body: Strict({
      ...scopeFields,
      /** Version of the rule that the form was loaded from; 0: none was set. */
      version: EditVersionOrNew,
      /** Null: removes the rule, so that the next one applies. */
      rule: Nullable(PricingRuleBody),
    }),
    reply: Nothing,
  }),
};
