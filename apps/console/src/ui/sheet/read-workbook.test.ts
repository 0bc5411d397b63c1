// Reading spreadsheets: the file's own template, and rows without content; tests/input has files of other programs.
import { strToU8, zipSync } from "fflate";
import { writeXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { readWorkbook } from "./read-workbook.ts";
import { MAX_SHEET_ROWS, type ReadFile } from "./sheet-rows.rules.ts";
import { writeWorkbook } from "./write-workbook.ts";

const texts = ({ sheets }: ReadFile) =>
  sheets.map(({ rows }) => rows.map(({ cells }) => cells.map(({ text }) => text)));

it("reads its own template: text columns keep leading zeros, models are a choice list", async () => {
  const columns = [
    { header: "设备编号（必填）", isText: true },
    { header: "型号（必填）", choices: ["单面柜 24 格", "双面柜 24 格"] },
  ];
  const bytes = await writeWorkbook(columns, [["00123456", "单面柜 24 格"]]);
  expect(texts(await readWorkbook(bytes))).toEqual([
    [
      ["设备编号（必填）", "型号（必填）"],
      ["00123456", "单面柜 24 格"],
    ],
  ]);
});

it("reads rich text as one text", async () => {
  const cells = new Map([["0,0", { richText: [{ text: "单面" }, { text: "柜" }] }]]);
  const bytes = await writeXlsx({ sheets: [{ name: "清单", rows: [["x"]], cells }] });
  expect(texts(await readWorkbook(new Uint8Array(bytes)))).toEqual([[["单面柜"]]]);
});

/** A workbook with these rows as XML. */
function workbookOf(rows: string): Uint8Array {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relations = (kind: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/${kind}" Target="${target}"/></Relationships>`;
  const parts = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations("worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  };
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(files), { level: 0 });
}

it("a million formatted rows without content leave nothing behind but their number", async () => {
  const LAST = 1_048_576;
  const cell = (place: string) => `<c r="${place}"><v>1</v></c>`;
  const rows = Array.from({ length: LAST }, (_, index) => {
    const line = index + 1;
    const isFilled = line === 1 || line === LAST;
    return `<row r="${line}">${isFilled ? cell(`B${line}`) : `<c r="B${line}" s="1"/>`}</row>`;
  });
  const { sheets } = await readWorkbook(workbookOf(rows.join("")));
  expect(sheets[0]?.rows.map(({ line, cells }) => [line, cells.map(({ text }) => text)])).toEqual([
    [1, ["", "1"]],
    [LAST, ["", "1"]],
  ]);
});

it(`reads ${MAX_SHEET_ROWS} rows with content at most`, async () => {
  const rows = Array.from(
    { length: MAX_SHEET_ROWS + 10 },
    (_, index) => `<row r="${index + 1}"><c r="A${index + 1}"><v>1</v></c></row>`,
  );
  const { sheets } = await readWorkbook(workbookOf(rows.join("")));
  expect(sheets[0]?.rows).toHaveLength(MAX_SHEET_ROWS);
  const csv = await readWorkbook(strToU8("a,b\n".repeat(MAX_SHEET_ROWS + 10)));
  expect(csv.sheets[0]?.rows).toHaveLength(MAX_SHEET_ROWS);
});
