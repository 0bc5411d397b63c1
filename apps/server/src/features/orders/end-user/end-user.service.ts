// Operators' actions on end users: search, lock, unlock, delete.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import type { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { leftoverTexts, lockEndProblem } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { insertAuditEntry } from "../../../platform/audit.sql.ts";
import type { AppCtx, Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { invalid, refuse } from "../../../platform/errors.ts";
import { refuseNew } from "../../../platform/http/http-access.ts";
import { countReveal } from "../../organization/tenant-setting/index.ts";
import { findConsents } from "../legal-text/index.ts";
import * as repo from "./end-user.sql.ts";
import { findLeftovers } from "./leftover.sql.ts";
import { findNotes } from "./note.sql.ts";

type Contract = typeof endUserContract;

const masked = <Row extends { phone: string }>(row: Row): Row => ({
  ...row,
  phone: maskPhone(row.phone),
});

export async function listEndUsers(
  ctx: Ctx,
  query: repo.EndUserQuery,
): Promise<Reply<Contract["list"]>> {
  requireSpan(query);
  const page = await repo.findEndUsers(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(masked) };
}

export async function getEndUser(ctx: Ctx, id: number): Promise<Reply<Contract["get"]>> {
  const { db, session } = ctx;
  const found = await repo.findEndUser(db, session, id);
  if (!found) refuse("NOT_FOUND", { what: "用户" });
  const [orders, recentOrders, notes, locks, leftovers, legal] = await Promise.all([
    repo.findOrdersOf(db, session, found, "live"),
    repo.findOrdersOf(db, session, found, "last"),
    findNotes(db, session, found),
    repo.findLocks(db, found),
    findLeftovers(db, found),
    findConsents(db, { tenantId: found.tenantId, endUserId: found.id }),
  ]);
  return { ...masked(found), orders, recentOrders, notes, locks, leftovers, legal };
}

export async function showPhone(ctx: Ctx, id: number, reason: string): Promise<{ phone: string }> {
  const found = await repo.findEndUser(ctx.db, ctx.session, id);
  if (!found) refuse("NOT_FOUND", { what: "用户" });
  const { tenantId } = found;
  const reveals = await countReveal(ctx, tenantId);
  ctx.audit({ tenantId, target: targetOf(found), reason: reason.trim(), after: { reveals } });
  return { phone: found.phone };
}

/** `用户 张三（139****1234）` */
export function targetOf({ userName, phone }: { userName: string; phone: string }): string {
  return `用户 ${userName}（${maskPhone(phone)}）`;
}

/** Field names of the call, for the audit log. */
const lockNote = (row: Pick<repo.EndUserRow, "isLocked" | "lockReason" | "lockedUntil">) => ({
  lock: row.isLocked,
  reason: row.lockReason,
  until: row.lockedUntil,
});

/** Locking a locked person again changes the reason, and the end if one is sent. */
export async function lockEndUser(
  ctx: Ctx,
  id: number,
  query: Input<Contract["lock"]>["query"],
): Promise<null> {
  const { db, session } = ctx;
  const before = await repo.lockEndUser(db, session, id);
  if (!before) refuse("NOT_FOUND", { what: "用户" });
  const { lock: isLock, reason: said } = query;
  const kept = isLock && before.isLocked ? before.lockedUntil : null;
  const until = query.until === undefined ? kept : query.until || null;
  const problem = query.until ? lockEndProblem(Date.parse(query.until), Date.now()) : null;
  if (!isLock && until !== null) {
    refuse("UNLOCK_TIME_NEEDLESS");
  }
  if (problem) invalid(problem);
  if (!isLock && !before.isLocked) {
    refuse("STATE_NOT_ALLOWED", { what: "用户", state: "正常", action: "解锁" });
  }
  const reason = said.trim();
  await repo.saveLock(db, before, { isLock, reason, until, actorName: session.signature });
  ctx.audit({
    tenantId: before.tenantId,
    target: `${isLock ? "锁定" : "解锁"}${targetOf(before)}`,
    reason,
    before: lockNote(before),
    after: lockNote({
      isLocked: isLock,
      lockReason: isLock ? reason : null,
      lockedUntil: until,
    }),
  });
  return null;
}

/** Erases the identity of a locked person and keeps their records; returns what only they can settle, and erases nothing then. */
async function forgetSettled(
  db: Db,
  person: repo.EndUserKey & { phone: string },
): Promise<string[]> {
  const left = leftoverTexts(await findLeftovers(db, person));
  if (left.length === 0) await repo.forgetEndUser(db, person);
  return left;
}

/** Operators delete a person. */
export async function deleteEndUser(ctx: Ctx, id: number): Promise<null> {
  const before = await repo.lockEndUser(ctx.db, ctx.session, id);
  if (!before) refuse("NOT_FOUND", { what: "用户" });
  const left = await forgetSettled(ctx.db, before);
  if (left.length > 0) {
    const who = before.userName || maskPhone(before.phone);
    refuse("END_USER_HAS_LEFTOVERS", { who, what: left.join("、") });
  }
  const { tenantId, userName, phone } = before;
  ctx.audit({
    tenantId,
    target: `删除${targetOf(before)}`,
    before: { endUserId: id, userName, phone: maskPhone(phone) },
  });
  return null;
}

const closing = {
  call: `${appContract.close.method} ${appContract.close.path}`,
  summary: "注销账号",
};

/** A person closes the own account. A lock stays: a new account with the same phone would be free of it. */
export async function closeAccount({ db, user, origin }: AppCtx): Promise<null> {
  if (user.closed === "LOCKED") refuseNew(user.closed);
  const { tenantId, endUserId: id, name: userName } = user;
  const person = await repo.lockPerson(db, { tenantId, id });
  if (!person) refuse("SIGN_IN_REQUIRED");
  const left = await forgetSettled(db, person);
  if (left.length > 0) refuse("ACCOUNT_HAS_LEFTOVERS", { what: left.join("、") });
  const before = { endUserId: id, userName, phone: maskPhone(person.phone) };
  const actor = { tenantId, operatorId: null, username: "用户本人" };
  await insertAuditEntry(db, actor, closing, origin, { target: targetOf(before), before });
  return null;
}
