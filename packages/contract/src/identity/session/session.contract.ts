// Calls for console sessions (在线会话): listing signed-in accounts, ending a session.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Id, IdParams, Nullable, Reason, Strict, TenantId, Timestamp } from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { UserType } from "../../vocabulary/account.ts";

export const OnlineSession = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  username: Type.String(),
  displayName: Type.String(),
  userType: UserType,
  visitedTenantName: Nullable(Type.String({ description: "平台人员正在只读查看的租户" })),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  expiresAt: Timestamp,
  address: Nullable(Type.String()),
  device: Type.String(),
  userAgent: Type.String(),
  isOwn: Type.Boolean({ description: "正是发起这次查询的会话" }),
  isManageable: Type.Boolean({ description: "账号的权限和门店都在查询者之内，可以强制下线" }),
});
export type OnlineSession = Static<typeof OnlineSession>;

export const sessionContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/session/list",
    access: "session:read",
    summary: "在线会话",
    query: PageQuery({
      username: Type.Optional(Type.String({ title: "账号", maxLength: 64 })),
      address: Type.Optional(Type.String({ title: "登录地址", maxLength: 45 })),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(OnlineSession),
  }),
  end: endpoint({
    method: "POST",
    path: "/admin/v1/session/{id}/end",
    access: "session:write",
    risk: "routine",
    summary: "强制下线",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
};
