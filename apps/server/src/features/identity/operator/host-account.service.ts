// Actions of the machine's administrator on accounts: the way back in when nobody is left who can sign in (0153).
import { insertAuditEntry } from "../../../platform/audit.sql.ts";
import type { AuditNote } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { PLATFORM_TENANT_ID } from "../../organization/tenant/index.ts";
import { publishAccessChange } from "../access/index.ts";
import {
  endSessionsOf,
  forgetWrongPasswords,
  hashPassword,
  makeFirstPassword,
  updateFirstPassword,
} from "../auth/index.ts";
import { clearFactors } from "../second-factor/index.ts";
import { keyOf, targetOf } from "./operator.gate.ts";
import { type LockedOperator, lockOperatorNamed } from "./operator.sql.ts";

/** Actor of the audit entries. No account can have this name. */
const HOST = { tenantId: PLATFORM_TENANT_ID, operatorId: null, username: "主机" };

export interface HostAction {
  username: string;
  /** User of the operating system. */
  by: string;
}

/** Ends all sessions; returns the password, which its owner must change at the next sign-in. */
export async function resetByHost(
  db: Db,
  action: HostAction,
): Promise<{ password: string; account: LockedOperator }> {
  const account = await lockOrRefuse(db, action);
  const password = makeFirstPassword();
  await updateFirstPassword(db, keyOf(account), await hashPassword(password));
  await forgetWrongPasswords(db, account.username);
  await endSessionsOf(db, keyOf(account));
  await record(db, action, account, {
    call: { call: "storage account reset", summary: "重置密码" },
    note: { before: { mustChangePassword: false }, after: { mustChangePassword: true } },
  });
  return { password, account };
}

export async function unlockByHost(db: Db, action: HostAction): Promise<LockedOperator> {
  const account = await lockOrRefuse(db, action);
  await forgetWrongPasswords(db, account.username);
  await record(db, action, account, {
    call: { call: "storage account unlock", summary: "解除登录限制" },
    note: { before: { state: "登录受限" }, after: { state: "正常" } },
  });
  return account;
}

/** Ends all sessions: the password alone opens the account until a new set-up. */
export async function removeFactorByHost(db: Db, action: HostAction): Promise<LockedOperator> {
  const account = await lockOrRefuse(db, action);
  if (!(await clearFactors(db, keyOf(account)))) {
    refuse("SECOND_FACTOR_NONE", { name: account.displayName });
  }
  await endSessionsOf(db, keyOf(account));
  await publishAccessChange(db, account.tenantId);
  await record(db, action, account, {
    call: { call: "storage account remove-second-factor", summary: "清除两步验证" },
    note: { before: { hasSecondFactor: true }, after: { hasSecondFactor: false } },
  });
  return account;
}

async function lockOrRefuse(db: Db, { username }: HostAction): Promise<LockedOperator> {
  return (await lockOperatorNamed(db, username)) ?? refuse("NOT_FOUND", { what: "账号" });
}

function record(
  db: Db,
  { by }: HostAction,
  account: LockedOperator,
  { call, note }: { call: { call: string; summary: string }; note: AuditNote },
): Promise<void> {
  const { tenantId } = account;
  const whole = { ...note, tenantId, target: targetOf(account), reason: `主机上的用户 ${by}` };
  return insertAuditEntry(db, HOST, call, null, whole);
}
