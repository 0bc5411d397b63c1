// Calls for a tenant's WeChat mini-program (小程序配置), which its users sign in to.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  EditVersionOrNew,
  Nullable,
  OneOf,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { SETTING_CHECK_STATES } from "../../kit/setting-check.rules.ts";
import { PUSH_MODES } from "./mini-program.rules.ts";

/** Readable part of the setting: the secret is write-only. */
export const MiniProgramSetting = named(
  "MiniProgramSetting",
  Type.Object({
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    appId: Type.String(),
    hasSecret: Type.Boolean(),
    paymentAppId: Nullable(
      Type.String({ description: "在线充值所用的小程序；未开启在线充值时为空" }),
    ),
    checkState: OneOf(SETTING_CHECK_STATES),
    checkText: Type.String(),
    checkedAt: Nullable(Timestamp),
    lastSignInAt: Nullable(Timestamp),
    pushMode: OneOf(PUSH_MODES),
    hasPushToken: Type.Boolean(),
    hasPushKey: Type.Boolean(),
    pushProvenAt: Nullable(
      Type.String({ format: "date-time", description: "微信用现在的 Token 验证过推送地址的时间" }),
    ),
    pushSeenAt: Nullable(Timestamp),
    pushTrouble: Type.String({ description: "最近一次没有接受的推送错在哪里；正常时为空" }),
    pushTroubleAt: Nullable(Timestamp),
    editVersion: Type.Integer({
      description: "保存时原样交回，防止覆盖他人的修改；0 表示还没有保存过",
    }),
    editedAt: Nullable(Timestamp),
    editedBy: Type.String(),
  }),
);
export type MiniProgramSetting = Static<typeof MiniProgramSetting>;

const settingFields = {
  appId: Type.String({
    title: "小程序 AppID",
    minLength: 1,
    pattern: "^wx[0-9a-f]{16}$",
    examples: ["wx0123456789abcdef（wx 开头，18 位）"],
  }),
  secret: Type.Optional(
    Type.String({
      title: "AppSecret",
      pattern: "^[0-9a-f]{32}$",
      examples: ["0123456789abcdef0123456789abcdef（32 位小写字母和数字）"],
    }),
  ),
  pushMode: Type.Optional(OneOf(PUSH_MODES, "消息加密方式")),
  pushToken: Type.Optional(
    Type.String({
      title: "令牌 Token",
      pattern: "^[A-Za-z0-9]{3,32}$",
      examples: ["CabinetPush2026（3 至 32 位字母和数字）"],
    }),
  ),
  pushKey: Type.Optional(
    Type.String({
      title: "消息加密密钥 EncodingAESKey",
      pattern: "^[A-Za-z0-9]{43}$",
      examples: ["点“生成”得到的 43 位字母和数字"],
    }),
  ),
};

export const MiniProgramSettingDraft = Strict(settingFields);
export type MiniProgramSettingDraft = Static<typeof MiniProgramSettingDraft>;

/** Platform staff may select a tenant. */
const ofTenant = { tenantId: Type.Optional(TenantId) };

export const miniProgramContract = {
  setting: endpoint({
    method: "GET",
    path: "/admin/v1/mini-program/setting",
    access: "mini-program:read",
    summary: "小程序配置；不含密钥",
    query: Strict(ofTenant),
    reply: MiniProgramSetting,
  }),
  saveSetting: endpoint({
    method: "PUT",
    path: "/admin/v1/mini-program/setting",
    access: "mini-program:write",
    risk: "trust",
    summary: "修改小程序配置；未填写的密钥保持不变",
    body: Strict({
      ...settingFields,
      ...ofTenant,
      editVersion: EditVersionOrNew,
    }),
    reply: Nothing,
  }),
  checkSetting: endpoint({
    method: "POST",
    path: "/admin/v1/mini-program/setting/check",
    access: "mini-program:write",
    risk: "routine",
    summary: "验证小程序配置：向微信换取一次访问凭据",
    body: Strict(ofTenant),
    reply: Nothing,
  }),
};
