// Rules of console accounts shared by server and console: kinds, states, names.
import type { UserType } from "../../vocabulary/account.ts";

export const OPERATOR_STATES = ["NORMAL", "LOCKED", "DISABLED"] as const;
export type OperatorState = (typeof OPERATOR_STATES)[number];

/**
 * LOCKED: a network or browser with too many failed sign-ins must wait, others need not; ends by itself or when
 * somebody lifts it.
 */
export const operatorStateText: Record<OperatorState, string> = {
  NORMAL: "正常",
  LOCKED: "登录受限",
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

/** Explicit value in place of role ids: removes all roles. */
export const NO_ROLES = "none";

export const USERNAME_PATTERN = "^[A-Za-z][A-Za-z0-9._-]{2,31}$";
export const USERNAME_HINT = "3 至 32 位字母、数字、点、- 或 _，以字母开头";

export interface DeletionFacts {
  state: OperatorState;
  lastSignInAt: string | null;
}

/**
 * Used accounts must be disabled first, which requires a reason; unused ones may be deleted
 * directly.
 */
export function mayDelete({ state, lastSignInAt }: DeletionFacts): boolean {
  return state === "DISABLED" || lastSignInAt === null;
}
