// Calls for maintenance messages (维护消息): rules, recipients and sent notices of malfunctions.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
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
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { UserType } from "../../vocabulary/account.ts";
import {
  MAX_CALM_MINUTES,
  MAX_ESCALATE_MINUTES,
  NOTICE_STEPS,
  RULE_KINDS,
  RULE_SOURCES,
  SMS_STATES,
} from "./maintenance-message.rules.ts";

const Kind = OneOf(RULE_KINDS, "故障类型");
const TimeOfDay = (title: string) =>
  Nullable(Type.String({ title, pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }));
const Accounts = (title: string) => Type.Array(Id, { title, maxItems: 20, uniqueItems: true });

const settings = {
  isOn: Type.Boolean({ title: "通知" }),
  toCaretakers: Type.Boolean({ title: "门店运维人员" }),
  toManager: Type.Boolean({ title: "门店负责人" }),
  byConsole: Type.Boolean({ title: "后台提醒" }),
  bySms: Type.Boolean({ title: "短信" }),
  quietFrom: TimeOfDay("免打扰开始"),
  quietTo: TimeOfDay("免打扰结束"),
  calmMinutes: Type.Integer({ title: "重复通知间隔", minimum: 0, maximum: MAX_CALM_MINUTES }),
  escalateMinutes: Nullable(
    Type.Integer({ title: "升级时间", minimum: 1, maximum: MAX_ESCALATE_MINUTES }),
  ),
};

export const RuleBody = Strict({
  kind: Kind,
  ...settings,
  recipientIds: Accounts("指定账号"),
  escalationIds: Accounts("升级通知的账号"),
  tenantId: Type.Optional(TenantId),
  editVersion: EditVersionOrNew,
});
export type RuleBody = Static<typeof RuleBody>;

export const NoticeAccount = named(
  "NoticeAccount",
  Type.Object({
    id: Id,
    name: Type.String(),
    userType: UserType,
    hasPhone: Type.Boolean({ description: "登记了手机号，可以收短信" }),
    isDisabled: Type.Boolean(),
  }),
);
export type NoticeAccount = Static<typeof NoticeAccount>;

export const MaintenanceRule = Type.Object({
  kind: Kind,
  source: OneOf(RULE_SOURCES),
  ...settings,
  recipients: Type.Array(NoticeAccount),
  escalation: Type.Array(NoticeAccount),
  editVersion: Type.Integer({ description: "保存时原样交回；0 表示这一类还没有自己的规则" }),
  editedAt: Nullable(Timestamp),
  editedBy: Type.String(),
});
export type MaintenanceRule = Static<typeof MaintenanceRule>;

const ofTenant = { tenantId: Type.Optional(TenantId) };

const NoticePlan = Type.Object({
  place: Type.String(),
  first: Type.Array(NoticeAccount),
  isFallback: Type.Boolean({ description: "没有接收人，改为通知可以修改本配置的账号" }),
  escalation: Type.Array(NoticeAccount),
  smsText: Type.String({ description: "测试短信的内容，不含签名" }),
});

const noticeFields = {
  id: Id,
  createdAt: Timestamp,
  malfunctionId: Nullable(Id),
  step: OneOf(NOTICE_STEPS),
  kind: Kind,
  place: Type.String(),
  detail: Type.String(),
  cabinetId: Nullable(Id),
  compartmentNo: Nullable(Type.Integer()),
  storeId: Nullable(Id),
};

export const MaintenanceNotice = Type.Object({
  ...noticeFields,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  operatorName: Type.String(),
  byConsole: Type.Boolean(),
  readAt: Nullable(Timestamp),
  smsState: OneOf(SMS_STATES),
  smsDueAt: Nullable(Timestamp),
});
export type MaintenanceNotice = Static<typeof MaintenanceNotice>;

export const OwnNotice = Type.Object({ ...noticeFields, isRead: Type.Boolean() });
export type OwnNotice = Static<typeof OwnNotice>;

export const maintenanceMessageContract = {
  rules: endpoint({
    method: "GET",
    path: "/admin/v1/maintenance/message/rule",
    access: "maintenance-message:read",
    summary: "维护消息配置：每类故障通知谁、怎样通知",
    query: Strict(ofTenant),
    reply: Type.Object({
      tenantId: Type.Integer(),
      tenantName: Type.String(),
      rules: Type.Array(MaintenanceRule),
    }),
  }),
  accounts: endpoint({
    method: "GET",
    path: "/admin/v1/maintenance/message/account",
    access: "maintenance-message:read",
    summary: "可以接收维护消息的账号",
    query: Strict(ofTenant),
    reply: Type.Array(NoticeAccount),
  }),
  saveRule: endpoint({
    method: "PUT",
    path: "/admin/v1/maintenance/message/rule",
    access: "maintenance-message:write",
    risk: "data",
    summary: "保存维护消息规则",
    body: RuleBody,
    reply: Nothing,
  }),
  resetRule: endpoint({
    method: "DELETE",
    path: "/admin/v1/maintenance/message/rule",
    access: "maintenance-message:write",
    risk: "data",
    summary: "恢复默认的维护消息规则",
    query: Strict({ kind: Kind, ...ofTenant }),
    reply: Nothing,
  }),
  plan: endpoint({
    method: "GET",
    path: "/admin/v1/maintenance/message/plan",
    access: "maintenance-message:read",
    summary: "一家门店发生一类故障时会通知谁",
    query: Strict({ kind: Kind, storeId: Type.Optional(StoreId), ...ofTenant }),
    reply: NoticePlan,
  }),
  test: endpoint({
    method: "POST",
    path: "/admin/v1/maintenance/message/test",
    access: "maintenance-message:write",
    risk: "routine",
    once: "always",
    pressed: true,
    summary: "发送维护消息测试",
    body: Strict({ kind: Kind, storeId: Type.Optional(StoreId), ...ofTenant }),
    reply: Type.Object({
      told: Type.Integer({ description: "通知人数" }),
      queued: Type.Integer({ description: "写入发件箱的短信" }),
      noPhone: Type.Integer({ description: "没有手机号的人数" }),
      capped: Type.Integer({ description: "超过每小时上限的人数" }),
    }),
  }),
  notices: endpoint({
    method: "GET",
    path: "/admin/v1/maintenance/message/notice/list",
    access: "maintenance-message:read",
    summary: "维护消息发送记录",
    query: PageQuery({
      step: Type.Optional(OneOf(NOTICE_STEPS, "类型")),
      kind: Type.Optional(Kind),
      smsState: Type.Optional(OneOf(SMS_STATES, "短信")),
      operator: Type.Optional(Type.String({ title: "接收人", maxLength: 64 })),
      malfunctionId: Type.Optional(Id),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      ...ofTenant,
    }),
    reply: PageOf(MaintenanceNotice),
  }),
};
