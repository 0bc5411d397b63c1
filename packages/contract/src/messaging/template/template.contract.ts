// Calls for message templates (消息模板配置): texts and channel per scene, and WeChat subscribe messages.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  EditVersionOrNew,
  Id,
  Nullable,
  OneOf,
  OrderId,
  PersonPhonePart,
  Phone,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { APP_ROLES } from "../../vocabulary/order.rules.ts";
import { MESSAGE_SCENARIOS } from "../sms/sms.rules.ts";
import { MAX_SMS_TEXT } from "./sms-template.rules.ts";
import { MAX_ASKED, MAX_KEYWORDS, MAX_PAGE, SUBSCRIBE_STATES } from "./subscribe-template.rules.ts";
import { CHANNELS, PLANS, SMS_SOURCES, VARIABLE_KEYS } from "./template.rules.ts";

const Scene = OneOf(MESSAGE_SCENARIOS, "场景");
const Variable = OneOf(VARIABLE_KEYS, "变量");

const SmsText = named(
  "SmsText",
  Strict({
    templateCode: Type.String({ title: "短信模板编号", maxLength: 40, "x-text": "code" }),
    text: Type.String({ title: "短信内容", minLength: 1, maxLength: MAX_SMS_TEXT }),
    placeholders: Type.Array(
      Strict({ name: Type.String({ title: "占位符", maxLength: 20 }), variable: Variable }),
      { title: "占位符的变量", maxItems: 20 },
    ),
  }),
);

const SubscribeText = named(
  "SubscribeText",
  Strict({
    templateId: Type.String({ title: "模板 ID", minLength: 1, maxLength: 64, "x-text": "code" }),
    title: Type.String({ title: "模板标题", maxLength: 40 }),
    page: Type.String({ title: "点开的小程序页面", maxLength: MAX_PAGE }),
    keywords: Type.Array(
      Strict({
        name: Type.String({ title: "关键词名称", maxLength: 24 }),
        title: Type.String({ title: "关键词", maxLength: 20 }),
        variable: Nullable(Variable),
        text: Type.String({ title: "固定文字", maxLength: 32, "x-text": "raw" }),
      }),
      { title: "关键词", maxItems: MAX_KEYWORDS },
    ),
  }),
);

export const MessageTemplate = Type.Object({
  scene: Scene,
  plan: OneOf(PLANS),
  sms: SmsText,
  smsSource: OneOf(SMS_SOURCES),
  smsProblem: Nullable(
    Type.String({ description: "短信最近一次因模板发送失败的原因；没有时为空" }),
  ),
  smsProblemAt: Nullable(Timestamp),
  subscribe: Nullable(SubscribeText),
  subscribeProblem: Nullable(
    Type.String({ description: "订阅消息最近一次因模板被微信拒绝的原因；没有时为空" }),
  ),
  subscribeProblemAt: Nullable(Timestamp),
  editVersion: Type.Integer({
    description: "保存时原样交回，防止覆盖他人的修改；0 表示还没有保存过",
  }),
  editedAt: Nullable(Timestamp),
  editedBy: Type.String(),
});
export type MessageTemplate = Static<typeof MessageTemplate>;

/** Platform staff may select a tenant. */
const ofTenant = { tenantId: Type.Optional(TenantId) };
/** Scenes shared by both sides have one template; either side addresses it. */
const which = { side: Side, scene: Scene, ...ofTenant };

const TemplateDraft = Strict({
  plan: OneOf(PLANS, "发送方式"),
  sms: Nullable(SmsText),
  subscribe: Nullable(SubscribeText),
});

export const WechatTemplate = Type.Object({
  templateId: Type.String(),
  title: Type.String(),
  isLongTerm: Type.Boolean({ description: "长期订阅；否则用户每同意一次可发一条" }),
  keywords: Type.Array(Type.Object({ name: Type.String(), title: Type.String() })),
  example: Type.String(),
});
export type WechatTemplate = Static<typeof WechatTemplate>;

export const SubscribeMessage = named(
  "SubscribeMessage",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    createdAt: Timestamp,
    scene: Scene,
    isTest: Type.Boolean(),
    phone: Type.String({ description: "已隐藏中间四位；已注销的用户为空" }),
    endUserId: Id,
    templateId: Type.String(),
    templateTitle: Type.String(),
    state: OneOf(SUBSCRIBE_STATES),
    attempts: Type.Integer(),
    settledAt: Nullable(Timestamp),
    errorCode: Nullable(Type.Integer({ description: "微信的错误码" })),
    problem: Type.String(),
    smsId: Nullable(Id),
    orderId: Nullable(Id),
    orderSide: Nullable(Side),
  }),
);
export type SubscribeMessage = Static<typeof SubscribeMessage>;

export const templateContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/template/list",
    access: "template:read",
    summary: "消息模板：一面设备的各场景，含两面共用的",
    query: Strict({ side: Side, ...ofTenant }),
    reply: Type.Object({
      tenantId: Type.Integer(),
      tenantName: Type.String(),
      smsSign: Type.String({ description: "短信签名；空表示系统默认" }),
      hasMiniProgram: Type.Boolean(),
      tellsOverdue: Type.Boolean({ description: "租户其他配置中的滞留提醒是否开启" }),
      hasCarrier: Type.Boolean({ description: "短信通道已开启：没有模板编号的短信发不出去" }),
      templates: Type.Array(MessageTemplate),
    }),
  }),
  save: endpoint({
    method: "PUT",
    path: "/admin/v1/template",
    access: "template:write",
    risk: "data",
    summary: "修改一个场景的消息模板；短信为空表示使用默认内容",
    body: Strict({
      ...which,
      ...TemplateDraft.properties,
      editVersion: EditVersionOrNew,
    }),
    reply: Nothing,
  }),
  reset: endpoint({
    method: "DELETE",
    path: "/admin/v1/template",
    access: "template:write",
    risk: "data",
    summary: "一个场景的消息模板恢复默认",
    query: Strict(which),
    reply: Nothing,
  }),
  test: endpoint({
    method: "POST",
    path: "/admin/v1/template/test",
    access: "template:write",
    risk: "routine",
    once: "always",
    pressed: true,
    summary: "按已保存的消息模板发送一条测试消息",
    body: Strict({ ...which, channel: OneOf(CHANNELS, "渠道"), phone: Phone }),
    reply: Type.Object({ smsId: Nullable(Id), subscribeId: Nullable(Id) }),
  }),
  catalog: endpoint({
    method: "GET",
    path: "/admin/v1/template/wechat",
    access: "template:read",
    summary: "小程序帐号下的订阅消息模板，最近一次从微信取得的",
    query: Strict(ofTenant),
    reply: Type.Object({
      state: OneOf(["NONE", "PENDING", "OK", "FAILED"]),
      problem: Type.String(),
      fetchedAt: Nullable(Timestamp),
      templates: Type.Array(WechatTemplate),
    }),
  }),
  fetchCatalog: endpoint({
    method: "POST",
    path: "/admin/v1/template/wechat/fetch",
    access: "template:write",
    risk: "routine",
    summary: "从微信重新取得订阅消息模板",
    body: Strict(ofTenant),
    reply: Nothing,
  }),
  messages: endpoint({
    method: "GET",
    path: "/admin/v1/template/message/list",
    access: "sms:read",
    summary: "订阅消息发送记录",
    query: PageQuery({
      phone: Type.Optional(PersonPhonePart),
      scene: Type.Optional(Scene),
      state: Type.Optional(OneOf(SUBSCRIBE_STATES, "状态")),
      orderId: Type.Optional(OrderId),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      ...ofTenant,
    }),
    reply: PageOf(SubscribeMessage),
  }),
};

/** App calls for subscriptions: templates to ask for, and reported answers. */
export const appSubscriptionContract = {
  wanted: endpoint({
    method: "GET",
    path: "/app/v1/subscription",
    access: "end-user",
    summary: "此刻应请用户同意的订阅消息，最缺的在前；供 wx.requestSubscribeMessage 使用",
    query: Strict({ side: Side, role: OneOf(APP_ROLES, "身份") }),
    reply: Type.Object({
      appId: Nullable(Type.String({ description: "订阅所属的小程序；不能订阅时为空" })),
      templates: Type.Array(
        Type.Object({
          templateId: Type.String(),
          title: Type.String(),
          left: Type.Integer({ description: "已同意而还没有发送的条数" }),
        }),
        { maxItems: MAX_ASKED },
      ),
    }),
  }),
  report: endpoint({
    method: "POST",
    path: "/app/v1/subscription",
    access: "end-user",
    once: true,
    summary: "上报用户同意了哪些订阅消息；每同意一次可发一条",
    body: Strict({
      accepted: Type.Array(Type.String({ maxLength: 64 }), {
        title: "已同意的模板 ID",
        minItems: 1,
        maxItems: MAX_ASKED,
        uniqueItems: true,
      }),
    }),
    reply: Nothing,
  }),
};
