// Calls for end users (用户): riders and recipients of a tenant, listed and locked by operators.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  idOf,
  Nullable,
  OneOf,
  PersonPhonePart,
  Reason,
  RevealedPhone,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { LegalConsent } from "../legal-text/legal-text.ts";
import { END_USER_STATES, LONGEST_NOTE } from "./end-user.rules.ts";
import { TagMark } from "./tag.contract.ts";

const fen = (description: string) => Type.Integer({ description });

export const EndUser = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  userName: Type.String({ title: "姓名" }),
  phone: Type.String({ description: "已隐藏中间四位" }),
  tags: Type.Array(TagMark),
  state: OneOf(END_USER_STATES),
  lockReason: Nullable(Type.String({ description: "锁定原因；正常时为空" })),
  lockedAt: Nullable(Timestamp),
  lockedUntil: Nullable(Type.String({ format: "date-time", description: "自动解锁时间" })),
  principalFen: fen("本金"),
  bonusFen: fen("赠金"),
  heldFen: fen("其中为进行中的支付冻结"),
  liveOrders: Type.Integer({ description: "进行中的订单" }),
  createdAt: Timestamp,
  lastSeenAt: Nullable(Timestamp),
});
export type EndUser = Static<typeof EndUser>;

/** Order of a user, in a cabinet that the account may see. */
const PersonOrder = named(
  "PersonOrder",
  Type.Object({
    id: Id,
    side: Side,
    state: OneOf(ORDER_STATES),
    isRider: Type.Boolean({ description: "已存件（本人）" }),
    cabinetName: Type.String(),
    compartmentNo: Type.Integer(),
    storedAt: Nullable(Timestamp),
    endedAt: Nullable(Timestamp),
  }),
);
export type PersonOrder = Static<typeof PersonOrder>;

const EndUserNote = Type.Object({
  id: Id,
  at: Timestamp,
  text: Type.String(),
  actorName: Type.String(),
  isDeletable: Type.Boolean({ description: "本账号可以删除" }),
});
export type EndUserNote = Static<typeof EndUserNote>;

export const EndUserDetail = Type.Object({
  ...EndUser.properties,
  isWechatBound: Type.Boolean({ description: "已绑定微信小程序" }),
  orders: Type.Array(PersonOrder, { description: "进行中的订单，最近的在前" }),
  recentOrders: Type.Array(PersonOrder, { description: "最近结束的订单" }),
  notes: Type.Array(EndUserNote, { description: "备注，最近的在前" }),
  locks: Type.Array(
    Type.Object({
      id: Id,
      at: Timestamp,
      isLock: Type.Boolean(),
      reason: Type.String(),
      lockedUntil: Nullable(Timestamp),
      actorName: Type.String(),
    }),
    { description: "锁定记录，最近的在前" },
  ),
  /** Amounts in fen; a user with any leftover cannot be deleted. */
  leftovers: Type.Object({
    principalFen: Type.Integer(),
    bonusFen: Type.Integer(),
    heldFen: Type.Integer(),
    cards: Type.Integer(),
    liveOrders: Type.Integer(),
    unpaidOrders: Type.Integer(),
    unpaidFen: Type.Integer(),
    openTopUps: Type.Integer(),
    openRefunds: Type.Integer(),
    openDifferences: Type.Integer(),
  }),
  legal: Type.Array(LegalConsent, { description: "现行的协议和同意的时间，未同意时为空" }),
});
export type EndUserDetail = Static<typeof EndUserDetail>;

/**
 * Paths follow the specification, which puts these calls under `user/…` beside those of console
 * accounts. `user/list` and `user/disable` belong to the tag calls there: only end users are tagged and locked.
 */
export const endUserContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/user/list",
    access: "end-user:read",
    summary: "用户列表",
    query: PageQuery({
      phone: Type.Optional(PersonPhonePart),
      name: Type.Optional(Type.String({ title: "姓名", maxLength: 64 })),
      state: Type.Optional(OneOf(END_USER_STATES, "状态")),
      tagId: Type.Optional(idOf("标签")),
      hasBalance: Type.Optional(Type.Boolean({ title: "有余额" })),
      hasGoods: Type.Optional(Type.Boolean({ title: "有在柜物品" })),
      endUserId: Type.Optional(Id),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
      sort: Type.Optional(OneOf(["balance", "lastSeenAt"], "排序")),
      order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
    }),
    reply: PageOf(EndUser),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/normal/user/{id}",
    access: "end-user:read",
    summary: "用户详情",
    params: IdParams,
    reply: EndUserDetail,
  }),
  showPhone: endpoint({
    method: "POST",
    path: "/admin/v1/normal/user/{id}/phone",
    access: "end-user:reveal",
    risk: "data",
    summary: "查看用户的完整手机号",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: RevealedPhone,
  }),
  lock: endpoint({
    method: "PUT",
    path: "/admin/v1/user/disable/{id}",
    access: "end-user:write",
    risk: "routine",
    summary: "锁定或解锁用户",
    params: IdParams,
    query: Strict({
      lock: Type.Boolean({ title: "锁定", description: "true 锁定，false 解锁" }),
      reason: Reason,
      until: Type.Optional(
        Type.Union([Timestamp, Type.Literal("")], {
          title: "解锁时间",
          description: "到时自动解锁；空为直到手动解锁，不传则不改变",
        }),
      ),
    }),
    reply: Nothing,
  }),
  addNote: endpoint({
    method: "POST",
    path: "/admin/v1/normal/user/{id}/note",
    access: "end-user:write",
    risk: "routine",
    summary: "给用户添加备注",
    params: IdParams,
    body: Strict({
      text: Type.String({ title: "备注", minLength: 1, maxLength: LONGEST_NOTE, pattern: "\\S" }),
    }),
    reply: RecordId,
  }),
  deleteNote: endpoint({
    method: "DELETE",
    path: "/admin/v1/normal/user/{id}/note/{noteId}",
    access: "end-user:write",
    risk: "data",
    summary: "删除用户的备注",
    params: Strict({ id: Id, noteId: idOf("备注编号") }),
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/normal/user/del/{id}",
    access: "end-user:write",
    risk: "data",
    summary: "删除用户的个人资料",
    params: IdParams,
    reply: Nothing,
  }),
};
