// Layout tools: every result is a layout without overlaps, and every step can be undone.
import { layoutProblems } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import { SIZES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addCells,
  addStep,
  between,
  type Draft,
  draftOf,
  editCells,
  fillAddresses,
  firstLayout,
  gapsOf,
  layoutOf,
  mergeCells,
  redo,
  removeCells,
  renumber,
  resize,
  setSpan,
  splitCells,
  startHistory,
  undo,
} from "./layout-draft.rules.ts";

type Tool = (draft: Draft) => Draft;

/** Picks any place by its relative position `at` (0–1). */
const pick = (draft: Draft, at: number): number[] => {
  const ids = [...draft.cells, ...gapsOf(draft)].map(({ id }) => id);
  const id = ids[Math.floor(at * ids.length)];
  return id === undefined ? [] : [id];
};
const at = fc.double({ min: 0, max: 0.999, noNaN: true });
const anyTool: fc.Arbitrary<Tool> = fc.oneof(
  fc.tuple(at, fc.constantFrom(...SIZES)).map(
    ([where, size]): Tool =>
      (draft) =>
        addCells(draft, pick(draft, where), size),
  ),
  at.map(
    (where): Tool =>
      (draft) =>
        removeCells(draft, pick(draft, where)),
  ),
  fc.tuple(at, fc.integer({ min: -2, max: 40 })).map(
    ([where, span]): Tool =>
      (draft) =>
        setSpan(draft, pick(draft, where), span),
  ),
  at.map(
    (where): Tool =>
      (draft) =>
        splitCells(draft, pick(draft, where)),
  ),
  fc.tuple(at, at).map(
    ([one, other]): Tool =>
      (draft) => {
        const [from, to] = [pick(draft, one)[0], pick(draft, other)[0]];
        if (from === undefined || to === undefined) return draft;
        return mergeCells(draft, between(draft, from, to)) ?? draft;
      },
  ),
  fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 14 })).map(
    ([columns, rows]): Tool =>
      (draft) =>
        resize(draft, columns, rows),
  ),
  fc.constantFrom<Tool>(
    (draft) => renumber(draft, "columns"),
    (draft) => renumber(draft, "rows"),
    (draft) => fillAddresses(draft, null),
    (draft) => fillAddresses(draft, 12),
  ),
);

const kindsOf = (draft: Draft) => new Set(layoutProblems(layoutOf(draft)).map(({ kind }) => kind));

describe("layout tools", () => {
  it("start with a layout that can be saved", () => {
    expect(layoutProblems(firstLayout())).toEqual([]);
    expect(firstLayout().cells).toHaveLength(24);
  });

  it("never produce overlapping doors, doors outside of the cabinet or duplicate numbers", () => {
    fc.assert(
      fc.property(fc.array(anyTool, { maxLength: 30 }), (tools) => {
        let draft = draftOf(firstLayout());
        for (const tool of tools) {
          draft = tool(draft);
          const kinds = kindsOf(draft);
          for (const kind of ["OVERLAP", "PLACE", "SAME_NO", "NO"]) {
            expect(kinds.has(kind as "NO"), kind).toBe(false);
          }
          const rows = draft.cells.reduce((sum, cell) => sum + cell.rowSpan, 0);
          expect(rows + gapsOf(draft).length).toBe(draft.columns * draft.rows);
        }
        const tidy = fillAddresses(renumber(draft, "rows"), 8);
        expect(layoutProblems(layoutOf(tidy)).filter(({ kind }) => kind !== "EMPTY")).toEqual([]);
      }),
    );
  });

  it("merge adjacent places of one column, and split the result again", () => {
    const draft = draftOf(firstLayout(2, 4));
    const merged = mergeCells(draft, [2, 3]) as Draft;
    expect(merged.cells.find(({ id }) => id === 2)).toMatchObject({ row: 2, rowSpan: 2, no: 2 });
    expect(merged.cells).toHaveLength(7);
    expect(mergeCells(draft, [1, 3])).toBeNull();
    expect(mergeCells(draft, [1, 5])).toBeNull();
    expect(mergeCells(draft, [1])).toBeNull();
    const split = splitCells(merged, [2]);
    expect(split.cells.map(({ no }) => no).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("number down the columns or across the rows", () => {
    const across = renumber(draftOf(firstLayout(2, 2)), "rows");
    expect(across.cells.map(({ column, row, no }) => [column, row, no])).toEqual([
      [1, 1, 1],
      [1, 2, 3],
      [2, 1, 2],
      [2, 2, 4],
    ]);
    expect(fillAddresses(across, 2).cells.map((cell) => cell.boardAddress)).toEqual([
      "01-01",
      "02-01",
      "01-02",
      "02-02",
    ]);
  });
});

describe("undo history", () => {
  it("undoes to the first drawing and redoes to the last", () => {
    fc.assert(
      fc.property(fc.array(anyTool, { maxLength: 30 }), (tools) => {
        const first = draftOf(firstLayout());
        let history = startHistory(first);
        for (const tool of tools) history = addStep(history, tool(history.present));
        const last = history.present;
        for (let before = undo(history); before; before = undo(history)) history = before;
        expect(history.present).toBe(first);
        for (let after = redo(history); after; after = redo(history)) history = after;
        expect(history.present).toBe(last);
      }),
    );
  });

  it("undoes consecutive typing as one step", () => {
    const first = draftOf(firstLayout());
    let history = startHistory(first);
    for (const no of [4, 41, 412]) {
      history = addStep(history, editCells(history.present, [1], { no }), "no-1");
    }
    expect(undo(history)?.present).toBe(first);
  });
});
