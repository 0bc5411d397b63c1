// Calls for WeChat payment: a tenant's setting (支付配置), and refunding top-ups.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  EditVersionOrNew,
  Id,
  IdParams,
  Nullable,
  OneOf,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { SETTING_CHECK_STATES } from "../../kit/setting-check.rules.ts";
import { TOP_UP_REFUND_STATES } from "./payment.rules.ts";

/** Readable part of the setting: keys and secrets are write-only. */
export const PaymentSetting = named(
  "PaymentSetting",
  Type.Object({
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    isOn: Type.Boolean({ description: "开启后，小程序可以在线充值" }),
    appId: Type.String(),
    mchid: Type.String(),
    certificateSerial: Type.String(),
    certificateExpiresAt: Nullable(Timestamp),
    hasPrivateKey: Type.Boolean(),
    hasApiV3Key: Type.Boolean(),
    publicKeyId: Type.String(),
    publicKey: Type.String(),
    noticeOrigin: Type.String(),
    noticeUrl: Type.String({ description: "微信把支付与退款结果发到这里；未设置域名时为空" }),
    checkState: OneOf(SETTING_CHECK_STATES),
    checkText: Type.String(),
    checkedAt: Nullable(Timestamp),
    lastNoticeAt: Nullable(Timestamp),
    editVersion: Type.Integer({
      description: "保存时原样交回，防止覆盖他人的修改；0 表示还没有保存过",
    }),
    editedAt: Nullable(Timestamp),
    editedBy: Type.String(),
  }),
);
export type PaymentSetting = Static<typeof PaymentSetting>;

const Pem = (title: string, kind: string, example = kind, isOptional = false) =>
  Type.String({
    title,
    ...(!isOptional && { minLength: 1 }),
    maxLength: 8_000,
    examples: [`-----BEGIN ${example}-----…-----END ${example}-----（文件的全部内容）`],
    pattern: `^\\s*${isOptional ? "(" : ""}-----BEGIN ${kind}-----[A-Za-z0-9+/=\\s]+-----END ${kind}-----\\s*${isOptional ? ")?" : ""}$`,
  });

const settingFields = {
  appId: Type.String({
    title: "小程序 AppID",
    minLength: 1,
    pattern: "^wx[0-9a-f]{16}$",
    examples: ["wx0123456789abcdef（wx 开头，18 位）"],
  }),
  mchid: Type.String({
    title: "商户号",
    minLength: 1,
    pattern: "^\\d{8,10}$",
    examples: ["1900000109（8 至 10 位数字）"],
  }),
  certificate: Type.Optional(Pem("商户 API 证书", "CERTIFICATE")),
  privateKey: Type.Optional(Pem("商户 API 私钥", "(?:RSA )?PRIVATE KEY", "PRIVATE KEY")),
  apiV3Key: Type.Optional(
    Type.String({
      title: "APIv3 密钥",
      pattern: "^[A-Za-z0-9]{32}$",
      examples: ["0123456789abcdefghijklmnopqrstUV（32 位字母和数字）"],
    }),
  ),
  publicKeyId: Type.String({
    title: "微信支付公钥 ID",
    description: "与公钥都留空：只用平台证书验证微信支付的签名",
    pattern: "^(PUB_KEY_ID_[0-9A-Za-z]{10,60})?$",
    examples: ["PUB_KEY_ID_0114232134912410000000000000"],
  }),
  publicKey: Pem("微信支付公钥", "PUBLIC KEY", "PUBLIC KEY", true),
  noticeOrigin: Type.String({
    title: "通知域名",
    minLength: 1,
    maxLength: 200,
    pattern: "^https://[A-Za-z0-9.-]+(:\\d{1,5})?$",
    examples: ["https://cabinet.example.com（末尾不带斜杠）"],
  }),
  isOn: Type.Boolean({ title: "在线充值" }),
};

export const PaymentSettingDraft = Strict(settingFields);
export type PaymentSettingDraft = Static<typeof PaymentSettingDraft>;

export const TopUpRefund = Type.Object({
  id: Id,
  outRefundNo: Type.String(),
  refundNo: Nullable(Type.String()),
  principalFen: Type.Integer(),
  bonusFen: Type.Integer(),
  state: OneOf(TOP_UP_REFUND_STATES),
  problem: Nullable(Type.String()),
  reason: Type.String(),
  actorName: Type.String(),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
});
export type TopUpRefund = Static<typeof TopUpRefund>;

export const TopUpPayment = Type.Object({
  outTradeNo: Type.String(),
  transactionNo: Nullable(Type.String()),
  channel: OneOf(["CASH", "WECHAT"]),
  expiresAt: Nullable(Timestamp),
  problem: Nullable(Type.String()),
  principalFen: Type.Integer(),
  bonusFen: Type.Integer(),
  refundedPrincipalFen: Type.Integer(),
  refundedBonusFen: Type.Integer(),
  spendablePrincipalFen: Type.Integer({ description: "钱包中未花费、未冻结的本金" }),
  spendableBonusFen: Type.Integer({ description: "钱包中未花费、未冻结的赠金" }),
  refundableFen: Type.Integer({ description: "现在最多可退的本金" }),
  refunds: Type.Array(TopUpRefund),
});
export type TopUpPayment = Static<typeof TopUpPayment>;

const TopUpRefundDraft = Strict({
  fen: Type.Integer({ title: "退款金额", minimum: 1, maximum: 10_000_000_00 }),
  reason: Reason,
});

const tenantQuery = Strict({ tenantId: Type.Optional(TenantId) });

export const paymentContract = {
  setting: endpoint({
    method: "GET",
    path: "/admin/v1/payment/setting",
    access: "payment:read",
    summary: "支付配置（密钥只写不读）",
    query: tenantQuery,
    reply: PaymentSetting,
  }),
  saveSetting: endpoint({
    method: "PUT",
    path: "/admin/v1/payment/setting",
    access: "payment:write",
    risk: "trust",
    summary: "保存支付配置",
    body: Strict({
      ...settingFields,
      tenantId: Type.Optional(TenantId),
      editVersion: EditVersionOrNew,
    }),
    reply: Nothing,
  }),
  checkSetting: endpoint({
    method: "POST",
    path: "/admin/v1/payment/setting/check",
    access: "payment:write",
    risk: "routine",
    summary: "验证支付配置：向微信支付发一次真实请求",
    body: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Nothing,
  }),
  topUp: endpoint({
    method: "GET",
    path: "/admin/v1/payment/top-up/{id}",
    access: "top-up:refund",
    summary: "一笔充值的支付与退款",
    params: IdParams,
    reply: TopUpPayment,
  }),
  refundTopUp: endpoint({
    method: "POST",
    path: "/admin/v1/payment/top-up/{id}/refund",
    access: "top-up:refund",
    risk: "money-by-sum",
    once: "always",
    pressed: true,
    summary: "充值退款：退回未花费的本金，按比例收回赠金",
    params: IdParams,
    body: TopUpRefundDraft,
    reply: Type.Object({ id: Id, bonusFen: Type.Integer({ description: "一并收回的赠金" }) }),
  }),
  checkTopUp: endpoint({
    method: "POST",
    path: "/admin/v1/payment/top-up/{id}/check",
    access: "top-up:refund",
    risk: "routine",
    summary: "向微信支付核实一笔充值",
    params: IdParams,
    reply: Nothing,
  }),
};
