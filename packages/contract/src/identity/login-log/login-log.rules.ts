// Outcomes of a sign-in attempt and their texts.

export const SIGN_IN_OUTCOMES = [
  "SIGNED_IN",
  "CREDENTIALS_WRONG",
  "THROTTLED",
  "DISABLED",
  "TENANT_EXPIRED",
] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

export const signInOutcomeText: Record<SignInOutcome, string> = {
  SIGNED_IN: "登录成功",
  CREDENTIALS_WRONG: "账号或密码错误",
  THROTTLED: "尝试过多被拦截",
  DISABLED: "账号已停用",
  TENANT_EXPIRED: "租户已到期或停用",
};

/**
 * Masks an unknown account name to its first character: people type passwords into the wrong
 * field.
 */
export function maskUnknownAccount(typed: string): string {
  return `${[...typed.trim()][0] ?? ""}***`;
}
