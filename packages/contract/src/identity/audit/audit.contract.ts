// Calls for the audit log (操作审计): writes with their changes, and checks of the hash chain.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Id, IdParams, Nullable, OneOf, Strict, TenantId, Timestamp } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { CHAIN_FAULTS } from "./audit.rules.ts";

const entryFields = {
  id: Id,
  at: Timestamp,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  actorName: Nullable(Type.String({ description: "账号" })),
  actorDisplayName: Nullable(Type.String()),
  isByPlatform: Type.Boolean({ description: "平台人员在租户的数据上所做" }),
  call: Type.String(),
  summary: Type.String(),
  target: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  address: Nullable(Type.String()),
  requestId: Nullable(Type.String()),
};
export const AuditEntry = Type.Object(entryFields);
export type AuditEntry = Static<typeof AuditEntry>;

/** Value of a field before and after as JSON; null where the field was absent. */
export const AuditChange = named(
  "AuditChange",
  Type.Object({
    field: Type.String({ description: "最里层的字段名" }),
    label: Type.String(),
    before: Nullable(Type.String()),
    after: Nullable(Type.String()),
  }),
);
export type AuditChange = Static<typeof AuditChange>;

export const AuditEntryDetail = Type.Object({
  ...entryFields,
  seq: Nullable(Type.Integer({ description: "在租户校验链中的序号" })),
  hash: Nullable(Type.String({ description: "校验值" })),
  hasBefore: Type.Boolean(),
  hasAfter: Type.Boolean(),
  changes: Type.Array(AuditChange),
  unchanged: Type.Array(AuditChange),
});
export type AuditEntryDetail = Static<typeof AuditEntryDetail>;

export const AuditCall = Type.Object({ call: Type.String(), summary: Type.String() });
export type AuditCall = Static<typeof AuditCall>;

export const AuditChain = Type.Object({
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  count: Type.Integer({ description: "链上的记录数" }),
});
export type AuditChain = Static<typeof AuditChain>;

export const ChainCheck = Type.Object({
  checkedTo: Type.Integer({ description: "已校验到的序号" }),
  count: Type.Integer({ description: "链上的记录数" }),
  removed: Type.Integer({ description: "从头起已到期删除的记录数；校验从下一条开始" }),
  isDone: Type.Boolean(),
  headHash: Type.String({ description: "链末的校验码" }),
  sealed: Nullable(
    Type.Object(
      {
        day: Type.String({ description: "上海日期" }),
        seq: Type.Integer({ description: "签到第几条" }),
      },
      { description: "最近一次签出的链末校验码；只在校验到链末时给出" },
    ),
  ),
  fault: Nullable(
    Type.Object({
      kind: OneOf(CHAIN_FAULTS),
      seq: Nullable(Type.Integer({ description: "第几条" })),
      entryId: Nullable(Id),
      at: Nullable(Timestamp),
      summary: Nullable(Type.String()),
    }),
  ),
});
export type ChainCheck = Static<typeof ChainCheck>;

const filters = {
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  actor: Type.Optional(Type.String({ title: "操作人", maxLength: 64 })),
  call: Type.Optional(Type.String({ title: "操作", maxLength: 200 })),
  target: Type.Optional(Type.String({ title: "对象", maxLength: 64 })),
  address: Type.Optional(Type.String({ title: "操作地址", maxLength: 45 })),
  request: Type.Optional(Type.String({ title: "请求编号", maxLength: 64 })),
  tenantId: Type.Optional(TenantId),
};

export const auditContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/audit/list",
    access: "audit:read",
    summary: "操作审计",
    query: PageQuery(filters),
    reply: PageOf(AuditEntry),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/audit/entry/{id}",
    access: "audit:read",
    summary: "操作审计详情",
    params: IdParams,
    reply: AuditEntryDetail,
  }),
  calls: endpoint({
    method: "GET",
    path: "/admin/v1/audit/calls",
    access: "audit:read",
    summary: "会记入操作审计的操作",
    reply: Type.Array(AuditCall),
  }),
  chains: endpoint({
    method: "GET",
    path: "/admin/v1/audit/chain/list",
    access: "audit:read",
    summary: "可校验的审计链",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Type.Array(AuditChain),
  }),
  check: endpoint({
    method: "GET",
    path: "/admin/v1/audit/chain/check",
    access: "audit:read",
    summary: "校验审计链：从一个序号之后起的一段",
    query: Strict({
      tenantId: TenantId,
      after: Type.Optional(
        Type.Integer({ title: "序号", minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
      ),
    }),
    reply: ChainCheck,
  }),
};
