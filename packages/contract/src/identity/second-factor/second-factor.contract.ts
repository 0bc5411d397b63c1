// Calls for two-step verification: set-up by the account itself, and the proof that a session or a sensitive call needs.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  Day,
  Id,
  IdParams,
  Nullable,
  nameOf,
  Reason,
  Strict,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { MOST_EXEMPT_DAYS, MOST_PASSKEYS } from "./second-factor.rules.ts";

export const Passkey = Type.Object({
  id: Id,
  name: Type.String(),
  host: Type.String({ description: "只能在这个域名下使用" }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
});
export type Passkey = Static<typeof Passkey>;

export const SecondFactor = Type.Object({
  hasTotp: Type.Boolean({ description: "已绑定验证器" }),
  passkeys: Type.Array(Passkey),
  recoveryCodes: Type.Integer({ description: "剩余的恢复码" }),
  isDemanded: Type.Boolean({ description: "所属角色要求两步验证" }),
});
export type SecondFactor = Static<typeof SecondFactor>;

const Host = Type.String({
  description: "控制台的域名（location.hostname）：通行密钥只在这个域名下有效",
  pattern: "^[a-z0-9.-]{1,253}$",
});

/** Options and answers of WebAuthn as JSON (W3C WebAuthn 3, `toJSON`). */
const WebAuthn = named(
  "WebAuthn",
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
  }),
);

const TotpCode = Type.String({ title: "验证码", pattern: "^\\d{6}$" });

const NewRecoveryCodes = named(
  "NewRecoveryCodes",
  Type.Object({
    recoveryCodes: Type.Array(Type.String(), {
      description: "只显示这一次；已经有恢复码时为空",
    }),
  }),
);

/** The platform's exception for an account or a tenant (0143). */
export const FactorExemption = Strict({
  until: {
    ...Nullable(Day),
    title: "例外截止日",
    description: `最后一天，最多 ${MOST_EXEMPT_DAYS} 天之后；空为结束例外`,
  },
  reason: Reason,
});

export const FactorExemptUntil = {
  ...Nullable(Timestamp),
  description: "此前不要求两步验证；空为没有这样的例外",
};

export const secondFactorContract = {
  get: endpoint({
    method: "GET",
    path: "/admin/v1/second-factor",
    access: "signed-in",
    summary: "自己的两步验证；正在查看租户的平台人员在那里没有账号，为空",
    reply: Nullable(SecondFactor),
  }),
  beginTotp: endpoint({
    method: "POST",
    path: "/admin/v1/second-factor/totp/begin",
    access: "signed-in",
    risk: "trust",
    summary: "开始绑定验证器：得到密钥",
    reply: Type.Object({
      secret: Type.String({ description: "Base32，供手工输入" }),
      uri: Type.String({ description: "otpauth://，供扫码" }),
    }),
  }),
  confirmTotp: endpoint({
    method: "POST",
    path: "/admin/v1/second-factor/totp/confirm",
    access: "signed-in",
    risk: "trust",
    summary: "用第一个验证码确认绑定",
    body: Strict({ code: TotpCode }),
    reply: NewRecoveryCodes,
  }),
  removeTotp: endpoint({
    method: "POST",
    path: "/admin/v1/second-factor/totp/remove",
    access: "signed-in",
    risk: "trust",
    summary: "解除绑定验证器",
    reply: Nothing,
  }),
  beginPasskey: endpoint({
    method: "POST",
    path: "/admin/v1/second-factor/passkey/begin",
    access: "signed-in",
    risk: "trust",
    summary: `开始新增通行密钥，最多 ${MOST_PASSKEYS} 个`,
    body: Strict({ host: Host }),
    reply: WebAuthn,
  }),
  confirmPasskey: endpoint({
    method: "POST",
    path: "/admin/v1/second-factor/passkey/confirm",
    access: "signed-in",
    risk: "trust",
    summary: "保存浏览器生成的通行密钥",
    body: Strict({
      name: nameOf("名称", 1, 20),
      answer: WebAuthn,
    }),
    reply: NewRecoveryCodes,
  }),
  removePasskey: endpoint({
    method: "POST",
    path: "/admin/v1/second-factor/passkey/{id}/remove",
    access: "signed-in",
    risk: "trust",
    summary: "删除通行密钥",
    params: IdParams,
    reply: Nothing,
  }),
  renewRecoveryCodes: endpoint({
    method: "POST",
    path: "/admin/v1/second-factor/recovery-codes",
    access: "signed-in",
    risk: "trust",
    summary: "重新生成恢复码，旧的全部失效",
    reply: NewRecoveryCodes,
  }),
  ways: endpoint({
    method: "GET",
    path: "/auth/second-factor",
    access: "signed-in",
    load: "critical",
    summary: "本次验证可用的方式：都没有时用登录密码",
    query: Strict({ host: Host }),
    reply: Type.Object({
      hasTotp: Type.Boolean(),
      hasPasskey: Type.Boolean({ description: "有在这个域名下可用的通行密钥" }),
      recoveryCodes: Type.Integer(),
    }),
  }),
  challenge: endpoint({
    method: "POST",
    path: "/auth/second-factor/challenge",
    access: "signed-in",
    risk: "routine",
    load: "critical",
    summary: "取得通行密钥的验证题",
    body: Strict({ host: Host }),
    reply: WebAuthn,
  }),
  prove: endpoint({
    method: "POST",
    path: "/auth/second-factor/prove",
    access: "signed-in",
    risk: "routine",
    load: "critical",
    summary: "完成验证：验证码、恢复码、通行密钥之一；没有设置两步验证的账号用登录密码",
    body: Strict({
      code: Type.Optional(
        Type.String({ title: "验证码或恢复码", minLength: 6, maxLength: 32, "x-text": "code" }),
      ),
      answer: Type.Optional(WebAuthn),
      password: Type.Optional(
        Type.String({ title: "密码", minLength: 1, maxLength: 128, "x-text": "raw" }),
      ),
    }),
    reply: Type.Object({
      token: Nullable(
        Type.String({
          description: "登录的第二步完成后换发的令牌，旧令牌随即失效；再次验证时为空",
        }),
      ),
    }),
  }),
};
