// Calls for cabinet secrets (设备接口密钥): listing, issuing, rotating, revoking, allowed networks.
import { type Static, Type } from "typebox";
import { CONNECTIVITIES } from "../../fleet/cabinet/cabinet.rules.ts";
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
import { CompartmentNo, Side } from "../../vocabulary/hardware.ts";
import {
  KEY_STATES,
  MAX_NETWORKS,
  MAX_OVERLAP_HOURS,
  NETWORK_PATTERN,
  OVERLAP_HOURS,
  SECRET_STATES,
} from "./cabinet-secret.rules.ts";

const Kid = Type.String({ title: "密钥编号", pattern: "^[A-Za-z0-9_-]{1,16}$" });

export const SecretFacts = Type.Object({
  kid: Kid,
  state: OneOf(SECRET_STATES),
  isConnected: Type.Boolean({ description: "设备当前的连接用的是它" }),
  createdAt: Timestamp,
  issuedBy: Nullable(Type.String()),
  lastUsedAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
  revokedBy: Nullable(Type.String()),
});
export type SecretFacts = Static<typeof SecretFacts>;

export const KeyedCabinet = Type.Object({
  cabinetId: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  sn: Type.String(),
  name: Type.String(),
  storeName: Nullable(Type.String()),
  connectivity: OneOf(CONNECTIVITIES, "在线状态"),
  isRetired: Type.Boolean(),
  state: OneOf(KEY_STATES),
  lastUsedAt: Nullable(Timestamp),
  networks: Type.Array(Type.String()),
  secrets: Type.Array(SecretFacts, { description: "有效的在前，新的在前" }),
});
export type KeyedCabinet = Static<typeof KeyedCabinet>;

/** Credentials for a cabinet; returned only once. */
export const IssuedSecret = Type.Object({
  sn: Type.String(),
  name: Type.String(),
  kid: Kid,
  secret: Type.String(),
  previousKid: Nullable(Kid),
  previousExpiresAt: Nullable(Timestamp),
  side: Side,
  compartments: Type.Array(
    Type.Object({ no: CompartmentNo, sides: Type.Array(OneOf(["FRONT", "BACK"])) }),
  ),
  broker: Type.Object({
    url: Nullable(Type.String({ description: "外部消息服务地址" })),
    port: Type.Integer({ description: "内置消息服务端口" }),
  }),
});
export type IssuedSecret = Static<typeof IssuedSecret>;

export const Network = Type.String({ title: "IP 或网段", pattern: NETWORK_PATTERN, maxLength: 50 });

export const cabinetSecretContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/locker/secret/list",
    access: "cabinet-secret:read",
    summary: "设备接口密钥列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "编号/名称", maxLength: 64 })),
      state: Type.Optional(OneOf(KEY_STATES, "密钥状态")),
      kid: Type.Optional(Type.String({ title: "密钥编号", maxLength: 16 })),
      hasNetworks: Type.Optional(Type.Boolean({ title: "IP 白名单" })),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(KeyedCabinet),
  }),
  issue: endpoint({
    method: "POST",
    path: "/admin/v1/locker/secret/{id}/issue",
    access: "cabinet-secret:write",
    risk: "trust",
    summary: "生成或轮换设备接口密钥",
    params: IdParams,
    body: Strict({
      overlapHours: Type.Integer({
        title: "旧密钥保留（小时）",
        minimum: 1,
        maximum: MAX_OVERLAP_HOURS,
        default: OVERLAP_HOURS,
      }),
    }),
    reply: IssuedSecret,
  }),
  revoke: endpoint({
    method: "POST",
    path: "/admin/v1/locker/secret/{id}/revoke",
    access: "cabinet-secret:write",
    risk: "data",
    summary: "吊销设备接口密钥",
    params: IdParams,
    body: Strict({ kid: Kid, reason: Reason }),
    reply: Nothing,
  }),
  saveNetworks: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/secret/{id}/networks",
    access: "cabinet-secret:write",
    risk: "trust",
    summary: "设置设备连接 IP 白名单",
    params: IdParams,
    body: Strict({
      networks: Type.Array(Network, { title: "IP 白名单", maxItems: MAX_NETWORKS }),
    }),
    reply: Nothing,
  }),
};
