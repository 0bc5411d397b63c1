// Calls for text messages: states, reading a text, resending.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  OrderId,
  phonePartOf,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { MESSAGE_SCENARIOS } from "./sms.rules.ts";
import { SMS_CARRIERS } from "./sms-carrier.rules.ts";
import { SMS_STATES } from "./sms-state.rules.ts";

export const SmsMessage = named(
  "SmsMessage",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    createdAt: Timestamp,
    scene: OneOf(MESSAGE_SCENARIOS),
    phone: Type.String({ description: "已隐藏中间四位" }),
    segments: Type.Integer({ description: "计费条数" }),
    orderId: Nullable(Id),
    orderSide: Nullable(Side),
    state: OneOf(SMS_STATES),
    carrier: Nullable(OneOf(SMS_CARRIERS)),
    templateCode: Nullable(Type.String()),
    carrierNo: Nullable(Type.String({ description: "短信通道的编号，向它查询时用" })),
    carrierSegments: Nullable(Type.Integer({ description: "短信通道所计的条数" })),
    chargedSegments: Type.Integer({ description: "已扣的条数" }),
    attempts: Type.Integer({ description: "交给短信通道的次数；只有它确实没有收下才会再交" }),
    sentAt: Nullable(Timestamp),
    settledAt: Nullable(Timestamp),
    resultCode: Type.String(),
    resultText: Type.String({ description: "短信通道的原话" }),
    resendOf: Nullable(Id),
    resentById: Nullable(Id),
    isMoot: Type.Boolean({ description: "所说的物品已不在柜内，重发没有意义" }),
  }),
);
export type SmsMessage = Static<typeof SmsMessage>;

export const smsContract = {
  history: endpoint({
    method: "GET",
    path: "/admin/v1/sms/send/history",
    access: "sms:read",
    summary: "通知记录",
    query: PageQuery({
      phone: Type.Optional(phonePartOf("sms:reveal")),
      scene: Type.Optional(OneOf(MESSAGE_SCENARIOS, "类型")),
      state: Type.Optional(OneOf(SMS_STATES, "状态")),
      orderId: Type.Optional(OrderId),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(SmsMessage),
  }),
  way: endpoint({
    method: "GET",
    path: "/admin/v1/sms/send/channel",
    access: "sms:read",
    summary: "短信由谁发出；未开通短信通道时为空",
    reply: Type.Object({ carrier: Nullable(OneOf(SMS_CARRIERS)) }),
  }),
  showText: endpoint({
    method: "POST",
    path: "/admin/v1/sms/send/{id}/text",
    access: "sms:reveal",
    risk: "data",
    summary: "查看短信原文",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Type.Object({ phone: Type.String(), text: Type.String() }),
  }),
  resend: endpoint({
    method: "POST",
    path: "/admin/v1/sms/send/{id}/resend",
    access: "sms:send",
    risk: "routine",
    once: "always",
    pressed: true,
    summary: "重发一条短信",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Type.Object({ id: Id, state: OneOf(SMS_STATES) }),
  }),
};
