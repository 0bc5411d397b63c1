// Operator actions on roles: list, create, copy, change and delete.
import {
  canGrant,
  canGrantPermissions,
  canGrantStores,
  type GrantScope,
} from "@cabinet/contract/identity/access/grant.rules.ts";
import type {
  Role,
  RoleDetail,
  RoleDraft,
  RoleOption,
  roleContract,
} from "@cabinet/contract/identity/access/role.contract.ts";
import {
  type StoreScope,
  storeScopeProblem,
} from "@cabinet/contract/identity/access/role.rules.ts";
import { pathsForEveryone } from "@cabinet/contract/identity/access/routes.rules.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuse, requireUnedited } from "../../../platform/errors.ts";
import { findStoreOptions } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { findTenantEntries, grantMenuEntries, type MenuEntryRow } from "./access.sql.ts";
import {
  asGrantScope,
  grantScopeOf,
  publishAccessChange,
  requireManageable,
  requireOwnRoleManagement,
} from "./grant-scope.service.ts";
import { treeOf } from "./menu-tree.service.ts";
import * as repo from "./role.sql.ts";
import { findCandidates, findMembers } from "./role-member.sql.ts";

const everyones = [...pathsForEveryone];

export const roleTarget = (name: string) => `角色 ${name}`;

interface Measured {
  storeScope: StoreScope;
  permissions: string[];
  storeIds: number[];
}

/**
 * The scope of the role itself; stores that members look after come with the account, not the role.
 */
function grantOf({ storeScope, permissions, storeIds }: Measured) {
  return {
    permissions: new Set(permissions),
    stores: storeScope === "ALL" ? null : new Set(storeScope === "LISTED" ? storeIds : []),
  };
}

function shown<Row extends Measured>(row: Row, scope: GrantScope) {
  const { permissions: _, storeIds: __, ...rest } = row;
  return { ...rest, isWithinReach: canGrant(scope, grantOf(row)) };
}

export async function listRoles(ctx: Ctx, query: repo.RoleQuery): Promise<Page<Role>> {
  const scope = await grantScopeOf(ctx);
  const page = await repo.findRoles(ctx.db, ctx.session, query, everyones);
  return { ...page, list: page.list.map((row) => shown(row, scope)) };
}

export async function roleOptions(ctx: Ctx, tenantId?: number): Promise<RoleOption[]> {
  const scope = await grantScopeOf(ctx);
  const rows = await repo.findRoleOptions(ctx.db, ctx.session, tenantId);
  return rows.map((row) => shown(row, scope));
}

export async function requireRole(ctx: Ctx, id: number): Promise<repo.RoleRow> {
  const role = await repo.findRole(ctx.db, ctx.session, id, everyones);
  return role ?? refuse("NOT_FOUND", { what: "角色" });
}

/** The role, locked against changes until the transaction ends. */
export async function lockRole(ctx: Ctx, id: number): Promise<repo.RoleRow> {
  await repo.lockRole(ctx.db, ctx.session, id);
  return requireRole(ctx, id);
}

export async function getRole(ctx: Ctx, id: number): Promise<RoleDetail> {
  const role = await requireRole(ctx, id);
  const people = await findMembers(ctx.db, role);
  return { ...shown(role, await grantScopeOf(ctx)), people };
}

/** Entries that the tenant has and a role can grant; entries open to everyone need no role. */
async function findEntries(ctx: Ctx, tenantId: number): Promise<MenuEntryRow[]> {
  const entries = await findTenantEntries(ctx.db, tenantId);
  return entries.filter(({ uri }) => !pathsForEveryone.has(uri));
}

export async function grantable(
  ctx: Ctx,
  requested?: number,
): Promise<Reply<typeof roleContract.grantable>> {
  const { id: tenantId } = await requireTenant(ctx, requested);
  const scope = await grantScopeOf(ctx);
  const entries = await findEntries(ctx, tenantId);
  return {
    tree: treeOf(entries),
    entryIds: entries
      .filter(({ permissions }) => canGrantPermissions(scope, permissions))
      .map(({ id }) => id),
    isStoreBound: ctx.session.isStoreBound,
    stores: await findStoreOptions(ctx.db, ctx.session, tenantId),
  };
}

export async function createRole(
  ctx: Ctx,
  { tenantId: requested, ...draft }: RoleDraft & { tenantId?: number },
): Promise<{ id: number }> {
  const { id: tenantId } = await requireTenant(ctx, requested);
  const wanted = tidy(draft, false);
  await lockFreeNameOrRefuse(ctx, tenantId, wanted.name, null);
  const scope = await grantScopeOf(ctx);
  requireStores(scope, wanted);
  const stores = await storesNamed(ctx, tenantId, wanted.storeIds);
  const change = await grantChange(ctx, { tenantId, entryIds: [] }, wanted.entryIds, scope);
  const id = await repo.insertRole(ctx.db, tenantId, wanted, ctx.session.signature);
  await grantMenuEntries(ctx.db, { tenantId, roleId: id }, change.added);
  await repo.replaceStores(ctx.db, { tenantId, id }, wanted.storeIds);
  ctx.audit({
    tenantId,
    target: roleTarget(wanted.name),
    after: { ...fieldsOf(wanted), storeIds: stores, entryIds: change.addedTitles },
  });
  return { id };
}

/** Grants of entries that the tenant does not have now are kept, for when it gets them back. */
export async function updateRole(
  ctx: Ctx,
  id: number,
  { editVersion, ...draft }: RoleDraft & { editVersion: number },
): Promise<null> {
  const before = await lockRole(ctx, id);
  const { tenantId } = before;
  requireUnedited(before, editVersion);
  const wanted = tidy(draft, before.needsSecondFactor);
  if (wanted.name !== before.name) await lockFreeNameOrRefuse(ctx, tenantId, wanted.name, id);
  const scope = await grantScopeOf(ctx);
  const change = await grantChange(ctx, before, wanted.entryIds, scope);
  const stores = await storesNamed(ctx, tenantId, wanted.storeIds);
  const hasMoved =
    wanted.storeScope !== before.storeScope || !isSame(wanted.storeIds, before.storeIds);
  if (hasMoved || change.added.length + change.removed.length > 0) {
    requireStores(scope, before);
    requireStores(scope, wanted);
    await requireMembersWithin(ctx, before, scope);
  }
  await repo.updateRole(ctx.db, before, wanted, ctx.session.signature);
  await repo.replaceStores(ctx.db, before, wanted.storeIds);
  await grantMenuEntries(ctx.db, { tenantId, roleId: id }, change.added);
  await repo.takeMenuEntries(ctx.db, before, change.removed);
  await requireOwnRoleManagement(ctx);
  await publishAccessChange(ctx.db, tenantId);
  ctx.audit({
    tenantId,
    target: roleTarget(before.name),
    before: {
      ...fieldsOf(before),
      storeIds: before.stores.map(({ name }) => name),
      entryIds: change.removedTitles,
    },
    after: { ...fieldsOf(wanted), storeIds: stores, entryIds: change.addedTitles },
  });
  return null;
}

export async function copyRole(ctx: Ctx, id: number, name: string): Promise<{ id: number }> {
  const original = await lockRole(ctx, id);
  const { tenantId } = original;
  requireWithinScope(await grantScopeOf(ctx), original, "复制");
  const wanted = { ...original, name: name.trim() };
  await lockFreeNameOrRefuse(ctx, tenantId, wanted.name, null);
  const copyId = await repo.insertRole(ctx.db, tenantId, wanted, ctx.session.signature);
  await repo.copyGrants(ctx.db, original, copyId);
  ctx.audit({
    tenantId,
    target: roleTarget(wanted.name),
    after: { ...fieldsOf(wanted), copyOf: original.name },
  });
  return { id: copyId };
}

/** `seen` is the number of members shown when the deletion was confirmed. */
export async function deleteRole(ctx: Ctx, id: number, seen: number): Promise<null> {
  const before = await lockRole(ctx, id);
  const { tenantId } = before;
  requireWithinScope(await grantScopeOf(ctx), before, "删除");
  if (before.members !== seen) {
    refuse("ROLE_MEMBERS_CHANGED", { name: before.name, count: before.members });
  }
  await requireMembersManageable(ctx, before);
  const people = await findMembers(ctx.db, before);
  await repo.deleteRole(ctx.db, before);
  await requireOwnRoleManagement(ctx);
  await publishAccessChange(ctx.db, tenantId);
  ctx.audit({
    tenantId,
    target: roleTarget(before.name),
    before: {
      ...fieldsOf(before),
      storeIds: before.stores.map((listed) => listed.name),
      members: people.map(({ displayName }) => displayName),
    },
  });
  return null;
}

const fieldsOf = ({
  name,
  remark,
  storeScope,
  needsSecondFactor,
}: Pick<Role, "name" | "remark" | "storeScope" | "needsSecondFactor">) => ({
  ...{ name, remark, storeScope, needsSecondFactor },
});

/** The draft with trimmed texts, and with stores only where the scope is LISTED. */
function tidy(draft: RoleDraft, neededSecondFactor: boolean): Required<RoleDraft> {
  const storeIds = draft.storeScope === "LISTED" ? draft.storeIds : [];
  const problem = storeScopeProblem(draft.storeScope, storeIds);
  if (problem) invalid(problem);
  const { needsSecondFactor = neededSecondFactor } = draft;
  return {
    ...draft,
    ...{ name: draft.name.trim(), remark: draft.remark.trim(), storeIds, needsSecondFactor },
  };
}

const isSame = (some: readonly number[], others: readonly number[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

async function lockFreeNameOrRefuse(
  ctx: Ctx,
  tenantId: number,
  name: string,
  ownId: number | null,
) {
  await repo.lockNames(ctx.db, tenantId);
  const taken = await repo.findRoleNamed(ctx.db, tenantId, name);
  if (taken && taken.id !== ownId) refuse("ROLE_NAME_TAKEN", { name });
}

function requireStores(scope: GrantScope, role: Pick<RoleDraft, "storeScope" | "storeIds">): void {
  const { stores } = grantOf({ ...role, permissions: [] });
  if (!canGrantStores(scope, stores)) refuse("STORES_ABOVE");
}

/** The names of the stores; refuses one that the session may not see. */
async function storesNamed(ctx: Ctx, tenantId: number, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const byId = new Map(
    (await findStoreOptions(ctx.db, ctx.session, tenantId)).map((option) => [option.id, option]),
  );
  return ids.map((id) => byId.get(id)?.name ?? refuse("NOT_FOUND", { what: "门店" }));
}

export function requireWithinScope(scope: GrantScope, role: repo.RoleRow, action: string): void {
  if (!canGrant(scope, grantOf(role))) refuse("ROLE_ABOVE", { name: role.name, action });
}

/** A store-bound account may not change grants of members who have stores beyond its own. */
async function requireMembersWithin(
  ctx: Ctx,
  role: repo.RoleRow,
  scope: GrantScope,
): Promise<void> {
  if (scope.stores === null) return;
  for (const account of await findCandidates(ctx.db, role)) {
    if (account.isMember && !canGrantStores(scope, asGrantScope(account).stores)) {
      refuse("ACCOUNT_ABOVE", { name: account.displayName });
    }
  }
}

/** Prevents deleting a role to take it from members that the account may not manage. */
async function requireMembersManageable(ctx: Ctx, role: repo.RoleRow): Promise<void> {
  for (const { id: operatorId } of await findMembers(ctx.db, role)) {
    await requireManageable(ctx, { tenantId: role.tenantId, operatorId });
  }
}

interface GrantChange {
  added: number[];
  removed: number[];
  addedTitles: string[];
  removedTitles: string[];
}

/** The entries that a save adds and removes; both the session and the tenant must have them. */
async function grantChange(
  ctx: Ctx,
  before: { tenantId: number; entryIds: readonly number[] },
  wantedIds: readonly number[],
  scope: GrantScope,
): Promise<GrantChange> {
  const entries = await findEntries(ctx, before.tenantId);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const had = new Set(before.entryIds);
  const wanted = new Set(wantedIds);
  const added = wantedIds.filter((id) => !had.has(id));
  const removed = before.entryIds.filter((id) => !wanted.has(id));
  const titleOf = (id: number): string => {
    const entry = byId.get(id) ?? refuse("NOT_FOUND", { what: "菜单" });
    const parent = entry.parentId === null ? undefined : byId.get(entry.parentId);
    return parent ? `${parent.title} / ${entry.title}` : entry.title;
  };
  const [addedTitles, removedTitles] = [added.map(titleOf), removed.map(titleOf)];
  for (const id of [...added, ...removed]) {
    if (!canGrantPermissions(scope, byId.get(id)?.permissions ?? [])) {
      refuse("GRANT_ABOVE", { what: titleOf(id) });
    }
  }
  return { added, removed, addedTitles, removedTitles };
}
