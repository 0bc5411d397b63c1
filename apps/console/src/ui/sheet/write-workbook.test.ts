// Exported workbook (specification §9), read back.
import { readXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { WorkbookWriter, writeWorkbook } from "./write-workbook.ts";

async function writeAndRead(rows: (string | number | null)[][]) {
  const bytes = await writeWorkbook(
    [{ header: "名称" }, { header: "金额（元）", width: 12 }],
    rows,
  );
  const workbook = await readXlsx(bytes, { readStyles: true });
  return { workbook, sheet: workbook.sheets[0]! };
}

describe("specification §9: exported workbook", () => {
  it("has one sheet named Sheet1 with the header and the rows", async () => {
    const { workbook, sheet } = await writeAndRead([["东门一号柜", 12.5]]);
    expect(workbook.sheets).toHaveLength(1);
    expect(sheet.name).toBe("Sheet1");
    expect(sheet.rows).toEqual([
      ["名称", "金额（元）"],
      ["东门一号柜", 12.5],
    ]);
  });

  it("has columns of 20 characters by default and a header row of 25 px", async () => {
    const { sheet } = await writeAndRead([]);
    expect(sheet.columns?.map((column) => column.width)).toEqual([20, 12]);
    expect(sheet.rowDefs?.get(0)?.height).toBe(18.75);
  });

  it("has a bold, 12 pt, centred header with thin borders on light blue", async () => {
    const { sheet } = await writeAndRead([["甲", 1]]);
    for (const cell of ["0,0", "0,1"]) {
      const style = sheet.cells?.get(cell)?.style;
      expect(style?.font).toMatchObject({ bold: true, size: 12 });
      expect(style?.alignment).toMatchObject({ horizontal: "center", vertical: "center" });
      for (const side of ["top", "right", "bottom", "left"] as const) {
        expect(style?.border?.[side]?.style).toBe("thin");
      }
      expect(style?.fill).toMatchObject({
        type: "pattern",
        pattern: "solid",
        fgColor: { rgb: expect.stringMatching(/DDEBF7$/) },
      });
    }
    expect(sheet.cells?.get("1,0")?.style?.font?.bold ?? false).toBe(false);
  });
});

it("days are dates, money has two decimals, and a row of sums ends the table", async () => {
  const writer = new WorkbookWriter([
    { header: "日期", format: "date" },
    { header: "金额（元）", format: "money" },
    { header: "笔数" },
    { header: "时间", format: "time" },
  ]);
  writer.addRows([
    ["2026-10-01", -3.5, 1, "2026-10-01 08:30:05"],
    ["无", null, 2, "从未登录"],
  ]);
  writer.addSums(["合计", -3.5, 3]);
  const bytes = new Uint8Array(await new Blob(writer.finish()).arrayBuffer());
  const [sheet] = (await readXlsx(bytes, { readStyles: true })).sheets;
  expect(sheet?.rows.slice(1)).toEqual([
    [new Date("2026-10-01T00:00:00.000Z"), -3.5, 1, new Date("2026-10-01T08:30:05.000Z")],
    ["无", null, 2, "从未登录"],
    ["合计", -3.5, 3, null],
  ]);
  const styleOf = (cell: string) => sheet?.cells?.get(cell)?.style;
  expect(styleOf("1,0")?.numFmt).toBe("yyyy\\-mm\\-dd");
  expect(styleOf("1,3")?.numFmt).toBe("yyyy\\-mm\\-dd\\ hh:mm:ss");
  expect(sheet?.autoFilter?.range).toBe("A1:D3");
  expect([styleOf("1,1")?.numFmt, styleOf("3,1")?.numFmt]).toEqual(["#,##0.00", "#,##0.00"]);
  expect([styleOf("3,0")?.font?.bold, styleOf("3,1")?.font?.bold]).toEqual([true, true]);
});

it("a time that no spreadsheet counts stays as it is", async () => {
  const times = ["2026-13-45 99:00:00", "1899-12-31 08:00:00"];
  const columns = [{ header: "时间", format: "time" as const }];
  const bytes = await writeWorkbook(
    columns,
    times.map((time) => [time]),
  );
  const [sheet] = (await readXlsx(bytes)).sheets;
  expect(sheet?.rows.slice(1)).toEqual(times.map((time) => [time]));
});

describe("promise I4: content of the file", () => {
  it("cuts a text that Excel would take the whole file for broken by", async () => {
    const { sheet } = await writeAndRead([[`${"长".repeat(32_765)}😀尾`, null]]);
    expect(sheet.rows[1]?.[0]).toBe(`${"长".repeat(32_765)}…`);
  });

  it("keeps formula-like content and numbers in texts as text, and a negative amount as a number", async () => {
    const { sheet } = await writeAndRead([
      ["=1+1", -3.5],
      ["@cmd", "-001"],
      ["\t=1", null],
    ]);
    expect(sheet.rows.slice(1)).toEqual([
      ["=1+1", -3.5],
      ["@cmd", "-001"],
      ["\t=1", null],
    ]);
    for (const cell of ["1,0", "2,0", "3,0", "2,1"]) {
      expect(sheet.cells?.get(cell)?.formula).toBeUndefined();
      expect(sheet.cells?.get(cell)?.style?.numFmt).toBe("@");
    }
  });

  it("keeps tabs, line breaks, and text that looks like an escape sequence", async () => {
    const texts = ["一行\n二行", "  两侧空格  ", '引"号', "\r=1"];
    const { sheet } = await writeAndRead(texts.map((text) => [text, null]));
    expect(sheet.rows.slice(1).map(([text]) => text)).toEqual(texts);
  });

  it("keeps any number of columns, and rows in the order of the calls", async () => {
    const columns = Array.from({ length: 60 }, (_, index) => ({ header: `列${index}` }));
    const writer = new WorkbookWriter(columns);
    for (let from = 0; from < 2_500; from += 250) {
      writer.addRows(
        Array.from({ length: 250 }, (_, row) =>
          columns.map((_, column) => (from + row) * 60 + column),
        ),
      );
    }
    const bytes = new Uint8Array(await new Blob(writer.finish()).arrayBuffer());
    const [sheet] = (await readXlsx(bytes)).sheets;
    expect(sheet?.rows).toHaveLength(2_501);
    expect(sheet?.rows[0]?.[59]).toBe("列59");
    expect(sheet?.rows.slice(1).flat()).toEqual(Array.from({ length: 150_000 }, (_, n) => n));
  });

  it("survives characters that XML forbids", async () => {
    const { sheet } = await writeAndRead([["a\u0000b\u0008<&>\uFFFE😀", 1]]);
    expect(String(sheet.rows[1]?.[0])).toContain("<&>");
    expect(String(sheet.rows[1]?.[0])).toContain("😀");
  });
});
