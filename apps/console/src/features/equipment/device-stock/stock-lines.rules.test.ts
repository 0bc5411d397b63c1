// Parsing cells into lines: column lookup, cell formats that corrupt a number, skips, limits.
import { describe, expect, it, test } from "vitest";
import type { CellKind, SheetCell, SheetRow } from "../../../ui/sheet/sheet-rows.rules.ts";
import { linesOfRows, previewOf } from "./stock-lines.rules.ts";

const cell = (text: string, kind: CellKind = "text", isMerged = false): SheetCell => {
  return { text, kind, isMerged };
};
const row = (line: number, ...cells: (string | SheetCell)[]): SheetRow => {
  return { line, cells: cells.map((one) => (typeof one === "string" ? cell(one) : one)) };
};
const header = row(1, "设备编号（必填）", "型号（必填）", "批次", "备注");
const models = new Map([["单面柜", 1]]);
const preview = (...rows: SheetRow[]) => previewOf(linesOfRows([header, ...rows]), models);

describe("columns", () => {
  it.each([
    [["设备编号（必填）", "型号（必填）"]],
    [["序列号", "设备类型"]],
    [["ＳＮ", "型号 *"]],
    [["sn", "设备型号(必填)"]],
  ])("are recognized by the titles %j", (titles) => {
    const { lines } = linesOfRows([row(1, ...titles), row(2, "ZC260001", "单面柜")]);
    expect(lines).toMatchObject([{ line: 2, sn: "ZC260001", model: "单面柜", batch: "" }]);
  });

  it("may be in any order and below empty rows", () => {
    const rows = [
      row(1, "", ""),
      row(3, "备注", "型号", "编号"),
      row(4, "x", "单面柜", "ZC260001"),
    ];
    expect(linesOfRows(rows).lines).toMatchObject([
      { line: 4, sn: "ZC260001", model: "单面柜", remark: "x" },
    ]);
  });
});

test.each([
  [[], "文件里没有内容"],
  [[row(1, "", "")], "文件里没有内容"],
  [[row(1, "批次", "备注")], "没有找到“设备编号”和“型号”列"],
  [[row(1, "设备编号")], "没有找到“型号”列"],
  [[header], "只有表头"],
  [[header, row(2, "", " ")], "只有表头"],
  [
    [header, ...Array.from({ length: 501 }, (_, at) => row(at + 2, `ZC26${at + 10000}`, "单面柜"))],
    "文件里有 501 行",
  ],
])("unusable file: the error states the reason (%#)", (rows, why) => {
  expect(() => linesOfRows(rows)).toThrow(why);
});

it("empty lines are skipped and counted", () => {
  const read = linesOfRows([header, row(2, "ZC260001", "单面柜"), row(3, ""), row(4, " ", "")]);
  expect(read.lines).toHaveLength(1);
  expect(read.emptyLines).toBe(2);
});

test.each([
  [row(2, cell("ZC260001", "formula"), "单面柜"), "“设备编号”是公式"],
  [row(2, "ZC260001", cell("单面柜", "formula")), "“型号”是公式"],
  [row(2, cell("ZC260001", "text", true), "单面柜"), "“设备编号”是合并单元格"],
  [row(2, "ZC260001", "单面柜", cell("", "text", true)), "“批次”是合并单元格"],
  [row(2, cell("1234567890123456", "number"), "单面柜"), "已失真"],
  [row(2, cell("1.2e+21", "number"), "单面柜"), "已失真"],
  [row(2, cell("12345678.5", "number"), "单面柜"), "已失真"],
  [row(2, cell("2026-11-21", "other"), "单面柜"), "被识别成日期"],
  [row(2, "1.2E+15", "单面柜"), "科学计数法"],
])("cell format that corrupts the value: the line is refused (%#)", (line, why) => {
  expect(preview(line)).toMatchObject([
    { result: "INVALID", message: expect.stringContaining(why) },
  ]);
});

it("numeric cell of up to 15 digits: accepted but marked doubtful", () => {
  expect(preview(row(2, cell("202611210001", "number"), "单面柜"))).toMatchObject([
    { sn: "202611210001", result: "READY", isDoubtful: true },
  ]);
  expect(preview(row(2, cell("1234567", "number"), "单面柜"))).toMatchObject([
    { result: "INVALID", message: expect.stringContaining("7 位"), isDoubtful: false },
  ]);
});

it("preview shows the normalized device number", () => {
  expect(preview(row(2, " ｚｃ２６０００１ ", "单面柜"))).toMatchObject([
    { sn: "ZC260001", result: "READY", isDoubtful: false },
  ]);
});
