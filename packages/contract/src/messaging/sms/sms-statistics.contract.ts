// Calls for the SMS overview: sent and delivered messages, their cost, remaining credit.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { AnyDay, Day, Nullable, OneOf, Strict, TenantId } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { MESSAGE_SCENARIOS } from "./sms.rules.ts";
import { SMS_CARRIERS } from "./sms-carrier.rules.ts";

const counts = {
  written: Type.Integer({ description: "写入的短信" }),
  outbox: Type.Integer({ description: "没有短信通道，留在发件箱的" }),
  waiting: Type.Integer({ description: "待发送与发送中的" }),
  sent: Type.Integer({ description: "短信通道收下、还没有回执的" }),
  delivered: Type.Integer({ description: "已送达的" }),
  failed: Type.Integer({ description: "没有发出或没有送达的" }),
  usedSegments: Type.Integer({ description: "已扣的条数" }),
};
export const SmsCounts = named("SmsCounts", Type.Object(counts));
export type SmsCounts = Static<typeof SmsCounts>;

export const SmsDay = Type.Object({ day: AnyDay, ...counts });
export type SmsDay = Static<typeof SmsDay>;

export const SmsScenarioCounts = Type.Object({ scene: OneOf(MESSAGE_SCENARIOS), ...counts });
export type SmsScenarioCounts = Static<typeof SmsScenarioCounts>;

export const SmsFailure = Type.Object({
  carrier: Nullable(OneOf(SMS_CARRIERS)),
  resultCode: Type.String(),
  resultText: Type.String(),
  count: Type.Integer(),
});
export type SmsFailure = Static<typeof SmsFailure>;

const runway = {
  left: Type.Integer({ description: "可用条数，已减去冻结" }),
  held: Type.Integer({ description: "发送中的短信冻结的条数" }),
  perDay: Nullable(Type.Number({ description: "近 14 天平均每天使用的条数" })),
  daysLeft: Nullable(Type.Integer({ description: "按这个速度还能用几天" })),
};

export const SmsOverview = Type.Object({
  from: AnyDay,
  to: AnyDay,
  /** Null: no channel is enabled. */
  carrier: Nullable(OneOf(SMS_CARRIERS)),
  runway: Type.Object(runway),
  totals: SmsCounts,
  before: SmsCounts,
  byDay: Type.Array(SmsDay),
  byScene: Type.Array(SmsScenarioCounts),
  failures: Type.Array(SmsFailure),
});
export type SmsOverview = Static<typeof SmsOverview>;

export const TenantSms = Type.Object({
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  ...runway,
  usedLately: Type.Integer({ description: "近 30 天使用条数" }),
});
export type TenantSms = Static<typeof TenantSms>;

const tenantQuery = { tenantId: Type.Optional(TenantId) };

export const smsStatisticsContract = {
  overview: endpoint({
    method: "GET",
    path: "/admin/v1/sms/statistics",
    access: "sms-credit:read",
    load: "heavy",
    summary: "短信统计概览",
    query: Strict({
      from: Type.Optional(Day),
      to: Type.Optional(Day),
      ...tenantQuery,
    }),
    reply: SmsOverview,
  }),
  tenants: endpoint({
    method: "GET",
    path: "/admin/v1/sms/statistics/tenants",
    access: "platform",
    load: "heavy",
    summary: "各租户的短信余额与可用天数，最先用完的在前",
    query: PageQuery(tenantQuery),
    reply: PageOf(TenantSms),
  }),
};
