// Builds the menu tree from its rows.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
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
