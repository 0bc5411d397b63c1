// What nobody may do with an account: to one above them, to themselves, to the last administrator.
import type { UserType } from "@cabinet/contract/auth/auth.contract.ts";
import { userTypeText } from "@cabinet/contract/operator/operator.rules.ts";
import type { AccountKey, Ctx } from "../../platform/context.ts";
import { refuse } from "../../platform/errors.ts";
import { requireManageable } from "../access/index.ts";
import { PLATFORM_TENANT_ID } from "../tenant/index.ts";
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

/** The account as it is now, locked; refuses one that may do more than whoever asks. */
export async function lockManageable(ctx: Ctx, id: number): Promise<LockedOperator> {
  await lockAdministratorsBeside(ctx.db, id);
  const found = await lockOperator(ctx.db, ctx.session, id);
  const account = found ?? refuse("NOT_FOUND", { what: "账号" });
  await requireManageable(ctx, keyOf(account));
  return account;
}

/** Whoever takes their own access away, or widens it, has nobody who looks at it. */
export function requireNotOneself(ctx: Ctx, id: number, action: string, instead: string): void {
  if (id === ctx.session.operatorId) refuse("OPERATOR_SELF", { action, instead });
}

/** The platform always keeps one administrator who can sign in. */
export async function requireAnotherAdministrator(
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
