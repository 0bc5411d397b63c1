// Calls for reconciliation (对账): daily runs, and the work list of differences.
import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  Day,
  Id,
  IdParams,
  Nullable,
  OneOf,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { PageOf, PageQuery, SumsOf } from "../../kit/pagination.ts";
import {
  BILL_STATES,
  DIFFERENCE_AREAS,
  DIFFERENCE_KINDS,
  DIFFERENCE_STATES,
  RUN_STATES,
} from "./reconciliation.rules.ts";

export const ReconciliationRun = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  day: Day,
  state: OneOf(RUN_STATES),
  billState: OneOf(BILL_STATES),
  actorName: Type.String({ description: "发起人；每日自动对账为“系统”" }),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
  problem: Nullable(Type.String()),
  orders: Type.Integer(),
  journals: Type.Integer(),
  wallets: Type.Integer(),
  cards: Type.Integer({ description: "套餐卡" }),
  topUps: Type.Integer(),
  billRows: Type.Integer(),
  found: Type.Integer({ description: "本次发现的待处理差异" }),
  known: Type.Integer({ description: "已说明原因、金额未变而仍存在的差异" }),
});
export type ReconciliationRun = Static<typeof ReconciliationRun>;

export const Difference = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  day: Day,
  kind: OneOf(DIFFERENCE_KINDS),
  subject: Type.String({ description: "差异所在：订单号、流水号、商户单号或用户" }),
  endUserId: Nullable(Id),
  userName: Nullable(Type.String()),
  phone: Nullable(Type.String({ description: "已隐藏中间四位" })),
  orderId: Nullable(Id),
  topUpId: Nullable(Id),
  expectedFen: Nullable(Type.Integer({ description: "账本一方的金额" })),
  actualFen: Nullable(Type.Integer({ description: "另一方的金额" })),
  detail: Type.String(),
  state: OneOf(DIFFERENCE_STATES),
  foundAt: Timestamp,
  seenAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
  resolvedBy: Nullable(Type.String()),
  resolution: Nullable(Type.String()),
});
export type Difference = Static<typeof Difference>;

const differenceFilters = {
  state: Type.Optional(OneOf(DIFFERENCE_STATES, "状态")),
  area: Type.Optional(OneOf(DIFFERENCE_AREAS, "范围")),
  kind: Type.Optional(OneOf(DIFFERENCE_KINDS, "差异")),
  subject: Type.Optional(
    Type.String({
      title: "单号/用户",
      maxLength: 64,
      "x-phone": "SEARCH",
      description: "单号或姓名的一部分；手机号须完整，或为后四位",
    }),
  ),
  fromDay: Type.Optional(Day),
  toDay: Type.Optional(Day),
  tenantId: Type.Optional(TenantId),
};

export const reconciliationContract = {
  runs: endpoint({
    method: "GET",
    path: "/admin/v1/reconciliation/run/list",
    access: "reconciliation:read",
    summary: "对账记录",
    query: PageQuery({ tenantId: Type.Optional(TenantId) }),
    reply: PageOf(ReconciliationRun),
  }),
  run: endpoint({
    method: "POST",
    path: "/admin/v1/reconciliation/run",
    access: "reconciliation:write",
    risk: "routine",
    summary: "立即对账",
    body: Strict({ day: Day, tenantId: Type.Optional(TenantId) }),
    reply: RecordId,
  }),
  differences: endpoint({
    method: "GET",
    path: "/admin/v1/reconciliation/difference/list",
    access: "reconciliation:read",
    summary: "对账差异",
    query: PageQuery(differenceFilters),
    reply: PageOf(Difference),
  }),
  differenceSums: endpoint({
    method: "GET",
    path: "/admin/v1/reconciliation/difference/sums",
    access: "reconciliation:read",
    load: "heavy",
    summary: "对账差异合计",
    query: Strict(differenceFilters),
    reply: SumsOf({
      expectedFen: Type.Integer(),
      actualFen: Type.Integer(),
      gapFen: Type.Integer({ description: "双方都有金额的差异：另一方减去账本一方" }),
    }),
  }),
  resolve: endpoint({
    method: "POST",
    path: "/admin/v1/reconciliation/difference/{id}/resolve",
    access: "reconciliation:write",
    risk: "data",
    summary: "处理对账差异",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  credit: endpoint({
    method: "POST",
    path: "/admin/v1/reconciliation/difference/{id}/credit",
    access: "reconciliation:write",
    risk: "money-by-sum",
    once: "always",
    pressed: true,
    summary: "补记入账：把关闭后收到的付款记入用户钱包",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
};
