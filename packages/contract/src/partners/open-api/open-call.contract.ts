// Calls for 调用记录 (inbound): requests of third parties, their outcome, authentication failures.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
  AppId,
  Id,
  IdParams,
  Nullable,
  OneOf,
  OrderId,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { ThirdPartyNo } from "./open-api.contract.ts";
import { OPEN_REFUSALS } from "./open-api.rules.ts";

export const OPEN_CALL_OUTCOMES = ["OK", "REFUSED", "UNPROVEN", "FAILED"] as const;
export type OpenCallOutcome = (typeof OPEN_CALL_OUTCOMES)[number];

export const OpenCall = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  at: Timestamp,
  appId: Id,
  appName: Type.String(),
  kid: Type.String(),
  summary: Type.String({ description: "调用的是什么" }),
  method: Type.String(),
  target: Type.String(),
  address: Nullable(Type.String()),
  status: Type.Integer({ description: "HTTP 状态码" }),
  outcome: OneOf(OPEN_CALL_OUTCOMES),
  result: Type.String({ description: "OK，或告诉第三方的错误代码" }),
  refusal: Nullable(OneOf(OPEN_REFUSALS)),
  ms: Type.Integer(),
  requestId: Type.String(),
  orderId: Nullable(Id),
  thirdPartyNo: Nullable(Type.String()),
});
export type OpenCall = Static<typeof OpenCall>;

export const OpenCallDetail = Type.Object({
  ...OpenCall.properties,
  idempotencyKey: Nullable(Type.String()),
  signedText: Nullable(Type.String({ description: "服务端的待签字符串" })),
  requestBody: Nullable(Type.String({ description: "手机号等已隐藏" })),
  responseBody: Nullable(Type.String({ description: "手机号等已隐藏" })),
});
export type OpenCallDetail = Static<typeof OpenCallDetail>;

export const openCallContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/open/call/list",
    access: "open-call:read",
    summary: "第三方调用",
    query: PageQuery({
      appId: Type.Optional(AppId),
      outcome: Type.Optional(OneOf(OPEN_CALL_OUTCOMES, "结果")),
      refusal: Type.Optional(OneOf(OPEN_REFUSALS, "未通过的原因")),
      orderId: Type.Optional(OrderId),
      thirdPartyNo: Type.Optional(ThirdPartyNo),
      requestId: Type.Optional(Type.String({ title: "请求编号", maxLength: 64 })),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(OpenCall),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/open/call/{id}",
    access: "open-call:read",
    summary: "一次调用的内容",
    params: IdParams,
    reply: OpenCallDetail,
  }),
};
