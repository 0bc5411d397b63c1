// Sign-in access of accounts: disable, enable, unlock, reset the password, delete.
import type { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { mayDelete } from "@cabinet/contract/identity/operator/operator.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { type Ctx, type PrepareCtx, scopeOf } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { publishAccessChange } from "../access/index.ts";
import {
  type ChosenPassword,
  deleteAccount,
  endSessionsOf,
  forgetWrongPasswords,
  takePassword,
  updateDisabled,
  updateFactorExemption,
  updateFirstPassword,
} from "../auth/index.ts";
import { clearFactors, requireExemptDay } from "../second-factor/index.ts";
import {
  keyOf,
  lockAnotherAdministratorOrRefuse,
  lockManageable,
  requireNotOneself,
  targetOf,
} from "./operator.gate.ts";
import { lockPlaceOrRefuse } from "./operator.service.ts";
import * as repo from "./operator.sql.ts";
import { findOperator } from "./operator-list.sql.ts";

const BY_OTHERS = "请由其他管理员操作";

export async function disableOperator(ctx: Ctx, id: number, reason: string): Promise<null> {
  requireNotOneself(ctx, id, "停用", BY_OTHERS);
  const account = await lockManageable(ctx, id);
  requireState(account, { isDisabled: false, action: "停用" });
  await lockAnotherAdministratorOrRefuse(ctx, account, "停用");
  const key = keyOf(account);
  await updateDisabled(ctx.db, key, { by: ctx.session.signature, reason: reason.trim() });
  await endSessionsOf(ctx.db, key);
  await publishAccessChange(ctx.db, account.tenantId);
  auditState(ctx, account, reason, ["正常", "已停用"]);
  return null;
}

export async function enableOperator(ctx: Ctx, id: number, reason: string): Promise<null> {
  const account = await lockManageable(ctx, id);
  requireState(account, { isDisabled: true, action: "启用" });
  await lockPlaceOrRefuse(ctx, account.tenantId);
  await updateDisabled(ctx.db, keyOf(account), null);
  await publishAccessChange(ctx.db, account.tenantId);
  auditState(ctx, account, reason, ["已停用", "正常"]);
  return null;
}

export async function unlockOperator(ctx: Ctx, id: number, reason: string): Promise<null> {
  const account = await lockManageable(ctx, id);
  await forgetWrongPasswords(ctx.db, account.username);
  ctx.audit({
    tenantId: account.tenantId,
    target: targetOf(account),
    reason: reason.trim(),
    before: { state: "登录受限" },
    after: { state: "正常" },
  });
  return null;
}

/** For somebody who lost phone and recovery codes: the password alone opens the account until a new set-up. */
export async function clearSecondFactor(ctx: Ctx, id: number, reason: string): Promise<null> {
  requireNotOneself(ctx, id, "清除两步验证", BY_OTHERS);
  const account = await lockManageable(ctx, id);
  const key = keyOf(account);
  if (!(await clearFactors(ctx.db, key))) {
    refuse("SECOND_FACTOR_NONE", { name: account.displayName });
  }
  await endSessionsOf(ctx.db, key);
  await publishAccessChange(ctx.db, account.tenantId);
  ctx.audit({
    tenantId: account.tenantId,
    target: targetOf(account),
    reason: reason.trim(),
    before: { hasSecondFactor: true },
    after: { hasSecondFactor: false },
  });
  return null;
}

/** The platform's dated exception from the demand of a second factor (0143). */
export async function exemptFromFactor(
  ctx: Ctx,
  id: number,
  { until, reason }: Input<typeof operatorContract.exemptFromFactor>["body"],
): Promise<null> {
  requireExemptDay(until);
  const account = await lockManageable(ctx, id);
  await updateFactorExemption(ctx.db, keyOf(account), until);
  await publishAccessChange(ctx.db, account.tenantId);
  ctx.audit({
    tenantId: account.tenantId,
    target: targetOf(account),
    reason: reason.trim(),
    before: { factorExemptUntil: account.factorExemptUntil },
    after: { factorExemptUntil: until },
  });
  return null;
}

interface Reset extends ChosenPassword {
  id: number;
  reason: string;
}

export async function takeNewPassword(
  { database, session }: PrepareCtx,
  { id, password }: { id: number; password: string },
): Promise<ChosenPassword> {
  const account = await database.read(scopeOf(session), (db) => findOperator(db, session, id));
  return takePassword(password, account ?? { username: "" }, session);
}

/** Ends all sessions of the old password; the new one must be changed at the next sign-in. */
export async function resetPassword(
  ctx: Ctx,
  { id, passwordHash, weakness, reason }: Reset,
): Promise<null> {
  requireNotOneself(ctx, id, "重置密码", "请用“修改密码”");
  const account = await lockManageable(ctx, id);
  if (weakness) refuse("PASSWORD_WEAK", { why: weakness });
  const key = keyOf(account);
  await updateFirstPassword(ctx.db, key, passwordHash);
  await forgetWrongPasswords(ctx.db, account.username);
  await endSessionsOf(ctx.db, key);
  ctx.audit({
    tenantId: account.tenantId,
    target: targetOf(account),
    reason: reason.trim(),
    before: { mustChangePassword: false },
    after: { mustChangePassword: true },
  });
  return null;
}

export async function deleteOperator(ctx: Ctx, id: number): Promise<null> {
  requireNotOneself(ctx, id, "删除", BY_OTHERS);
  const account = await lockManageable(ctx, id);
  const state = account.isDisabled ? "DISABLED" : "NORMAL";
  if (!mayDelete({ state, lastSignInAt: account.lastSignInAt })) {
    refuse("OPERATOR_USED", { name: account.displayName });
  }
  await lockAnotherAdministratorOrRefuse(ctx, account, "删除");
  const key = keyOf(account);
  const stores = await repo.findStoresOf(ctx.db, key);
  await endSessionsOf(ctx.db, key);
  await deleteAccount(ctx.db, key);
  await publishAccessChange(ctx.db, account.tenantId);
  ctx.audit({
    tenantId: account.tenantId,
    target: targetOf(account),
    before: {
      username: account.username,
      displayName: account.displayName,
      storeIds: stores.map(({ name }) => name),
      remark: account.remark,
    },
  });
  return null;
}

function requireState(
  account: repo.LockedOperator,
  { isDisabled, action }: { isDisabled: boolean; action: string },
): void {
  if (account.isDisabled === isDisabled) return;
  const state = account.isDisabled ? "已停用" : "正常";
  refuse("STATE_NOT_ALLOWED", { what: `账号“${account.displayName}”`, state, action });
}

function auditState(
  ctx: Ctx,
  account: repo.LockedOperator,
  reason: string,
  [before, after]: [string, string],
): void {
  ctx.audit({
    tenantId: account.tenantId,
    target: targetOf(account),
    reason: reason.trim(),
    before: { state: before },
    after: { state: after },
  });
}
