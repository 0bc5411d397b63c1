// Calls for the sign-in log (登录日志): account, outcome, address, device.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Id, Nullable, OneOf, TenantId, Timestamp } from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { SIGN_IN_OUTCOMES } from "./login-log.rules.ts";

export const SignInAttempt = Type.Object({
  id: Id,
  at: Timestamp,
  tenantId: Nullable(Type.Integer()),
  tenantName: Nullable(Type.String({ description: "没有这个账号时为空" })),
  username: Type.String({ description: "没有这个账号时只保留首字" }),
  displayName: Nullable(Type.String()),
  outcome: OneOf(SIGN_IN_OUTCOMES),
  address: Nullable(Type.String()),
  device: Type.String(),
  userAgent: Type.String(),
});
export type SignInAttempt = Static<typeof SignInAttempt>;

export const loginLogContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/login/log/list",
    access: "login-log:read",
    summary: "登录日志",
    query: PageQuery({
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      username: Type.Optional(Type.String({ title: "账号", maxLength: 64 })),
      outcome: Type.Optional(OneOf(SIGN_IN_OUTCOMES, "结果")),
      address: Type.Optional(Type.String({ title: "登录地址", maxLength: 45 })),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(SignInAttempt),
  }),
};
