// Calls that list money journals for the console (交易记录).
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  OrderId,
  PersonPhonePart,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { SIDES } from "../../vocabulary/hardware.rules.ts";
import { ACTOR_KINDS } from "../../vocabulary/order.rules.ts";
import { JOURNAL_KINDS, LEDGER_ACCOUNTS } from "./ledger.rules.ts";

export const Journal = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  at: Timestamp,
  kind: OneOf(JOURNAL_KINDS),
  side: Nullable(OneOf(SIDES)),
  orderId: Nullable(Id),
  endUserId: Id,
  userName: Type.String(),
  phone: Type.String({ description: "已隐藏中间四位" }),
  principalFen: Type.Integer({ description: "本金变动，正为增加" }),
  bonusFen: Type.Integer({ description: "赠金变动，正为增加" }),
  principalAfterFen: Type.Integer(),
  bonusAfterFen: Type.Integer(),
  actorKind: OneOf(ACTOR_KINDS),
  actorName: Type.String(),
  reason: Nullable(Type.String()),
});
export type Journal = Static<typeof Journal>;

export const JournalDetail = Type.Object({
  ...Journal.properties,
  bizType: Type.String(),
  bizId: Type.String(),
  legs: Type.Array(Type.Object({ account: OneOf(LEDGER_ACCOUNTS), amountFen: Type.Integer() }), {
    description: "借贷分录，合计为零",
  }),
});
export type JournalDetail = Static<typeof JournalDetail>;

const filters = {
  /** Payments and refunds of orders of this side: no other journal belongs to one (0133). */
  side: Type.Optional(OneOf(SIDES, "单双面")),
  kind: Type.Optional(OneOf(JOURNAL_KINDS, "类型")),
  phone: Type.Optional(PersonPhonePart),
  orderNo: Type.Optional(OrderId),
  endUserId: Type.Optional(Id),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  tenantId: Type.Optional(TenantId),
};

export const JournalSum = Type.Object({
  kind: OneOf(JOURNAL_KINDS),
  count: Type.Integer(),
  principalFen: Type.Integer(),
  bonusFen: Type.Integer(),
});
export type JournalSum = Static<typeof JournalSum>;

export const ledgerContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v2/wallet/journal/list",
    access: "ledger:read",
    summary: "交易记录",
    query: PageQuery(filters),
    reply: PageOf(Journal),
  }),
  sums: endpoint({
    method: "GET",
    path: "/admin/v2/wallet/journal/sums",
    access: "ledger:read",
    load: "heavy",
    summary: "交易记录合计",
    query: Strict(filters),
    reply: Type.Object({ sums: Type.Array(JournalSum), isCapped: Type.Optional(Type.Boolean()) }),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v2/wallet/journal/{id}",
    access: "ledger:read",
    summary: "一笔交易的详情与分录",
    params: IdParams,
    reply: JournalDetail,
  }),
};
