// Calls for 接口应用: third-party applications, their scopes and keys, and signature debugging.
import { type Static, Type } from "typebox";
import { Network } from "../../equipment/cabinet-secret/cabinet-secret.contract.ts";
import {
  KEY_STATES,
  MAX_NETWORKS,
  MAX_OVERLAP_HOURS,
  OVERLAP_HOURS,
  SECRET_STATES,
} from "../../equipment/cabinet-secret/cabinet-secret.rules.ts";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  nameOf,
  OneOf,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { OPEN_APP_STATES } from "../../vocabulary/open-app.rules.ts";
import { OPEN_KID_PATTERN, OPEN_REFUSALS, OPEN_SCOPES } from "./open-api.rules.ts";

const OpenKid = Type.String({ title: "密钥编号", pattern: OPEN_KID_PATTERN });

const OpenKey = Type.Object({
  kid: OpenKid,
  state: OneOf(SECRET_STATES),
  createdAt: Timestamp,
  issuedBy: Type.String(),
  lastUsedAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
  revokedBy: Nullable(Type.String()),
});

const draftFields = {
  name: nameOf("应用名称", 1, 30),
  scopes: Type.Array(OneOf(OPEN_SCOPES), {
    title: "接口权限",
    minItems: 1,
    maxItems: OPEN_SCOPES.length,
    uniqueItems: true,
  }),
  networks: Type.Array(Network, { title: "IP 白名单", maxItems: MAX_NETWORKS }),
  ratePerMinute: Type.Integer({ title: "每分钟最多请求", minimum: 1, maximum: 6_000 }),
  reserveSharePercent: Type.Integer({
    title: "预约最多占用格口（%）",
    minimum: 1,
    maximum: 100,
    description: "预约而未存入的订单最多占一台设备同一大小格口的百分之几，至少 2 个",
  }),
  isSettling: Type.Boolean({ title: "费用由第三方结算" }),
  remark: Type.String({ title: "备注", maxLength: 200 }),
};
export const OpenAppDraft = Strict(draftFields);
export type OpenAppDraft = Static<typeof OpenAppDraft>;

export const OpenApp = Type.Object({
  ...draftFields,
  name: Type.String({ title: "应用名称" }),
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  code: Type.String({ title: "应用编号", description: "请求里的 app" }),
  state: OneOf(OPEN_APP_STATES),
  disabledReason: Nullable(Type.String()),
  keyState: OneOf(KEY_STATES),
  lastUsedAt: Nullable(Timestamp),
  callsToday: Type.Integer({ description: "今天的调用" }),
  refusedToday: Type.Integer({ description: "其中没有通过验证" }),
  createdAt: Timestamp,
  editedAt: Timestamp,
  editedBy: Type.String(),
  keys: Type.Array(OpenKey, { description: "有效的在前，新的在前" }),
});
export type OpenApp = Static<typeof OpenApp>;

/** Credentials for signing; returned only once. */
export const IssuedKey = Type.Object({
  name: Type.String(),
  app: Type.String(),
  kid: OpenKid,
  secret: Type.String(),
  previousKid: Nullable(OpenKid),
  previousExpiresAt: Nullable(Timestamp),
});
export type IssuedKey = Static<typeof IssuedKey>;

export const OpenAppOption = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  name: Type.String(),
  code: Type.String(),
});
export type OpenAppOption = Static<typeof OpenAppOption>;

/** Part of a signed request, as it was sent. */
const text = (title: string, maxLength: number) =>
  Type.String({ title, maxLength, "x-text": "raw" });

/** Request as sent, pasted for debugging. */
export const PastedRequest = Strict({
  method: OneOf(["GET", "POST"], "方法"),
  host: text("Host", 200),
  target: text("路径和查询串", 4_000),
  contentType: text("Content-Type", 200),
  idempotencyKey: text("Idempotency-Key", 200),
  authorization: text("Authorization", 1_000),
  body: text("正文", 60_000),
});
export type PastedRequest = Static<typeof PastedRequest>;

export const SignatureReport = Type.Object({
  /** Null where the header is incomplete. */
  stringToSign: Nullable(Type.String()),
  steps: Type.Array(
    Type.Object({
      step: OneOf(OPEN_REFUSALS),
      /** Null: not checked, because an earlier step failed. */
      isOk: Nullable(Type.Boolean()),
      detail: Type.String(),
    }),
  ),
  hints: Type.Array(Type.String(), { description: "签名不符时：它与哪一种常见错误相符" }),
});
export type SignatureReport = Static<typeof SignatureReport>;

export const openAppContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/open/app/list",
    access: "open-app:read",
    summary: "接口应用列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "名称/编号", maxLength: 64 })),
      state: Type.Optional(OneOf(OPEN_APP_STATES, "状态")),
      keyState: Type.Optional(OneOf(KEY_STATES, "密钥状态")),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(OpenApp),
  }),
  options: endpoint({
    method: "GET",
    path: "/admin/v1/open/app/options",
    access: "open-app:read",
    summary: "可选择的接口应用",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Type.Array(OpenAppOption),
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/open/app",
    access: "open-app:write",
    risk: "trust",
    summary: "新增接口应用",
    body: Strict({ ...draftFields, tenantId: Type.Optional(TenantId) }),
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/open/app/{id}",
    access: "open-app:write",
    risk: "trust",
    summary: "编辑接口应用",
    params: IdParams,
    body: OpenAppDraft,
    reply: Nothing,
  }),
  disable: endpoint({
    method: "POST",
    path: "/admin/v1/open/app/{id}/disable",
    access: "open-app:write",
    risk: "data",
    summary: "停用接口应用",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  enable: endpoint({
    method: "POST",
    path: "/admin/v1/open/app/{id}/enable",
    access: "open-app:write",
    risk: "trust",
    summary: "启用接口应用",
    params: IdParams,
    reply: Nothing,
  }),
  issue: endpoint({
    method: "POST",
    path: "/admin/v1/open/app/{id}/issue",
    access: "open-app:write",
    risk: "trust",
    summary: "生成或轮换接口密钥",
    params: IdParams,
    body: Strict({
      overlapHours: Type.Integer({
        title: "旧密钥保留（小时）",
        minimum: 1,
        maximum: MAX_OVERLAP_HOURS,
        default: OVERLAP_HOURS,
      }),
    }),
    reply: IssuedKey,
  }),
  revoke: endpoint({
    method: "POST",
    path: "/admin/v1/open/app/{id}/revoke",
    access: "open-app:write",
    risk: "data",
    summary: "吊销接口密钥",
    params: IdParams,
    body: Strict({ kid: OpenKid, reason: Reason }),
    reply: Nothing,
  }),
  debug: endpoint({
    method: "POST",
    path: "/admin/v1/open/app/debug",
    access: "open-app:read",
    isRead: true,
    summary: "签名调试：逐项检查一个请求的签名",
    body: PastedRequest,
    reply: SignatureReport,
  }),
};
