// Columns as a user has set them.
import { describe, expect, it } from "vitest";
import { type Column, moveKey, visibleColumns } from "./columns.ts";

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
