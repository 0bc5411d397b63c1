// Calls for sign-in and sign-out (specification §4, §7; promises A1–A5).

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Day, OneOf, Strict } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { UserType } from "../../vocabulary/account.ts";
import { SECOND_STEPS } from "../second-factor/second-factor.rules.ts";

/** Answers of two calls for 首页. They belong to domains that this one may not import, so their schemas are missing here. */
const Prefetched = Type.Object({
  menu: Type.Unknown({ description: "同“当前账号可见的菜单树”的 data" }),
  home: Type.Unknown({ description: "同“首页：首屏所需的各项数据”的 data" }),
});
export type Prefetched = Static<typeof Prefetched>;

/** Auth info that the console keeps after sign-in (specification §3). */
export const SignedIn = named(
  "SignedIn",
  Type.Object({
    token: Type.String(),
    username: Type.String(),
    userType: UserType,
    tenantId: Type.Integer(),
    mustChangePassword: Type.Boolean({ description: "须先修改密码，其他调用一律拒绝" }),
    secondStep: Type.Optional(
      OneOf(SECOND_STEPS, "DUE 须先完成两步验证，MISSING 须先设置两步验证；其他调用一律拒绝"),
    ),
    deviceToken: Type.Optional(
      Type.String({ description: "此浏览器的凭证：下次登录时带上，别人输错密码就不影响它" }),
    ),
    prefetched: Type.Optional(Prefetched),
  }),
);
export type SignedIn = Static<typeof SignedIn>;

/** ALTCHA v2 challenge; the client returns its solution in the header `captcha-verification`. */
const CaptchaChallenge = named(
  "CaptchaChallenge",
  Type.Unsafe<{
    parameters: Record<string, unknown>;
    signature: string;
  }>({ type: "object", additionalProperties: true }),
);

export const NewPassword = Type.String({
  title: "新密码",
  minLength: 10,
  maxLength: 128,
  "x-text": "raw",
});

export const authContract = {
  captcha: endpoint({
    method: "GET",
    path: "/auth/captcha",
    access: "public",
    summary: "取得人机验证题",
    query: Strict({
      username: Type.Optional(
        Type.String({
          description: "近来登录失败较多的账号，题目更难",
          maxLength: 64,
          "x-text": "code",
        }),
      ),
    }),
    reply: CaptchaChallenge,
  }),
  login: endpoint({
    method: "POST",
    path: "/auth/token/admin/login",
    access: "public",
    needsCaptcha: "always",
    summary: "登录",
    bodyForm: "form",
    body: Strict({
      username: Type.String({ title: "账号", minLength: 1, maxLength: 64, "x-text": "code" }),
      password: Type.String({ title: "密码", minLength: 1, maxLength: 128, "x-text": "raw" }),
      deviceToken: Type.Optional(
        Type.String({
          description: "上次在此浏览器登录时得到的凭证",
          maxLength: 128,
          "x-text": "raw",
        }),
      ),
      homeDay: Type.Optional({
        ...Day,
        title: "首页日期",
        description: "登录后打开首页的日期：登录成功的同时返回菜单与首页数据",
      }),
    }),
    reply: SignedIn,
  }),
  logout: endpoint({
    method: "POST",
    path: "/auth/token/logout",
    access: "signed-in",
    risk: "routine",
    // A session ends, however much its tenant has used.
    load: "critical",
    summary: "退出登录",
    reply: Nothing,
  }),
  changePassword: endpoint({
    method: "POST",
    path: "/auth/password/change",
    access: "signed-in",
    risk: "routine",
    summary: "修改自己的密码",
    body: Strict({
      oldPassword: Type.String({ title: "原密码", minLength: 1, maxLength: 128, "x-text": "raw" }),
      newPassword: NewPassword,
    }),
    reply: SignedIn,
  }),
};
