// Outcomes of a sign-in attempt and their texts.

export const SIGN_IN_OUTCOMES = [
  "SIGNED_IN",
  "SECOND_STEP_PASSED",
  "CREDENTIALS_WRONG",
  "SECOND_STEP_WRONG",
  "FIRST_PASSWORD_EXPIRED",
  "THROTTLED",
  "DISABLED",
  "TENANT_EXPIRED",
] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

export const isSuccess = (outcome: SignInOutcome): boolean =>
  outcome === "SIGNED_IN" || outcome === "SECOND_STEP_PASSED";

export const signInOutcomeText: Record<SignInOutcome, string> = {
  SIGNED_IN: "登录成功",
  SECOND_STEP_PASSED: "两步验证通过",
  CREDENTIALS_WRONG: "账号或密码错误",
  SECOND_STEP_WRONG: "两步验证未通过",
  FIRST_PASSWORD_EXPIRED: "初始密码已过期",
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
