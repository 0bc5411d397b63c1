// Reading spreadsheets from various programs as rows of text; other files are refused with a
// reason.
import { writeXlsx } from "hucre/xlsx";
import { expect, it, test } from "vitest";
import { readWorkbook } from "./read-workbook.ts";
import { writeWorkbook } from "./write-workbook.ts";

const texts = (rows: Awaited<ReturnType<typeof readWorkbook>>) =>
  rows.map(({ cells }) => cells.map(({ text }) => text));
const encode = (text: string) => new TextEncoder().encode(text);

it("reads numbers, formulas, merged cells and rich text of an .xlsx with their kinds", async () => {
  const bytes = await writeXlsx({
    sheets: [
      {
        name: "清单",
        rows: [
          ["编号", "型号"],
          ["00123456", "x"],
          [123456789, null],
          [1e21, true],
        ],
        cells: new Map([
          ["1,1", { richText: [{ text: "单面" }, { text: "柜" }] }],
          ["2,1", { formula: "A2", formulaResult: "算出来的" }],
        ]),
        merges: [{ startRow: 2, startCol: 0, endRow: 3, endCol: 0 }],
      },
    ],
  });
  const rows = await readWorkbook(new Uint8Array(bytes));
  expect(texts(rows)).toEqual([
    ["编号", "型号"],
    ["00123456", "单面柜"],
    ["123456789", "算出来的"],
    ["1e+21", "true"],
  ]);
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  expect(rows[2]?.cells).toMatchObject([
    { kind: "number", isMerged: true },
    { kind: "formula", isMerged: false },
  ]);
  expect(rows[3]?.cells[1]).toMatchObject({ kind: "other" });
});

it("reads its own template: text columns keep leading zeros, models are a choice list", async () => {
  const columns = [
    { header: "设备编号（必填）", isText: true },
    { header: "型号（必填）", choices: ["单面柜 24 格", "双面柜 24 格"] },
  ];
  const bytes = await writeWorkbook(columns, []);
  expect(texts(await readWorkbook(bytes))).toEqual([["设备编号（必填）", "型号（必填）"]]);
});

it("reads the first visible sheet that is not empty", async () => {
  const bytes = await writeXlsx({
    sheets: [
      { name: "藏", rows: [["x"]], hidden: true },
      { name: "空", rows: [] },
      { name: "单", rows: [["编号"]] },
    ],
  });
  expect(texts(await readWorkbook(new Uint8Array(bytes)))).toEqual([["编号"]]);
});

test.each([
  ["UTF-8", encode("编号,型号\n00123456,单面柜\n")],
  ["UTF-8 with a mark", encode("\uFEFF编号,型号\r\n00123456,单面柜\r\n")],
  ["tabs", encode("编号\t型号\n00123456\t单面柜\n")],
  [
    "GBK",
    new Uint8Array([
      0xb1, 0xe0, 0xba, 0xc5, 0x2c, 0xd0, 0xcd, 0xba, 0xc5, 0x0a, 0x30, 0x30, 0x31, 0x32, 0x33,
      0x34, 0x35, 0x36, 0x2c, 0xb5, 0xa5, 0xc3, 0xe6, 0xb9, 0xf1, 0x0a,
    ]),
  ],
])("reads a .csv in %s", async (_what, bytes) => {
  expect(texts(await readWorkbook(bytes))).toEqual([
    ["编号", "型号"],
    ["00123456", "单面柜"],
  ]);
});

test.each([
  ["nothing", new Uint8Array(), "文件是空的"],
  ["an old workbook", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), "另存为 .xlsx"],
  ["half a file", encode("PK\x03\x04 half"), "已损坏"],
  ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), "只支持 .xlsx 和 .csv"],
])("explains what is wrong with %s", async (_what, bytes, why) => {
  await expect(readWorkbook(bytes)).rejects.toThrow(why);
});
