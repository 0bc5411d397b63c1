// Calls of four eyes (资金复核): money beyond the tenant's sum waits until a second person has agreed.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
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
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { JOURNAL_KINDS } from "../ledger/ledger.rules.ts";
import { REVIEW_STATES } from "./review.rules.ts";

export const Review = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  kind: OneOf(JOURNAL_KINDS),
  endUserId: Id,
  userName: Type.String(),
  phone: Type.String({ description: "已隐藏中间四位" }),
  orderId: Nullable(Id),
  principalFen: Type.Integer({ description: "本金变动，正为增加" }),
  bonusFen: Type.Integer({ description: "赠金变动，正为增加" }),
  reason: Type.String(),
  state: OneOf(REVIEW_STATES),
  requesterName: Type.String(),
  requestedAt: Timestamp,
  expiresAt: Timestamp,
  deciderName: Nullable(Type.String()),
  decidedAt: Nullable(Timestamp),
  decision: { ...Nullable(Type.String()), description: "拒绝的原因" },
  isOwn: Type.Boolean({ description: "本人提交" }),
  mayDecide: Type.Boolean({ description: "本人可以同意或拒绝" }),
});
export type Review = Static<typeof Review>;

export const reviewContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/review/list",
    access: "signed-in",
    summary: "资金复核：本人提交的，以及本人有权做的操作",
    query: PageQuery({
      state: Type.Optional(OneOf(REVIEW_STATES, "状态")),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(Review),
  }),
  approve: endpoint({
    method: "POST",
    path: "/admin/v1/review/{id}/approve",
    access: "signed-in",
    risk: "money",
    once: "always",
    pressed: true,
    summary: "同意一笔资金操作，立即执行",
    params: IdParams,
    reply: Nothing,
  }),
  refuse: endpoint({
    method: "POST",
    path: "/admin/v1/review/{id}/refuse",
    access: "signed-in",
    risk: "routine",
    summary: "拒绝一笔资金操作",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
};
