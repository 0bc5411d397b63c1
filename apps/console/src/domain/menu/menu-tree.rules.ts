// Menu tree as flat rows, with the rules for moving and deleting an entry.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";

export interface FlatEntry extends MenuEntry {
  /** Ids of the ancestors, outermost first. */
  path: readonly number[];
}

/** Depth first, each entry right above its children. */
export function flatten(entries: readonly MenuEntry[], path: readonly number[] = []): FlatEntry[] {
  return entries.flatMap((entry) => [
    { ...entry, path },
    ...flatten(entry.children, [...path, entry.id]),
  ]);
}

export function canBeDeleted(entry: MenuEntry): boolean {
  return entry.children.length === 0;
}

/** Menus that can be the parent of an entry: neither the entry itself nor its descendants. */
export function parentChoices(entries: readonly FlatEntry[], entry: FlatEntry | null): FlatEntry[] {
  return entries.filter(
    (candidate) =>
      candidate.kind === "MENU" &&
      (entry === null || (candidate.id !== entry.id && !candidate.path.includes(entry.id))),
  );
}
