// Menu of a tenant: ticked boxes and withheld entries are equivalent; new entries are included.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isGroup, leavesOf, wholeOf } from "../../../domain/menu/check-tree.rules.ts";
import { offeredTree, tickedOf, withheldOf } from "./withheld.rules.ts";

function entry(id: number, uri: string, ...children: MenuEntry[]): MenuEntry {
  const kind = uri.includes(":") ? "BUTTON" : "MENU";
  return { id, uri, title: uri, icon: "", kind, permissions: [], sort: id, children };
}
const tree = [
  entry(1, "/dashboard"),
  entry(2, "/cupboard", entry(3, "/cupboard/a", entry(4, "a:x"), entry(5, "a:y")), entry(6, "/b")),
  entry(7, "/run", entry(8, "/run/pay", entry(9, "/run/pay/p", entry(10, "p:x")))),
];

it("offeredTree: leaves out entries of the platform alone", () => {
  const set = entry(11, "/set", entry(12, "/set/power"), entry(13, "/set/role"));
  const offered = offeredTree([...tree, entry(14, "/register", entry(15, "/register/index")), set]);
  expect(offered.flatMap(wholeOf).map(({ id }) => id)).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ...[11, 13],
  ]);
});

it("withheldOf: names the topmost entries", () => {
  expect(withheldOf(tree, [1, 2, 3, 4, 6])).toEqual([5, 7]);
  expect(withheldOf(tree, [])).toEqual([1, 2, 7]);
  expect(tickedOf(tree, [5, 7])).toEqual([1, 2, 3, 4, 6]);
  expect(tickedOf(tree, [3, 6])).not.toContain(2);
});

it("tickedOf and withheldOf: any selection survives the round trip", () => {
  const leaves = leavesOf(tree).map(({ id }) => id);
  fc.assert(
    fc.property(fc.subarray(wholeOf({ ...entry(0, "/"), children: tree })), (withheld) => {
      const ids = withheld.map(({ id }) => id).filter((id) => id !== 0);
      const ticked = tickedOf(tree, ids);
      const again = tickedOf(tree, withheldOf(tree, ticked));
      const leavesOfIt = (list: number[]) => list.filter((id) => leaves.includes(id)).sort();
      expect(leavesOfIt(again)).toEqual(leavesOfIt(ticked));
      const groups = tree.flatMap(wholeOf).filter(isGroup);
      for (const group of groups) {
        const hasLeaf = leavesOf([group]).some(({ id }) => again.includes(id));
        expect(again.includes(group.id)).toBe(hasLeaf);
      }
    }),
  );
});
