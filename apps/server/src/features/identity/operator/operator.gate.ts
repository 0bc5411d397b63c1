// Guards for actions on accounts: not on a superior one, not on oneself, not on the last
// administrator.
import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import type { AccountKey, Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { PLATFORM_TENANT_ID } from "../../organization/tenant/index.ts";
import { requireManageable } from "../access/index.ts";
import { type LockedOperator, lockAdministratorsBeside, lockOperator } from "./operator.sql.ts";

export function targetOf(account: {
  userType: UserType;
  displayName: string;
  username: string;
}): string {
  return `${userTypeText[account.userType]} ${account.displayName}（${account.username}）`;
}

export function keyOf({ tenantId, id }: LockedOperator): AccountKey {
  return { tenantId, operatorId: id };
}

/** Locks the account; refuses one with more rights than the caller. */
export async function lockManageable(ctx: Ctx, id: number): Promise<LockedOperator> {
  await lockAdministratorsBeside(ctx.db, id);
  const found = await lockOperator(ctx.db, ctx.session, id);
  const account = found ?? refuse("NOT_FOUND", { what: "账号" });
  await requireManageable(ctx, keyOf(account));
  return account;
}

/** Forbidden on oneself: removing or widening one's own access requires a second person. */
export function requireNotOneself(ctx: Ctx, id: number, action: string, instead: string): void {
  if (id === ctx.session.operatorId) refuse("OPERATOR_SELF", { action, instead });
}

/** The platform always keeps one administrator who can sign in. */
export async function lockAnotherAdministratorOrRefuse(
  ctx: Ctx,
  account: LockedOperator,
  action: string,
): Promise<void> {
  if (account.tenantId !== PLATFORM_TENANT_ID || account.userType !== 0) return;
  const administrators = await lockAdministratorsBeside(ctx.db, account.id);
  if (administrators.every((id) => id === account.id)) {
    refuse("LAST_ADMINISTRATOR", { name: account.displayName, action });
  }
}
