// Tests layout validation against a slow reference implementation, and the diff of two layouts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIZES } from "../../vocabulary/hardware.rules.ts";
import { thresholdProblem } from "./cabinet-model.rules.ts";
import {
  changeOf,
  isEmptyChange,
  type LayoutCell,
  layoutProblems,
  listNos,
  MAX_COMPARTMENTS,
} from "./layout.rules.ts";

const anyCell: fc.Arbitrary<LayoutCell> = fc.record({
  no: fc.integer({ min: 0, max: 12 }),
  size: fc.constantFrom(...SIZES),
  column: fc.integer({ min: 0, max: 5 }),
  row: fc.integer({ min: 0, max: 9 }),
  rowSpan: fc.integer({ min: 0, max: 4 }),
  boardAddress: fc.constantFrom("01-01", "01-02", "02-01", "A1", "a1", "", "板 1", "-1"),
});
const anyLayout = fc.record({
  columns: fc.integer({ min: 1, max: 4 }),
  rows: fc.integer({ min: 1, max: 8 }),
  cells: fc.array(anyCell, { maxLength: 12 }),
});

const covers = (cell: LayoutCell, column: number, row: number) =>
  cell.column === column && row >= cell.row && row < cell.row + cell.rowSpan;

describe("layout problems", () => {
  it("none exactly when every place, number and address is used once", () => {
    fc.assert(
      fc.property(anyLayout, (layout) => {
        const { columns, rows, cells } = layout;
        const distinct = (values: unknown[]) => new Set(values).size === values.length;
        const inside = cells.every(
          ({ column, row, rowSpan }) =>
            column >= 1 &&
            column <= columns &&
            row >= 1 &&
            rowSpan >= 1 &&
            row + rowSpan - 1 <= rows,
        );
        let isApart = true;
        for (let column = 0; column <= 5; column++) {
          for (let row = 0; row <= 13; row++) {
            if (cells.filter((cell) => covers(cell, column, row)).length > 1) isApart = false;
          }
        }
        const isGood =
          cells.length > 0 &&
          inside &&
          isApart &&
          distinct(cells.map(({ no }) => no)) &&
          cells.every(({ no }) => no >= 1) &&
          distinct(cells.map(({ boardAddress }) => boardAddress.toLowerCase())) &&
          cells.every(({ boardAddress }) => /^[\da-z][\da-z-]*$/i.test(boardAddress));
        expect(layoutProblems(layout).length === 0).toBe(isGood);
      }),
    );
  });

  it("name the affected compartment, in words", () => {
    const cell: LayoutCell = {
      no: 7,
      size: "S",
      column: 1,
      row: 1,
      rowSpan: 2,
      boardAddress: "01-01",
    };
    const cells = [cell, { ...cell, no: 8, row: 2 }];
    expect(layoutProblems({ columns: 1, rows: 3, cells }).map(({ text }) => text)).toEqual([
      "7 号格口：驱动板地址 01-01 重复，一路锁只能接一个格口",
      "7 号格口：与 8 号格口重叠",
      "8 号格口：驱动板地址 01-01 重复，一路锁只能接一个格口",
      "8 号格口：与 7 号格口重叠",
    ]);
  });

  it("limit: as many compartments as one birth can report", () => {
    const cellsOf = (count: number) =>
      Array.from(
        { length: count },
        (_, n): LayoutCell => ({
          no: n + 1,
          size: "S",
          column: Math.floor(n / 30) + 1,
          row: (n % 30) + 1,
          rowSpan: 1,
          boardAddress: `${n}`,
        }),
      );
    const problems = (count: number) =>
      layoutProblems({ columns: 30, rows: 30, cells: cellsOf(count) }).map(({ kind }) => kind);
    expect(problems(MAX_COMPARTMENTS)).toEqual([]);
    expect(problems(MAX_COMPARTMENTS + 1)).toEqual(["TOO_MANY"]);
  });
});

describe("changeOf", () => {
  const cells = fc.uniqueArray(anyCell, { selector: ({ no }) => no, maxLength: 10 });

  it("applying the change to the first layout gives the second", () => {
    fc.assert(
      fc.property(cells, cells, (before, after) => {
        const { added, changed, removed } = changeOf(before, after);
        const touched = [...added, ...changed];
        const result = [
          ...before.filter(({ no }) => !removed.includes(no) && !changed.includes(no)),
          ...after.filter(({ no }) => touched.includes(no)),
        ];
        const byNo = (one: LayoutCell, other: LayoutCell) => one.no - other.no;
        expect(result.sort(byNo)).toEqual([...after].sort(byNo));
        expect(isEmptyChange(changeOf(after, after))).toBe(true);
      }),
    );
  });

  it("listNos joins runs of numbers", () => {
    expect(listNos([1, 2, 3, 7, 9, 10])).toBe("1–3、7、9–10");
    expect(listNos([])).toBe("");
  });
});

it("offline threshold tolerates one lost heartbeat", () => {
  expect(thresholdProblem(30, 90)).toBeNull();
  expect(thresholdProblem(30, 60)).toBeNull();
  expect(thresholdProblem(30, 59)).toContain("2 倍（60 秒）");
});
