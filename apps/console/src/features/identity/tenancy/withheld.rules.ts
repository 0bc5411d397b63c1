// Converts between ticked menu boxes and the topmost entries withheld from a tenant.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { pathsForEveryone } from "@cabinet/contract/identity/access/routes.rules.ts";
import { isPlatformPath } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { isGroup, wholeOf, withGroups } from "../../../domain/menu/check-tree.rules.ts";

/** Menu entries that can be granted to or withheld from tenants other than the platform. */
export function offeredTree(tree: readonly MenuEntry[]): MenuEntry[] {
  return tree
    .filter(({ uri }) => !isPlatformPath(uri) && !pathsForEveryone.has(uri))
    .map((entry) => ({ ...entry, children: offeredTree(entry.children) }));
}

/** Entries that are neither withheld nor below a withheld one. */
export function tickedOf(tree: readonly MenuEntry[], withheldIds: readonly number[]): number[] {
  const withheld = new Set(withheldIds);
  const had = (entries: readonly MenuEntry[]): number[] =>
    entries
      .filter(({ id }) => !withheld.has(id))
      .flatMap((entry) => [entry.id, ...had(entry.children)]);
  return [...withGroups(tree, new Set(had(tree)))];
}

/** Minimal set of entries whose subtrees are exactly the unticked entries. */
export function withheldOf(tree: readonly MenuEntry[], ticked: readonly number[]): number[] {
  const had = new Set(ticked);
  const visit = (entry: MenuEntry): number[] => {
    const isNone = wholeOf(entry).every(({ id }) => !had.has(id));
    if (isNone) return [entry.id];
    if (!isGroup(entry) && !had.has(entry.id)) return [entry.id];
    return entry.children.flatMap(visit);
  };
  return tree.flatMap(visit);
}

/** Titles of the withheld entries. */
export function scopeText(tree: readonly MenuEntry[], withheldIds: readonly number[]): string[] {
  const titles = new Map(tree.flatMap(wholeOf).map(({ id, title }) => [id, title]));
  return withheldIds.flatMap((id) => titles.get(id) ?? []);
}
