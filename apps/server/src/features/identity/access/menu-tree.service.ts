// Builds the menu tree from its rows.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import {
  type Feature,
  isEntryOff,
  permissionsWithout,
} from "@cabinet/contract/vocabulary/feature.rules.ts";
import type { MenuEntryRow } from "./access.sql.ts";

/** `rows` come in menu order; rows whose parent is not among them are dropped. */
export function treeOf(rows: readonly MenuEntryRow[]): MenuEntry[] {
  const nodes = new Map(
    rows.map(({ parentId: _, ...row }): [number, MenuEntry] => [row.id, { ...row, children: [] }]),
  );
  const roots: MenuEntry[] = [];
  for (const row of rows) {
    const siblings = row.parentId === null ? roots : nodes.get(row.parentId)?.children;
    siblings?.push(nodes.get(row.id) as MenuEntry);
  }
  return roots;
}

/** Without the pages and permissions of features that are off, and without groups that they leave empty. */
export function withoutFeatures(
  rows: readonly MenuEntryRow[],
  off: readonly Feature[],
): readonly MenuEntryRow[] {
  if (off.length === 0) return rows;
  const kept = rows.filter((row) => !isEntryOff(row, off));
  const hasChild = (all: readonly MenuEntryRow[], { id }: MenuEntryRow) =>
    all.some(({ parentId }) => parentId === id);
  return kept
    .filter((row) => row.permissions.length > 0 || !hasChild(rows, row) || hasChild(kept, row))
    .map((row) => ({ ...row, permissions: permissionsWithout(row.permissions, off) }));
}
