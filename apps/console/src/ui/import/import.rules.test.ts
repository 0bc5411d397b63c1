// Columns of an import: guessed, remembered and chosen; each line of the file in one part of the account.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReadFile, ReadSheet } from "../sheet/sheet-rows.rules.ts";
import {
  accountText,
  guessPlace,
  type ImportColumns,
  judgedLines,
  type KnownTitles,
  missingColumns,
  movedPlace,
  readLines,
  titlesOf,
  worstFirst,
} from "./import.rules.ts";

type Name = "code" | "name" | "remark";
const columns: ImportColumns<Name> = {
  code: { title: "编码", aliases: ["编号"], isRequired: true, form: "code" },
  name: { title: "名称", isRequired: true },
  remark: { title: "备注" },
};

function sheetOf(rows: readonly (readonly string[])[], name = "清单"): ReadSheet {
  const filled = rows.flatMap((cells, index) =>
    cells.every((text) => text === "")
      ? []
      : [{ line: index + 1, cells: cells.map((text) => ({ text, kind: "text" as const })) }],
  );
  return { name, isHidden: false, rows: filled, hiddenColumns: [] };
}
const fileOf = (...sheets: ReadSheet[]): ReadFile => ({ sheets, encoding: null });

describe("place of the columns", () => {
  it("titles that nobody knows: the columns are missing until a person has chosen them once", () => {
    const file = fileOf(
      sheetOf([
        ["柜号", "叫法"],
        ["A1", "东门"],
      ]),
    );
    const { place, isCertain } = guessPlace(file, columns);
    expect(isCertain).toBe(false);
    expect(missingColumns(place, columns)).toEqual(["code", "name"]);
    const chosen = {
      ...place,
      columns: new Map<Name, number>([
        ["code", 0],
        ["name", 1],
      ]),
    };
    const known = titlesOf(file, chosen);
    expect(known).toEqual({ 柜号: "code", 叫法: "name" });
    const next = fileOf(
      sheetOf([
        ["叫法", "备注", "柜号"],
        ["西门", "", "A2"],
      ]),
    );
    const again = guessPlace(next, columns, known);
    expect(again.isCertain).toBe(true);
    expect([...again.place.columns]).toEqual([
      ["code", 2],
      ["name", 0],
      ["remark", 1],
    ]);
  });

  it("a title given to another column is no longer its own", () => {
    const known: KnownTitles<Name> = { 备注: "name" };
    const file = fileOf(
      sheetOf([
        ["编码", "备注"],
        ["A1", "东门"],
      ]),
    );
    expect([...guessPlace(file, columns, known).place.columns]).toEqual([
      ["code", 0],
      ["name", 1],
    ]);
  });

  it("another sheet: its header is looked for; another line: its titles are", () => {
    const list = [
      ["合计", "2"],
      ["编号", "名称"],
      ["A1", "东门"],
    ];
    const file = fileOf(
      sheetOf(
        [
          ["编码", "名称"],
          ["B1", "西门"],
        ],
        "一",
      ),
      sheetOf(list, "二"),
    );
    const other = movedPlace(file, { sheet: 1 }, columns, {});
    expect(other).toEqual({
      sheet: 1,
      header: 2,
      columns: new Map([
        ["code", 0],
        ["name", 1],
      ]),
    });
    expect(movedPlace(file, { sheet: 1, header: 1 }, columns, {})).toMatchObject({
      header: 1,
      columns: new Map(),
    });
  });
});

describe("account", () => {
  const lineOf = fc.constantFrom("", "A1", "A2", "?");
  it("whatever is in the file: good, bad and empty lines add up to its lines", () => {
    fc.assert(
      fc.property(fc.array(lineOf, { minLength: 1, maxLength: 30 }), (codes) => {
        fc.pre(codes.some((code) => code !== ""));
        const rows = [["编码", "名称"], ...codes.map((code) => [code, code && "门店"])];
        const file = fileOf(sheetOf(rows));
        const read = readLines(file, guessPlace(file, columns).place, columns, 500);
        const lines = judgedLines(read, (all) =>
          all.map(({ line, values }) => ({
            line,
            result: values.code === "?" ? ("INVALID" as const) : ("READY" as const),
            message: "",
          })),
        );
        const filled = codes.filter((code) => code !== "");
        const bad = filled.filter((code) => code === "?").length;
        const total = codes.findLastIndex((code) => code !== "") + 1;
        expect(accountText(read, lines, false)).toBe(
          `文件 ${total} 行 = 可导入 ${filled.length - bad} + 有误 ${bad} + 空 ${total - filled.length}`,
        );
        const states = worstFirst(lines).map(({ state }) => state);
        expect(states.indexOf("bad", bad)).toBe(-1);
      }),
    );
  });

  it("a finished import names the lines that stayed behind", () => {
    const line = { values: { code: "", name: "", remark: "" }, label: "", message: "" };
    const lines = (["done", "done", "bad", "ready"] as const).map((state, index) => {
      return { ...line, line: index + 2, state };
    });
    expect(accountText({ total: 5, empty: 1 }, lines, true)).toBe(
      "文件 5 行 = 导入 2 + 有误 1 + 未导入 1 + 空 1",
    );
  });
});
