// What both sides say of console accounts: their kinds, how they stand, what their names may be.
import type { UserType } from "../auth/auth.contract.ts";

export const OPERATOR_STATES = ["NORMAL", "LOCKED", "DISABLED"] as const;
export type OperatorState = (typeof OPERATOR_STATES)[number];

/** LOCKED: signing in failed too often, which ends by itself or by whoever unlocks it. */
export const operatorStateText: Record<OperatorState, string> = {
  NORMAL: "正常",
  LOCKED: "已锁定",
  DISABLED: "已停用",
};

export const DORMANCIES = ["NEVER", "DAYS_30", "DAYS_90"] as const;
export type Dormancy = (typeof DORMANCIES)[number];

export const dormancyText: Record<Dormancy, string> = {
  NEVER: "从未登录",
  DAYS_30: "30 天未登录",
  DAYS_90: "90 天未登录",
};

export const dormancyDays: Record<Exclude<Dormancy, "NEVER">, number> = {
  DAYS_30: 30,
  DAYS_90: 90,
};

export const userTypeText: Record<UserType, string> = {
  0: "管理员",
  1: "运营人员",
  2: "运维人员",
};

/** Instead of ids of roles: every one is taken away. */
export const NO_ROLES = "none";

export const USERNAME_PATTERN = "^[A-Za-z][A-Za-z0-9._-]{2,31}$";
export const USERNAME_HINT = "3 至 32 位字母、数字、点、- 或 _，以字母开头";

export interface DeletionFacts {
  state: OperatorState;
  lastSignInAt: string | null;
}

/** An account that was used is disabled first, which wants a reason; one that never was may go at once. */
export function mayDelete({ state, lastSignInAt }: DeletionFacts): boolean {
  return state === "DISABLED" || lastSignInAt === null;
}
