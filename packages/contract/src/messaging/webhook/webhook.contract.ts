// Calls for webhooks (回调): endpoints, deliveries, replay.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  AppId,
  EditVersion,
  Id,
  IdParams,
  idOf,
  Nullable,
  nameOf,
  OneOf,
  OrderId,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { OPEN_APP_STATES } from "../../vocabulary/open-app.rules.ts";
import {
  ATTEMPT_OUTCOMES,
  DELIVERY_PURPOSES,
  DELIVERY_STATES,
  ENDPOINT_STATES,
  MAX_OVERLAP_HOURS,
  OVERLAP_HOURS,
  PROBE_RESULTS,
  REPLAY_KINDS,
} from "./webhook.rules.ts";
import { SENT_EVENTS, WEBHOOK_EVENTS } from "./webhook-event.rules.ts";

const EndpointId = idOf("回调地址");

const draft = {
  name: nameOf("名称", 1, 40),
  url: Type.String({ title: "回调地址", minLength: 8, maxLength: 500, pattern: "^\\S+$" }),
  types: Type.Array(OneOf(WEBHOOK_EVENTS), {
    title: "事件",
    minItems: 1,
    maxItems: WEBHOOK_EVENTS.length,
    uniqueItems: true,
  }),
  appId: Nullable(AppId),
};
export const EndpointDraft = Strict(draft);
export type EndpointDraft = Static<typeof EndpointDraft>;

export const WebhookEndpoint = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  ...draft,
  appName: Nullable(Type.String()),
  appState: Nullable(OneOf(OPEN_APP_STATES)),
  state: OneOf(ENDPOINT_STATES, "状态"),
  stateReason: Type.String(),
  stateAt: Timestamp,
  failures: Type.Integer({ description: "最近一次成功之后连续失败的次数" }),
  lastSuccessAt: Nullable(Timestamp),
  lastFailureAt: Nullable(Timestamp),
  probeResult: Nullable(OneOf(PROBE_RESULTS)),
  probedAt: Nullable(Timestamp),
  waiting: Type.Integer({ description: "等待发送或正在发送" }),
  dead: Type.Integer({ description: "投递失败，可重新推送" }),
  delivered24h: Type.Integer({ description: "24 小时内送达" }),
  failed24h: Type.Integer({ description: "24 小时内失败的请求" }),
  editVersion: Type.Integer(),
  editedAt: Timestamp,
  editedBy: Type.String(),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

const EndpointSecret = Type.Object({
  id: Id,
  hint: Type.String({ description: "密钥的最后 4 个字符" }),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
});

export const EndpointDetail = Type.Object({
  ...WebhookEndpoint.properties,
  createdAt: Timestamp,
  createdBy: Type.String(),
  secrets: Type.Array(EndpointSecret, { description: "有效的，新的在前" }),
  medianMs: Nullable(Type.Integer({ description: "24 小时内送达耗时的中位数" })),
});
export type EndpointDetail = Static<typeof EndpointDetail>;

/** New signing secret; returned only once. */
export const IssuedWebhookSecret = named(
  "IssuedWebhookSecret",
  Type.Object({
    id: Id,
    name: Type.String(),
    secret: Type.String(),
    previousExpiresAt: Nullable(Timestamp),
  }),
);
export type IssuedWebhookSecret = Static<typeof IssuedWebhookSecret>;

const deliveryFields = {
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  endpointId: Id,
  endpointName: Type.String(),
  endpointState: OneOf(ENDPOINT_STATES),
  isEndpointDeleted: Type.Boolean(),
  webhookId: Type.String(),
  type: OneOf(SENT_EVENTS),
  purpose: OneOf(DELIVERY_PURPOSES),
  orderId: Nullable(Id),
  orderSide: Nullable(Side),
  thirdPartyNo: Nullable(Type.String()),
  state: OneOf(DELIVERY_STATES),
  attempts: Type.Integer(),
  failures: Type.Integer({ description: "本轮失败的次数" }),
  round: Type.Integer({ description: "第几轮，重新推送一次加一" }),
  lastStatus: Nullable(Type.Integer()),
  lastOutcome: Nullable(OneOf(ATTEMPT_OUTCOMES)),
  createdAt: Timestamp,
  nextAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
};
export const WebhookDelivery = Type.Object(deliveryFields);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const QueuedDelivery = named("QueuedDelivery", Type.Object({ deliveryId: Id }));

export const WebhookAttempt = Type.Object({
  no: Type.Integer(),
  round: Type.Integer(),
  startedAt: Timestamp,
  url: Type.String(),
  sentAt: Nullable(Timestamp),
  signature: Nullable(Type.String()),
  address: Nullable(Type.String({ description: "连接到的地址" })),
  outcome: Nullable(OneOf(ATTEMPT_OUTCOMES)),
  status: Nullable(Type.Integer()),
  responseType: Nullable(Type.String()),
  responseText: Nullable(Type.String({ description: "回应的开头，个人信息已遮盖" })),
  retryAfter: Nullable(Type.Integer()),
  detail: Nullable(Type.String()),
  durationMs: Nullable(Type.Integer()),
});
export type WebhookAttempt = Static<typeof WebhookAttempt>;

export const DeliveryDetail = Type.Object({
  ...deliveryFields,
  tenantSeq: Nullable(Type.Integer()),
  happenedAt: Timestamp,
  body: Nullable(Type.String({ description: "发送的内容，逐字节如此；编号之前没有" })),
  list: Type.Array(WebhookAttempt, { description: "每次请求，新的在前" }),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

const replayWindow = {
  endpointId: EndpointId,
  from: Type.String({ format: "date-time", title: "开始时间" }),
  to: Type.String({ format: "date-time", title: "结束时间" }),
  kind: OneOf(REPLAY_KINDS, "范围"),
};

const ofTenant = { tenantId: Type.Optional(TenantId) };

export const webhookContract = {
  endpoints: endpoint({
    method: "GET",
    path: "/admin/v1/callback/endpoint/list",
    access: "callback:read",
    summary: "回调地址列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "名称/地址", maxLength: 100 })),
      state: Type.Optional(OneOf(ENDPOINT_STATES, "状态")),
      type: Type.Optional(OneOf(WEBHOOK_EVENTS, "事件")),
      appId: Type.Optional(AppId),
      ...ofTenant,
    }),
    reply: PageOf(WebhookEndpoint),
  }),
  endpoint: endpoint({
    method: "GET",
    path: "/admin/v1/callback/endpoint/{id}",
    access: "callback:read",
    summary: "一个回调地址",
    params: IdParams,
    reply: EndpointDetail,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/callback/endpoint",
    access: "callback:write",
    risk: "trust",
    summary: "新增回调地址",
    body: Strict({ ...draft, ...ofTenant }),
    reply: IssuedWebhookSecret,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/callback/endpoint/{id}",
    access: "callback:write",
    risk: "trust",
    summary: "编辑回调地址",
    params: IdParams,
    body: Strict({ ...draft, editVersion: EditVersion }),
    reply: Nothing,
  }),
  enable: endpoint({
    method: "POST",
    path: "/admin/v1/callback/endpoint/{id}/enable",
    access: "callback:write",
    risk: "trust",
    summary: "启用回调地址",
    params: IdParams,
    reply: Nothing,
  }),
  disable: endpoint({
    method: "POST",
    path: "/admin/v1/callback/endpoint/{id}/disable",
    access: "callback:write",
    risk: "data",
    summary: "停用回调地址",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/v1/callback/endpoint/{id}",
    access: "callback:write",
    risk: "data",
    summary: "删除回调地址",
    params: IdParams,
    query: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  rotate: endpoint({
    method: "POST",
    path: "/admin/v1/callback/endpoint/{id}/rotate",
    access: "callback:write",
    risk: "trust",
    summary: "轮换回调签名密钥",
    params: IdParams,
    body: Strict({
      overlapHours: Type.Integer({
        title: "旧密钥保留（小时）",
        minimum: 0,
        maximum: MAX_OVERLAP_HOURS,
        default: OVERLAP_HOURS,
      }),
      reason: Type.Optional(Reason),
    }),
    reply: IssuedWebhookSecret,
  }),
  test: endpoint({
    method: "POST",
    path: "/admin/v1/callback/endpoint/{id}/test",
    access: "callback:write",
    risk: "routine",
    summary: "向回调地址发送测试",
    params: IdParams,
    reply: QueuedDelivery,
  }),
  probe: endpoint({
    method: "POST",
    path: "/admin/v1/callback/endpoint/{id}/probe",
    access: "callback:write",
    risk: "routine",
    summary: "用错误签名测试回调地址",
    params: IdParams,
    reply: QueuedDelivery,
  }),
  deliveries: endpoint({
    method: "GET",
    path: "/admin/v1/callback/delivery/list",
    access: "callback:read",
    summary: "回调记录",
    query: PageQuery({
      endpointId: Type.Optional(EndpointId),
      appId: Type.Optional(AppId),
      state: Type.Optional(OneOf(DELIVERY_STATES, "状态")),
      type: Type.Optional(OneOf(SENT_EVENTS, "事件")),
      purpose: Type.Optional(OneOf(DELIVERY_PURPOSES, "用途")),
      outcome: Type.Optional(OneOf(ATTEMPT_OUTCOMES, "结果")),
      orderId: Type.Optional(OrderId),
      thirdPartyNo: Type.Optional(Type.String({ title: "第三方单号", maxLength: 64 })),
      event: Type.Optional(Type.String({ title: "事件编号", maxLength: 64 })),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      ...ofTenant,
    }),
    reply: PageOf(WebhookDelivery),
  }),
  delivery: endpoint({
    method: "GET",
    path: "/admin/v1/callback/delivery/{id}",
    access: "callback:read",
    summary: "一条回调的请求记录",
    params: IdParams,
    reply: DeliveryDetail,
  }),
  replay: endpoint({
    method: "POST",
    path: "/admin/v1/callback/delivery/{id}/replay",
    access: "callback:replay",
    risk: "routine",
    summary: "重新推送一条回调",
    params: IdParams,
    reply: Nothing,
  }),
  previewReplay: endpoint({
    method: "POST",
    path: "/admin/v1/callback/replay/preview",
    access: "callback:replay",
    isRead: true,
    summary: "一段时间的重新推送会发送什么",
    body: Strict(replayWindow),
    reply: Type.Object({
      count: Type.Integer(),
      isTooMany: Type.Boolean(),
      firstAt: Nullable(Timestamp),
      lastAt: Nullable(Timestamp),
      types: Type.Array(Type.Object({ type: OneOf(SENT_EVENTS), count: Type.Integer() })),
    }),
  }),
  replayWindow: endpoint({
    method: "POST",
    path: "/admin/v1/callback/replay",
    access: "callback:replay",
    risk: "routine",
    summary: "重新推送一段时间的回调",
    body: Strict({ ...replayWindow, reason: Reason }),
    reply: Type.Object({ count: Type.Integer() }),
  }),
};
