// Reads an .xlsx or .csv file as rows of text; the only module that uses the library.
import { parseCsv } from "hucre/csv";
import { type CellValue, type MergeRange, readXlsx, type Sheet } from "hucre/xlsx";
import type { CellKind, SheetCell, SheetRow } from "./sheet-rows.rules.ts";

/** Higher than the limit of any import: the caller reports its own limit. */
const MAX_ROWS = 20_000;
const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0];
const ZIP = [0x50, 0x4b];

/** Throws an error with a Chinese message if the file cannot be read. */
export async function readWorkbook(bytes: Uint8Array): Promise<SheetRow[]> {
  if (bytes.length === 0) throw new Error("文件是空的");
  if (startsWith(bytes, OLD_EXCEL)) {
    throw new Error("这是旧版 .xls 或加密的文件，请在表格软件中另存为 .xlsx 后再导入");
  }
  return startsWith(bytes, ZIP) ? readSheet(bytes) : readText(bytes);
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

async function readSheet(bytes: Uint8Array): Promise<SheetRow[]> {
  let sheet: Sheet | undefined;
  try {
    const { sheets } = await readXlsx(bytes, {
      sheets: (info) => !info.hidden && !info.veryHidden,
      maxRows: MAX_ROWS,
    });
    sheet = sheets.find(({ rows }) => rows.length > 0);
  } catch {
    throw new Error("文件打不开：不是有效的 .xlsx 文件，或已损坏。请在表格软件中重新另存一份");
  }
  if (!sheet) throw new Error("文件里没有内容");
  const { rows, cells, merges = [] } = sheet;
  return rows.map((values, row) => ({
    line: row + 1,
    cells: values.map((value, column) =>
      cellOf(
        value,
        cells?.get(`${row},${column}`)?.type === "formula",
        isMerged(merges, row, column),
      ),
    ),
  }));
}

function isMerged(merges: readonly MergeRange[], row: number, column: number): boolean {
  return merges.some(
    ({ startRow, endRow, startCol, endCol }) =>
      row >= startRow && row <= endRow && column >= startCol && column <= endCol,
  );
}

function cellOf(value: CellValue, isFormula: boolean, isMerged: boolean): SheetCell {
  const [text, kind] = textOf(value);
  return { text, kind: isFormula ? "formula" : kind, isMerged };
}

function textOf(value: CellValue): [string, CellKind] {
  if (value === null || value === undefined) return ["", "text"];
  if (typeof value === "string") return [value, "text"];
  if (typeof value === "number") return [String(value), "number"];
  if (value instanceof Date) return [value.toISOString().slice(0, 10), "other"];
  return [String(value), "other"];
}

/** Falls back to GBK: spreadsheet programs in China write either UTF-8 or GBK. */
function readText(bytes: Uint8Array): SheetRow[] {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder("gb18030").decode(bytes);
  }
  if (text.includes("\0")) throw new Error("文件打不开：只支持 .xlsx 和 .csv 文件");
  const rows = parseCsv(text, { maxRows: MAX_ROWS });
  return rows.map((values, row) => ({
    line: row + 1,
    cells: values.map((value) => cellOf(value, false, false)),
  }));
}
