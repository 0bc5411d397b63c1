// Text messages: the outbox, and reading one's text.
import { type Static, Type } from "typebox";
import { Side } from "../cabinet-model/cabinet-model.contract.ts";
import { endpoint } from "../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  PhonePart,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../kit/fields.ts";
import { PageOf, PageQuery } from "../kit/pagination.ts";
import { SMS_SCENES } from "./sms.rules.ts";

export const SmsMessage = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  createdAt: Timestamp,
  scene: OneOf(SMS_SCENES),
  phone: Type.String({ description: "已隐藏中间四位" }),
  segments: Type.Integer({ description: "计费条数" }),
  orderId: Nullable(Id),
  orderSide: Nullable(Side),
});
export type SmsMessage = Static<typeof SmsMessage>;

export const smsContract = {
  history: endpoint({
    method: "GET",
    path: "/admin/v1/sms/send/history",
    access: "sms:read",
    summary: "通知记录",
    query: PageQuery({
      phone: Type.Optional(PhonePart),
      scene: Type.Optional(OneOf(SMS_SCENES, "类型")),
      orderId: Type.Optional(Type.Integer({ title: "订单号", minimum: 1 })),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(SmsMessage),
  }),
  showText: endpoint({
    method: "POST",
    path: "/admin/v1/sms/send/{id}/text",
    access: "sms:reveal",
    summary: "查看短信原文",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Type.Object({ phone: Type.String(), text: Type.String() }),
  }),
};
