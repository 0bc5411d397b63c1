// Menu checkboxes: entries that change together, and blocked entries that stay.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isGroup,
  leavesOf,
  reasonAgainst,
  tickStateOf,
  toggle,
  wholeOf,
} from "./check-tree.rules.ts";

let nextId = 1;
function entry(kind: MenuEntry["kind"], children: MenuEntry[] = []): MenuEntry {
  const id = nextId++;
  return { id, uri: `/${id}`, title: `${id}`, icon: "", kind, permissions: [], sort: 0, children };
}

const [open, write] = [entry("BUTTON"), entry("BUTTON")];
const page = entry("MENU", [open, write]);
const other = entry("MENU");
const inner = entry("MENU", [other]);
const group = entry("MENU", [page, inner]);
const alone = entry("MENU");
const tree = [group, alone];
const free = () => undefined;
const ids = (...entries: MenuEntry[]) => new Set(entries.map(({ id }) => id));

describe("ticking menu entries", () => {
  it("ticks the page of a button and the groups above it", () => {
    expect(toggle(tree, ids(), [group, page, open], true, free)).toEqual(ids(page, open, group));
  });

  it("unticks the buttons of an unticked page, and the group when nothing is left in it", () => {
    const ticked = ids(group, page, open, alone);
    expect(toggle(tree, ticked, [group, page], false, free)).toEqual(ids(alone));
  });

  it("ticks and unticks everything below a group, and nothing else", () => {
    const all = toggle(tree, ids(alone), [group], true, free);
    expect(all).toEqual(ids(...wholeOf(group), alone));
    expect(tickStateOf([group], all)).toBe("ALL");
    expect(toggle(tree, all, [group], false, free)).toEqual(ids(alone));
  });

  it("changes neither blocked entries nor the entries that they need", () => {
    const blocked = (of: MenuEntry) => (of === open || of === other ? "没有" : undefined);
    expect(toggle(tree, ids(), [], true, blocked)).toEqual(ids(group, page, write, alone));
    expect(toggle(tree, ids(group, page, open, write), [], false, blocked)).toEqual(
      ids(group, page, open),
    );
    expect(reasonAgainst([group, page], ids(page, open), blocked)).toBe("没有");
    expect(reasonAgainst([group, inner], ids(), blocked)).toBe("没有");
    expect(reasonAgainst([group], ids(), blocked)).toBeUndefined();
    const pageBlocked = (of: MenuEntry) => (of === page ? "没有" : undefined);
    expect(reasonAgainst([group, page, open], ids(), pageBlocked)).toBe("没有");
    expect(reasonAgainst([group, page, open], ids(page), pageBlocked)).toBeUndefined();
  });

  it("never leaves a button without its page, a group out of sync, or a blocked entry changed", () => {
    const everything = tree.flatMap(wholeOf);
    const paths = (entries: MenuEntry[], way: MenuEntry[] = []): MenuEntry[][] =>
      entries.flatMap((each) => [[...way, each], ...paths(each.children, [...way, each])]);
    const click = fc.record({
      path: fc.constantFrom([], ...paths(tree)),
      isOn: fc.boolean(),
    });
    const leaves = leavesOf(tree).map(({ id }) => id);
    fc.assert(
      fc.property(fc.array(click), fc.subarray(leaves), (clicks, blockedIds) => {
        const blocked = ({ id }: MenuEntry) => (blockedIds.includes(id) ? "没有" : undefined);
        let ticked: ReadonlySet<number> = new Set();
        for (const { path, isOn } of clicks) ticked = toggle(tree, ticked, path, isOn, blocked);
        for (const id of blockedIds) expect(ticked.has(id)).toBe(false);
        for (const button of [open, write]) {
          if (ticked.has(button.id)) expect(ticked.has(page.id)).toBe(true);
        }
        for (const each of everything.filter(isGroup)) {
          expect(ticked.has(each.id)).toBe(tickStateOf([each], ticked) !== "NONE");
        }
      }),
    );
  });
});
