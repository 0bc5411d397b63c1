// Tree rules of the menu widget.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { describe, expect, it } from "vitest";
import { canBeDeleted, flatten, parentChoices } from "./menu-tree.rules.ts";

let nextId = 1;
function entry(kind: MenuEntry["kind"], children: MenuEntry[] = []): MenuEntry {
  const id = nextId++;
  return { id, uri: `/${id}`, title: `${id}`, icon: "", kind, permissions: [], sort: 0, children };
}

const button = entry("BUTTON");
const page = entry("MENU", [button]);
const group = entry("MENU", [page]);
const other = entry("MENU");
const rows = flatten([group, other]);

describe("menu tree", () => {
  it("lists each entry above its children, with its ancestors", () => {
    expect(rows.map(({ id, path }) => [id, path])).toEqual([
      [group.id, []],
      [page.id, [group.id]],
      [button.id, [group.id, page.id]],
      [other.id, []],
    ]);
  });

  it("offers no parent that is the entry itself, its descendant or a button", () => {
    const idsFor = (id: number) =>
      parentChoices(rows, rows.find((row) => row.id === id) ?? null).map((row) => row.id);
    expect(idsFor(group.id)).toEqual([other.id]);
    expect(idsFor(button.id)).toEqual([group.id, page.id, other.id]);
    expect(parentChoices(rows, null)).toHaveLength(3);
  });

  it("allows deletion only of entries without children", () => {
    expect(canBeDeleted(group)).toBe(false);
    expect(canBeDeleted(button)).toBe(true);
  });
});
