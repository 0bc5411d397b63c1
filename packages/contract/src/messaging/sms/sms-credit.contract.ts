// Calls for SMS credit: tenants' accounts in segments, and recharges by the platform.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
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
import { PageOf, PageQuery, SumsOf } from "../../kit/pagination.ts";
import { MESSAGE_SCENARIOS } from "./sms.rules.ts";
import { MAX_RECHARGE_FEN, MAX_RECHARGE_SEGMENTS, SMS_CREDIT_KINDS } from "./sms-credit.rules.ts";

export const SmsAccount = named(
  "SmsAccount",
  Type.Object({
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    left: Type.Integer({ description: "可用条数，已减去冻结" }),
    held: Type.Integer({ description: "发送中的短信冻结的条数" }),
    rechargedSegments: Type.Integer({ description: "累计充值条数，已减去撤回" }),
    rechargedFen: Type.Integer({ description: "累计充值金额，已减去撤回" }),
    usedSegments: Type.Integer({ description: "累计使用条数" }),
    usedLately: Type.Integer({ description: "近 30 天使用条数" }),
    writtenLately: Type.Integer({ description: "近 30 天写入发件箱的计费条数" }),
    lastRechargeAt: Nullable(Timestamp),
  }),
);
export type SmsAccount = Static<typeof SmsAccount>;

export const SmsRecharge = named(
  "SmsRecharge",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    at: Timestamp,
    segments: Type.Integer({ description: "条数，撤回为负" }),
    amountFen: Type.Integer({ description: "金额，撤回为负" }),
    balanceAfter: Type.Integer({ description: "之后的余额，含冻结" }),
    reversesId: Nullable(Id),
    reversedById: Nullable(Id),
    reason: Type.String(),
    actorName: Type.String(),
  }),
);
export type SmsRecharge = Static<typeof SmsRecharge>;

export const SmsCreditEntry = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  at: Timestamp,
  kind: OneOf(SMS_CREDIT_KINDS),
  segments: Type.Integer({ description: "条数，减少为负" }),
  balanceAfter: Type.Integer({ description: "之后的余额，含冻结" }),
  bizId: Type.Integer({ description: "充值记录或短信的编号" }),
  scene: Nullable(OneOf(MESSAGE_SCENARIOS)),
});
export type SmsCreditEntry = Static<typeof SmsCreditEntry>;

const recordFilters = {
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  kind: Type.Optional(OneOf(["RECHARGE", "REVERSAL"], "类型")),
};
const ownRecordFilters = { ...recordFilters, tenantId: Type.Optional(TenantId) };

const tenantParams = Strict({ tenantId: TenantId });

export const SmsRechargeDraft = Strict({
  tenantId: TenantId,
  segments: Type.Integer({ title: "充值条数", minimum: 1, maximum: MAX_RECHARGE_SEGMENTS }),
  amountFen: Type.Integer({ title: "充值金额", minimum: 0, maximum: MAX_RECHARGE_FEN }),
  reason: Reason,
});
export type SmsRechargeDraft = Static<typeof SmsRechargeDraft>;

const Outcome = named(
  "SmsRechargeResult",
  Type.Object({ id: Id, left: Type.Integer({ description: "之后的可用条数" }) }),
);

export const smsCreditContract = {
  info: endpoint({
    method: "GET",
    path: "/admin/v1/sms/info",
    access: "sms-credit:read",
    summary: "本租户的短信余额",
    reply: SmsAccount,
  }),
  infoOf: endpoint({
    method: "GET",
    path: "/admin/v1/sms/info/{tenantId}",
    access: "platform",
    summary: "一个租户的短信余额",
    params: tenantParams,
    reply: SmsAccount,
  }),
  records: endpoint({
    method: "GET",
    path: "/admin/v1/sms/recharge/record",
    access: "sms-credit:read",
    summary: "短信充值明细",
    query: PageQuery(ownRecordFilters),
    reply: PageOf(SmsRecharge),
  }),
  recordSums: endpoint({
    method: "GET",
    path: "/admin/v1/sms/recharge/sums",
    access: "sms-credit:read",
    load: "heavy",
    summary: "短信充值明细合计",
    query: Strict(ownRecordFilters),
    reply: SumsOf({
      segments: Type.Integer({ description: "条数，已减去撤回" }),
      amountFen: Type.Integer({ description: "金额，已减去撤回" }),
    }),
  }),
  recordsOf: endpoint({
    method: "GET",
    path: "/admin/v1/sms/recharge/record/{tenantId}",
    access: "platform",
    summary: "一个租户的短信充值明细",
    params: tenantParams,
    query: PageQuery(recordFilters),
    reply: PageOf(SmsRecharge),
  }),
  entries: endpoint({
    method: "GET",
    path: "/admin/v1/sms/credit/entries",
    access: "sms-credit:read",
    summary: "短信条数的每一笔变动",
    query: PageQuery({
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      kind: Type.Optional(OneOf(SMS_CREDIT_KINDS, "类型")),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(SmsCreditEntry),
  }),
  recharge: endpoint({
    method: "POST",
    path: "/admin/v1/sms/recharge",
    access: "platform",
    risk: "money",
    once: "always",
    pressed: true,
    summary: "为租户充值短信",
    body: SmsRechargeDraft,
    reply: Outcome,
  }),
  reverse: endpoint({
    method: "POST",
    path: "/admin/v1/sms/recharge/{id}/reverse",
    access: "platform",
    risk: "money",
    once: "always",
    pressed: true,
    summary: "撤回一笔短信充值",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Outcome,
  }),
};
