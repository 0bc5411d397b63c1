// Call for the month's statement (月结单) of a company, a store or a side.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Day, Nullable, OneOf, StoreId, Strict, TenantId, Timestamp } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { SIDES } from "../../vocabulary/hardware.rules.ts";
import { STATEMENT_LINES } from "./statement.rules.ts";

/** `2026-10`, in Shanghai. */
const Month = Type.String({ title: "月份", pattern: "^[12]\\d{3}-(0[1-9]|1[0-2])$" });

const Balance = Type.Object({ principalFen: Type.Integer(), bonusFen: Type.Integer() });

const LineSum = named(
  "StatementLine",
  Type.Object({
    line: OneOf(STATEMENT_LINES),
    count: Type.Integer(),
    principalFen: Type.Integer({ description: "本金变动，正为用户余额增加" }),
    bonusFen: Type.Integer({ description: "赠金变动，正为用户余额增加" }),
  }),
);

export const Statement = Type.Object({
  month: Month,
  from: Day,
  to: { ...Day, description: "最后一天；当月为今天" },
  isUnfinished: Type.Boolean({ description: "当月尚未结束" }),
  at: { ...Timestamp, description: "生成时间" },
  tenantName: Type.String(),
  storeName: Nullable(Type.String()),
  side: Nullable(OneOf(SIDES)),
  opening: { ...Nullable(Balance), description: "期初用户余额；门店与单双面没有余额" },
  lines: { ...Type.Array(LineSum), description: "各项变动；期初 + 变动 = 期末" },
  closing: { ...Nullable(Balance), description: "期末用户余额；门店与单双面没有余额" },
  days: Type.Array(
    Type.Object({
      day: Day,
      openingFen: Nullable(Type.Integer({ description: "本金加赠金" })),
      lines: Type.Array(LineSum),
      closingFen: Nullable(Type.Integer()),
    }),
  ),
  differences: {
    ...Nullable(
      Type.Object({
        settled: Type.Integer({ description: "当月处理的对账差异" }),
        credited: Type.Integer({ description: "其中补记入账，已含在微信充值中" }),
        creditedFen: Type.Integer(),
        open: Type.Integer({ description: "现在待处理的对账差异" }),
      }),
    ),
    description: "整个公司的月结单才有，且须有查看对账的权限",
  },
});
export type Statement = Static<typeof Statement>;

export const statementContract = {
  month: endpoint({
    method: "GET",
    path: "/admin/v1/statement/month",
    access: "statement:read",
    load: "heavy",
    summary: "月结单：一个月的期初、变动与期末",
    query: Strict({
      month: Month,
      side: Type.Optional(OneOf(SIDES, "单双面")),
      storeId: Type.Optional(StoreId),
      tenantId: Type.Optional(TenantId),
    }),
    reply: Statement,
  }),
};
