// Cabinet drawing: every cell occurs once and is reachable with the arrow keys.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boardOf, type DrawnCell, type Step, stepFrom } from "./cabinet-drawing.rules.ts";

/** Generates columns full of doors of random heights, numbered from the top left. */
const anyCabinet = fc
  .array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((columns) => {
    let no = 0;
    return columns.flatMap((heights, index) => {
      let row = 1;
      return heights.map((rowSpan): DrawnCell => {
        const cell = { no: ++no, column: index + 1, row, rowSpan };
        row += rowSpan;
        return cell;
      });
    });
  });

describe("cabinet drawing", () => {
  it("contains every compartment once, mirrored from behind", () => {
    fc.assert(
      fc.property(anyCabinet, (cells) => {
        const [front, back] = [boardOf(cells, "FRONT"), boardOf(cells, "BACK")];
        const places = front.lines.flatMap((line) => line.places);
        expect(places.map(({ cell }) => cell.no).sort()).toEqual(cells.map(({ no }) => no).sort());
        for (const { cell, column } of back.lines.flatMap((line) => line.places)) {
          expect(column + cell.column).toBe(front.columns + 1);
        }
      }),
    );
  });

  it("lets arrow keys reach every compartment", () => {
    const steps: Step[] = ["up", "down", "left", "right"];
    fc.assert(
      fc.property(anyCabinet, (cells) => {
        const board = boardOf(cells, "FRONT");
        const reached = new Set([1]);
        for (const no of reached) for (const step of steps) reached.add(stepFrom(board, no, step));
        expect(reached.size).toBe(cells.length);
      }),
    );
  });

  it("moves sideways to the door at the same height and stops at the edge", () => {
    const cells = [
      { no: 1, column: 1, row: 1, rowSpan: 3 },
      { no: 2, column: 2, row: 1, rowSpan: 1 },
      { no: 3, column: 2, row: 2, rowSpan: 2 },
    ];
    const board = boardOf(cells, "FRONT");
    expect(stepFrom(board, 3, "left")).toBe(1);
    expect(stepFrom(board, 1, "right")).toBe(2);
    expect(stepFrom(board, 1, "left")).toBe(1);
    expect(stepFrom(board, 2, "row-start")).toBe(1);
    expect(stepFrom(board, 1, "last")).toBe(3);
    expect(stepFrom(board, 99, "up")).toBe(1);
  });
});

describe("size of the drawing", () => {
  it("covers all cells and is at least the requested size", () => {
    const cells = [{ no: 1, column: 2, row: 3, rowSpan: 2 }];
    expect(boardOf(cells, "FRONT")).toMatchObject({ columns: 2, rows: 4 });
    const wide = boardOf(cells, "BACK", { columns: 5, rows: 1 });
    expect(wide).toMatchObject({ columns: 5, rows: 4 });
    expect(wide.lines[0]?.places[0]?.column).toBe(4);
  });
});
