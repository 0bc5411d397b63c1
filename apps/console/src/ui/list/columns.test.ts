// Columns as configured by a user, and their widths.
import { describe, expect, it } from "vitest";
import { type Column, fitWidths, moveKey, visibleColumns, withWidth } from "./columns.ts";

const columns = ["name", "store", "signal", "version"].map(
  (key): Column<object> => ({ key, title: key, width: 100, value: () => key }),
);
const keysOf = (hidden: string[], order: string[]) =>
  visibleColumns(columns, { hidden, order }).map((column) => column.key);

describe("column settings", () => {
  it("shows all columns in their default order at first", () => {
    expect(keysOf([], [])).toEqual(["name", "store", "signal", "version"]);
  });

  it("hides and orders the named columns; a new column goes to the end", () => {
    expect(keysOf(["store"], ["signal", "store"])).toEqual(["name", "signal", "version"]);
  });

  it("never hides or moves the column that names the row", () => {
    expect(keysOf(["name"], ["version", "name"])).toEqual(["name", "version", "store", "signal"]);
  });

  it("moves a column by one position, not beyond the ends", () => {
    expect(moveKey(["a", "b", "c"], "b", -1)).toEqual(["b", "a", "c"]);
    expect(moveKey(["a", "b", "c"], "c", 1)).toEqual(["a", "b", "c"]);
  });
});

describe("column widths", () => {
  const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);

  it("stay unchanged when all columns fit", () => {
    expect(fitWidths([100, 200, 300], 600)).toEqual([100, 200, 300]);
    expect(fitWidths([100, 200], 1_000)).toEqual([100, 200]);
  });

  it("shrink slightly when the last column almost fits", () => {
    const widths = fitWidths([100, 200, 300], 580);
    expect(sumOf(widths)).toBeLessThanOrEqual(580);
    expect(sumOf(widths)).toBeGreaterThan(576);
  });

  it("fill the visible width with whole columns; the rest overflow", () => {
    const widths = fitWidths([100, 200, 300, 50], 400);
    expect(sumOf(widths.slice(0, 2))).toBeLessThanOrEqual(400);
    expect(sumOf(widths.slice(0, 2))).toBeGreaterThan(397);
    expect(widths.slice(2)).toEqual([300, 50]);
  });

  it("leave a width of the user's as it is; the others take what is left", () => {
    const isFixed = (index: number) => index === 1;
    expect(fitWidths([100, 200, 100], 600, isFixed)).toEqual([200, 200, 200]);
    expect(fitWidths([100, 800], 600, isFixed)).toEqual([600, 800]);
    expect(fitWidths([100, 200], 600, () => true)).toEqual([100, 200]);
  });

  it("of numbers whose end matters may grow, but do not shrink", () => {
    const isLeast = (index: number) => index === 1;
    const none = () => false;
    expect(fitWidths([100, 200, 100], 390, none, isLeast)).toEqual([95, 200, 95]);
    expect(fitWidths([100, 200, 100, 400], 500, none, isLeast)).toEqual([125, 250, 125, 400]);
  });

  it("shrink beside a fixed column only as far as the others can", () => {
    const isFixed = (index: number) => index === 1;
    expect(fitWidths([100, 200, 100, 100], 390, isFixed)).toEqual([95, 200, 95, 100]);
    expect(fitWidths([100, 200, 100], 380, isFixed)).toEqual([180, 200, 100]);
  });

  it("of the user's are kept within limits, and taken back by null", () => {
    const widths = withWidth([{ key: "name", width: 90 }], "store", 9_000);
    expect(widths).toEqual([
      { key: "name", width: 90 },
      { key: "store", width: 800 },
    ]);
    expect(withWidth(widths, "name", 3)).toContainEqual({ key: "name", width: 56 });
    expect(withWidth(widths, "name", null)).toEqual([{ key: "store", width: 800 }]);
  });

  it("stay unchanged when not even the first column fits", () => {
    expect(fitWidths([100, 200], 40)).toEqual([100, 200]);
  });
});
