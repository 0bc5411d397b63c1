// Role assignments: the members of a role, and the roles of an account.
import { mayManage } from "@cabinet/contract/identity/access/grant.rules.ts";
import type {
  RoleCandidate,
  roleContract,
} from "@cabinet/contract/identity/access/role.contract.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { AccountKey, Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { bindRole } from "./access.sql.ts";
import {
  asGrantScope,
  grantScopeOf,
  publishAccessChange,
  requireManageable,
  requireOwnRoleManagement,
} from "./grant-scope.service.ts";
import { lockRole, requireRole, requireWithinScope, roleTarget } from "./role.service.ts";
import * as repo from "./role-member.sql.ts";

export async function candidates(ctx: Ctx, roleId: number): Promise<RoleCandidate[]> {
  const role = await requireRole(ctx, roleId);
  const scope = await grantScopeOf(ctx);
  const accounts = await repo.findCandidates(ctx.db, role);
  return accounts.map(({ tenantId: _, permissions: __, stores: ___, ...account }, at) => ({
    ...account,
    isWithinReach: mayManage(scope, asGrantScope(accounts[at] ?? refuse("NOT_FOUND"))),
  }));
}

type MembersBody = Input<typeof roleContract.saveMembers>["body"];

export async function saveMembers(
  ctx: Ctx,
  roleId: number,
  { addedOperatorIds, removedOperatorIds }: MembersBody,
): Promise<Reply<typeof roleContract.saveMembers>> {
  const role = await lockRole(ctx, roleId);
  const { tenantId } = role;
  requireWithinScope(await grantScopeOf(ctx), role, "调整成员");
  const accounts = new Map(
    (await repo.findCandidates(ctx.db, role)).map((account) => [account.id, account]),
  );
  const named = (ids: readonly number[], isMember: boolean) =>
    ids
      .map((id) => accounts.get(id) ?? refuse("NOT_FOUND", { what: "账号" }))
      .filter((account) => account.isMember !== isMember);
  const added = named(addedOperatorIds, true);
  const removed = named(removedOperatorIds, false);
  for (const { id: operatorId } of [...added, ...removed]) {
    await requireManageable(ctx, { tenantId, operatorId });
  }
  for (const { id } of added) await bindRole(ctx.db, { tenantId, operatorId: id }, role.id);
  for (const { id } of removed) {
    await repo.unbindRole(ctx.db, { tenantId, operatorId: id }, role.id);
  }
  await requireOwnRoleManagement(ctx);
  await publishAccessChange(ctx.db, tenantId);
  const namesOf = (some: readonly { displayName: string }[]) =>
    some.map(({ displayName }) => displayName);
  ctx.audit({
    tenantId,
    target: roleTarget(role.name),
    before: { removedOperatorIds: namesOf(removed) },
    after: { addedOperatorIds: namesOf(added) },
  });
  return { added: added.length, removed: removed.length };
}

/** Replaces the roles of an account; returns the names before and after for the audit entry. */
export async function bindRoles(
  ctx: Ctx,
  { roleIds, ...account }: AccountKey & { roleIds: readonly number[] },
): Promise<{ before: string[]; after: string[] }> {
  await requireManageable(ctx, account);
  const had = await repo.findRolesOf(ctx.db, account);
  const added = roleIds.filter((id) => !had.some((role) => role.id === id));
  const removed = had.map(({ id }) => id).filter((id) => !roleIds.includes(id));
  await repo.lockRoles(ctx.db, account.tenantId, [...added, ...removed]);
  const scope = await grantScopeOf(ctx);
  for (const id of [...added, ...removed]) {
    const role = await requireRole(ctx, id);
    if (role.tenantId !== account.tenantId) refuse("NOT_FOUND", { what: "角色" });
    requireWithinScope(scope, role, "绑定或解除");
  }
  for (const id of added) await bindRole(ctx.db, account, id);
  for (const id of removed) await repo.unbindRole(ctx.db, account, id);
  await requireOwnRoleManagement(ctx);
  await publishAccessChange(ctx.db, account.tenantId);
  const names = (roles: readonly { name: string }[]) => roles.map(({ name }) => name);
  return { before: names(had), after: names(await repo.findRolesOf(ctx.db, account)) };
}
