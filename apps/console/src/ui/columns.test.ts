// Columns as a user has set them.
import { describe, expect, it } from "vitest";
import { type Column, fitWidths, moveKey, visibleColumns } from "./columns.ts";

const columns = ["name", "store", "signal", "version"].map(
  (key): Column<object> => ({ key, title: key, width: 100, value: () => key }),
);
const keysOf = (hidden: string[], order: string[]) =>
  visibleColumns(columns, { hidden, order }).map((column) => column.key);

describe("column settings", () => {
  it("shows all in their order at first", () => {
    expect(keysOf([], [])).toEqual(["name", "store", "signal", "version"]);
  });

  it("hides, and orders what is named; a new column comes behind", () => {
    expect(keysOf(["store"], ["signal", "store"])).toEqual(["name", "signal", "version"]);
  });

  it("never hides or moves the column that names the row", () => {
    expect(keysOf(["name"], ["version", "name"])).toEqual(["name", "version", "store", "signal"]);
  });

  it("moves one place at a time, not beyond the ends", () => {
    expect(moveKey(["a", "b", "c"], "b", -1)).toEqual(["b", "a", "c"]);
    expect(moveKey(["a", "b", "c"], "c", 1)).toEqual(["a", "b", "c"]);
  });
});

describe("widths of columns", () => {
  const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);

  it("leaves them as they are where all fit", () => {
    expect(fitWidths([100, 200, 300], 600)).toEqual([100, 200, 300]);
    expect(fitWidths([100, 200], 1_000)).toEqual([100, 200]);
  });

  it("makes them a little narrower when the last one is a little too much", () => {
    const widths = fitWidths([100, 200, 300], 580);
    expect(sumOf(widths)).toBeLessThanOrEqual(580);
    expect(sumOf(widths)).toBeGreaterThan(576);
  });

  it("lets the room end with a whole column, and the others begin behind it", () => {
    const widths = fitWidths([100, 200, 300, 50], 400);
    expect(sumOf(widths.slice(0, 2))).toBeLessThanOrEqual(400);
    expect(sumOf(widths.slice(0, 2))).toBeGreaterThan(397);
    expect(widths.slice(2)).toEqual([300, 50]);
  });

  it("does nothing in a room too small for the first", () => {
    expect(fitWidths([100, 200], 40)).toEqual([100, 200]);
  });
});
