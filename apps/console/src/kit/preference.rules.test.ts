// Preferences changed in two browsers: the server's value wins, unsaved changes are kept.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type ColumnChoices, type ColumnSettings, mergeColumns } from "./preference.rules.ts";

const hide = (...hidden: string[]): ColumnSettings => ({ hidden, order: [] });
const known = (list: string, choice: ColumnSettings | null) => ({
  list,
  choice: choice && { hidden: [...choice.hidden], order: [...choice.order] },
});

it("mergeColumns: takes over settings that were changed or reset elsewhere", () => {
  const here = { 设备列表: hide("a"), 门店列表: hide("b") };
  const merged = mergeColumns(here, [], [known("设备列表", hide("c")), known("门店列表", null)]);
  expect(merged).toEqual({ columns: { 设备列表: hide("c"), 门店列表: null }, unsaved: [] });
});

it("mergeColumns: keeps local changes that are not saved yet", () => {
  const merged = mergeColumns({ 设备列表: hide("a") }, ["设备列表"], [known("设备列表", null)]);
  expect(merged).toEqual({ columns: {}, unsaved: ["设备列表"] });
});

it("mergeColumns: marks settings from before the server stored any as unsaved", () => {
  expect(mergeColumns({ 设备列表: hide("a") }, [], [])).toEqual({
    columns: {},
    unsaved: ["设备列表"],
  });
});

const list = fc.constantFrom("一", "二", "三", "四");
const choice = fc.record({
  hidden: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
  order: fc.constant([]),
});

it("mergeColumns: both sides agree once everything is saved", () => {
  fc.assert(
    fc.property(
      fc.dictionary(list, choice),
      fc.uniqueArray(list),
      fc.dictionary(list, fc.option(choice)),
      (mine: ColumnChoices, unsaved, server) => {
        const serverLists = Object.entries(server).map(([title, each]) => known(title, each));
        const merged = mergeColumns(mine, unsaved, serverLists);
        const here: Record<string, ColumnSettings | null> = { ...mine, ...merged.columns };
        const there = { ...server };
        for (const title of merged.unsaved) there[title] = mine[title] as never;
        for (const title of ["一", "二", "三", "四"]) {
          expect(here[title] ?? null).toEqual(there[title] ?? null);
        }
        for (const title of unsaved) expect(merged.columns).not.toHaveProperty(title);
      },
    ),
  );
});
