// Menus: the tree granted to an account, and maintenance of the entries.
import type {
  MenuEntry,
  MenuEntryDraft,
} from "@cabinet/contract/identity/access/access.contract.ts";
import {
  canHoldLink,
  hasMenuTarget,
  isExternalTarget,
} from "@cabinet/contract/identity/access/menu.rules.ts";
import { pathsForEveryone } from "@cabinet/contract/identity/access/routes.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import * as repo from "./access.sql.ts";
import { publishAccessChange } from "./grant-scope.service.ts";
import { treeOf, withoutFeatures } from "./menu-tree.service.ts";

/**
 * The menu granted to the session. userType 0 gets every entry that the tenant has; others get the
 * entries of their roles with their ancestors; paths open to everyone need no role.
 */
export async function grantedMenu(ctx: Ctx): Promise<MenuEntry[]> {
  const entries = await repo.findTenantEntries(ctx.db, ctx.session.tenantId);
  const rows = withoutFeatures(entries, ctx.session.offFeatures);
  if (ctx.session.userType === 0) return treeOf(rows);
  const granted = await repo.findGrantedIds(ctx.db, ctx.session);
  for (const { id, uri } of rows) if (pathsForEveryone.has(uri)) granted.add(id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const shown = new Set<number>();
  for (const id of granted) {
    for (let row = byId.get(id); row; row = byId.get(row.parentId ?? 0)) shown.add(row.id);
  }
  // An ancestor that is not granted itself is shown as a group, without its permissions.
  return treeOf(
    rows
      .filter((row) => shown.has(row.id))
      .map((row) => (granted.has(row.id) ? row : { ...row, permissions: [] })),
  );
}

export async function menuTree(ctx: Ctx): Promise<MenuEntry[]> {
  return treeOf(await repo.findMenuEntries(ctx.db));
}

export async function createMenuEntry(ctx: Ctx, draft: MenuEntryDraft): Promise<null> {
  await requireFreeUri(ctx, draft.uri, null);
  await requirePlace(ctx, draft, null);
  await repo.insertMenuEntry(ctx.db, draft);
  await publishAccessChange(ctx.db, null);
  ctx.audit({ target: targetOf(draft), after: draft });
  return null;
}

export async function updateMenuEntry(ctx: Ctx, id: number, draft: MenuEntryDraft): Promise<null> {
  const before = await requireEntry(ctx, id);
  await requireFreeUri(ctx, draft.uri, id);
  await requirePlace(ctx, draft, id);
  await repo.updateMenuEntry(ctx.db, id, draft);
  await publishAccessChange(ctx.db, null);
  const { id: _, ...old } = before;
  ctx.audit({ target: targetOf(before), before: old, after: draft });
  return null;
}

export async function deleteMenuEntry(ctx: Ctx, id: number): Promise<null> {
  const before = await requireEntry(ctx, id);
  const children = await repo.countChildren(ctx.db, id);
  if (children > 0) refuse("MENU_HAS_CHILDREN", { title: before.title, children });
  await repo.deleteMenuEntry(ctx.db, id);
  await publishAccessChange(ctx.db, null);
  ctx.audit({ target: targetOf(before), before });
  return null;
}

function targetOf({ title, uri }: { title: string; uri: string }): string {
  return `菜单 ${title}（${uri}）`;
}

async function requireEntry(ctx: Ctx, id: number): Promise<repo.MenuEntryRow> {
  const entry = await repo.findMenuEntry(ctx.db, id);
  return entry ?? refuse("NOT_FOUND", { what: "菜单" });
}

async function requireFreeUri(ctx: Ctx, uri: string, ownId: number | null): Promise<void> {
  const taken = await repo.findMenuEntryByUri(ctx.db, uri);
  if (taken && taken.id !== ownId) refuse("MENU_URI_TAKEN", { uri, title: taken.title });
}

/** Refuses an unknown target, a parent that is missing or unsuitable, and a loop in the tree. */
async function requirePlace(ctx: Ctx, draft: MenuEntryDraft, ownId: number | null) {
  if (!hasMenuTarget(draft)) refuse("MENU_TARGET_UNKNOWN", { uri: draft.uri });
  const { parentId } = draft;
  if (parentId === null) return;
  const byId = new Map((await repo.findMenuEntries(ctx.db)).map((row) => [row.id, row]));
  const parent = byId.get(parentId) ?? refuse("NOT_FOUND", { what: "上级菜单" });
  if (isExternalTarget(draft) && !canHoldLink(parent.uri)) {
    refuse("MENU_LINK_PLACE", { parent: parent.title });
  }
  for (let row = byId.get(parentId); row; row = byId.get(row.parentId ?? 0)) {
    if (row.id === ownId) refuse("MENU_LOOP");
  }
}
