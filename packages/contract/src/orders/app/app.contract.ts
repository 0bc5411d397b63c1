// App calls of riders and recipients: sign-in by code or mini-program, own profile.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Nullable, Phone, Strict, TenantId } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { Agreed, LegalConsent } from "../legal-text/legal-text.ts";

export const AppUser = named(
  "AppUser",
  Type.Object({
    endUserId: Type.Integer(),
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    phone: Type.String({ description: "已隐藏中间四位" }),
    name: Type.String(),
    notice: Nullable(
      Type.String({ description: "为什么只能取件、取回和付清费用；一切正常时为空" }),
    ),
    legal: Type.Array(LegalConsent, {
      description: "现行的协议和同意的时间；agreedAt 为空的要请此人同意",
    }),
  }),
);
export type AppUser = Static<typeof AppUser>;

export const AppSession = named(
  "AppSession",
  Type.Object({
    token: Type.String({ description: "放在请求头 app-token" }),
    expiresInSeconds: Type.Integer(),
    user: AppUser,
  }),
);
export type AppSession = Static<typeof AppSession>;

const wechatCode = { minLength: 1, maxLength: 256, pattern: "^[\\w-]+$" };

export const appContract = {
  requestCode: endpoint({
    method: "POST",
    path: "/app/v1/code",
    access: "public",
    needsCaptcha: "always",
    summary: "获取登录验证码；无论手机号是否用过都同样应答。须先通过人机验证（/auth/captcha）",
    body: Strict({ tenantId: TenantId, phone: Phone }),
    reply: Type.Object({
      requestToken: Type.String({ description: "登录时带上：验证码只对这一次获取有效" }),
      validSeconds: Type.Integer({ description: "验证码有效秒数" }),
      againSeconds: Type.Integer({ description: "多少秒后可以再次获取" }),
    }),
  }),
  signIn: endpoint({
    method: "POST",
    path: "/app/v1/session",
    access: "public",
    summary: "凭手机号和验证码登录；未注册手机号验证后自动注册",
    body: Strict({
      tenantId: TenantId,
      phone: Phone,
      code: Type.String({ title: "验证码", pattern: "^\\d{6}$" }),
      requestToken: Type.String({
        title: "获取凭证",
        description: "获取验证码时得到的",
        pattern: "^[\\w-]{22}$",
      }),
      agreed: Type.Optional(Agreed),
    }),
    reply: AppSession,
  }),
  signInByMiniProgram: endpoint({
    method: "POST",
    path: "/app/v1/mini-program/session",
    access: "public",
    summary: "凭微信小程序登录；首次登录须授权手机号，登录即注册",
    body: Strict({
      tenantId: TenantId,
      loginCode: Type.String({ title: "wx.login 的 code", ...wechatCode }),
      phoneCode: Type.Optional(
        Type.String({
          title: "getPhoneNumber 的 code",
          ...wechatCode,
          description: "首次登录或更换手机号时提交",
        }),
      ),
      agreed: Type.Optional(Agreed),
    }),
    reply: Type.Object({
      session: Nullable(AppSession),
      isPhoneNeeded: Type.Boolean({
        description: "还不认识此人：请其授权手机号，再次 wx.login，把两个 code 一起提交",
      }),
    }),
  }),
  signOut: endpoint({
    method: "DELETE",
    path: "/app/v1/session",
    access: "end-user",
    summary: "退出登录",
    reply: Nothing,
  }),
  close: endpoint({
    method: "DELETE",
    path: "/app/v1/me",
    access: "end-user",
    summary:
      "注销账号：抹去手机号、姓名和登录，订单和资金记录匿名保留；还有余额、套餐卡、包裹、欠费或处理中的资金时拒绝，并逐项说明",
    reply: Nothing,
  }),
  me: endpoint({
    method: "GET",
    path: "/app/v1/me",
    access: "end-user",
    summary: "当前用户",
    reply: AppUser,
  }),
  agree: endpoint({
    method: "POST",
    path: "/app/v1/me/consent",
    access: "end-user",
    summary: "同意协议的现行版本；重复同意保留最早的时间",
    body: Strict({ agreed: Agreed }),
    reply: Type.Object({ legal: AppUser.properties.legal }),
  }),
};
