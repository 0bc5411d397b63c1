// Reads an .xlsx or .csv file as sheets of shown texts; the only module that uses the library.
import { strFromU8, strToU8, type Unzipped, unzipSync, zipSync } from "fflate";
import { formatValue } from "hucre";
import { type Cell, type CellValue, type MergeRange, readXlsx, type Sheet } from "hucre/xlsx";
import { readCsv } from "./read-csv.rules.ts";
import {
  letterOf,
  MAX_SHEET_ROWS,
  type ReadFile,
  type ReadSheet,
  type SheetCell,
  type SheetRow,
} from "./sheet-rows.rules.ts";

const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0];
const ZIP = [0x50, 0x4b];
const BROKEN = "文件打不开：不是有效的 .xlsx 文件，或已损坏。请在表格软件中重新另存一份";

/** Throws an error with a Chinese message if the file cannot be read. */
export async function readWorkbook(bytes: Uint8Array): Promise<ReadFile> {
  if (bytes.length === 0) throw new Error("文件是空的");
  if (startsWith(bytes, OLD_EXCEL)) {
    throw new Error("这是旧版 .xls 或加密的文件，请在表格软件中另存为 .xlsx 后再导入");
  }
  const file = startsWith(bytes, ZIP) ? await readSheets(bytes) : readCsv(bytes);
  if (file.sheets.every(({ rows }) => rows.length === 0)) throw new Error("文件里没有内容");
  return file;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** Files that are archives, too, and what to do with them; the part that each has. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^Index(\.zip|\/)/, "这是 Numbers 表格：请在 Numbers 中选“导出为 Excel”后再导入"],
  [/^content\.xml$/, "这是 .ods 文件：请在表格软件中另存为 .xlsx 后再导入"],
  [/^xl\/workbook\.bin$/, "这是 .xlsb 文件：请在表格软件中另存为 .xlsx 后再导入"],
];

async function readSheets(bytes: Uint8Array): Promise<ReadFile> {
  const parts = unzip(bytes);
  const names = Object.keys(parts);
  const other = OTHERS.find(([part]) => names.some((name) => part.test(name)));
  if (other) throw new Error(other[1]);
  const workbook = zipSync(compact(parts), { level: 0 });
  const { sheets } = await readXlsx(workbook, { readStyles: true }).catch((error) => {
    throw new Error(BROKEN, { cause: error });
  });
  return { sheets: sheets.map(sheetOf), encoding: null };
}

function unzip(bytes: Uint8Array): Unzipped {
  try {
    return unzipSync(bytes, { filter: ({ name }) => !name.startsWith("xl/media/") });
  } catch (error) {
    throw new Error(BROKEN, { cause: error });
  }
}

/** Number formats that Chinese programs show otherwise than the library. */
const CHINESE_FORMATS: Record<number, string> = {
  14: "yyyy/m/d",
  22: "yyyy/m/d h:mm",
  30: "m-d-yy",
  31: 'yyyy"年"m"月"d"日"',
  ...Object.fromEntries([27, 36, 50, 52, 57].map((id) => [id, 'yyyy"年"m"月"'])),
  ...Object.fromEntries([28, 29, 51, 53, 54, 58].map((id) => [id, 'm"月"d"日"'])),
};

function withChineseFormats(styles: string): string {
  const [start = "", prefix = ""] = /<(\w+:)?styleSheet\b[^>]*>/.exec(styles) ?? [];
  const formats = Object.entries(CHINESE_FORMATS).map(
    ([id, code]) =>
      `<${prefix}numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
  );
  return styles.replace(start, `${start}<${prefix}numFmts>${formats.join("")}</${prefix}numFmts>`);
}

/** The parts, each sheet without its empty rows; styles with the formats that Chinese programs have. */
function compact(parts: Unzipped): Unzipped {
  for (const [name, bytes] of Object.entries(parts)) {
    if (!name.endsWith(".xml")) continue;
    const start = strFromU8(bytes.subarray(0, 1000), true);
    const sheet = /<(\w+:)?worksheet\b/.exec(start);
    if (sheet) parts[name] = compactSheet(bytes, sheet[1] ?? "");
    if (/<(\w+:)?styleSheet\b/.test(start)) {
      parts[name] = strToU8(withChineseFormats(strFromU8(bytes)));
    }
  }
  return parts;
}

/** Bytes of a sheet that become text at a time: a blank one may be 100 MB of XML. */
const PIECE = 256 * 1024;

/**
 * Drops rows without content before the library makes cells of them: programs write a million when a whole column is
 * formatted. Rows are numbered anew; the height of a row (`ht`), which the library passes on, is its line in the file.
 */
function compactSheet(xml: Uint8Array, prefix: string): Unzipped[string] {
  const row = new RegExp(`<${prefix}row\\b([^>]*?)(?:/>|>([^]*?)</${prefix}row>)`, "g");
  const empty = `>(?:<${prefix}v/>|<${prefix}v></${prefix}v>)?</${prefix}c>`;
  const emptyCell = new RegExp(`<${prefix}c\\b[^>]*?(?:/>|${empty})`, "g");
  const cellPlace = new RegExp(`(<${prefix}c\\b[^>]*? r="[A-Z]+)\\d+"`, "g");
  const decoder = new TextDecoder();
  const kept: string[] = [];
  let rest = "";
  let line = 0;
  let rows = 0;
  const compactRow = (_: string, facts: string, cells = "") => {
    line = Number(/ r="(\d+)"/.exec(facts)?.[1] ?? line + 1);
    const filled = cells.replace(emptyCell, "").trim();
    if (filled === "" || rows === MAX_SHEET_ROWS) return "";
    rows += 1;
    const own = facts.replace(/ (?:r|ht|customHeight)="[^"]*"/g, "");
    const place = `r="${rows}" ht="${line}" customHeight="1"`;
    return `<${prefix}row ${place}${own}>${filled.replace(cellPlace, `$1${rows}"`)}</${prefix}row>`;
  };
  for (let at = 0; at < xml.length; at += PIECE) {
    const text = rest + decoder.decode(xml.subarray(at, at + PIECE), { stream: true });
    const isLast = at + PIECE >= xml.length;
    const end = isLast ? text.length : Math.max(0, text.lastIndexOf(`<${prefix}row`));
    kept.push(text.slice(0, end).replace(row, compactRow));
    rest = text.slice(end);
  }
  return strToU8(kept.join(""));
}

function sheetOf({
  name,
  rows,
  cells,
  merges = [],
  columns = [],
  rowDefs,
  ...sheet
}: Sheet): ReadSheet {
  const read = rows.flatMap((values, index): SheetRow[] => {
    const { height: line = index + 1, hidden } = rowDefs?.get(index) ?? {};
    const ofRow = merges.filter(({ startRow, endRow }) => line > startRow && line <= endRow + 1);
    const shown = values.map((value, column) =>
      cellOf(value, cells?.get(`${index},${column}`), isMerged(ofRow, column)),
    );
    if (shown.every(isBlank)) return [];
    return [{ line, cells: shown, ...(hidden && { isHidden: true }) }];
  });
  const hiddenColumns = columns.flatMap(({ hidden }, column) => {
    const isFilled = read.some(({ cells: own }) => own[column] && !isBlank(own[column]));
    return hidden && isFilled ? [letterOf(column)] : [];
  });
  const isHidden = Boolean(sheet.hidden || sheet.veryHidden);
  return { name, isHidden, rows: read, hiddenColumns };
}

const isBlank = ({ text, kind }: SheetCell) => text.trim() === "" && kind !== "error";

function isMerged(merges: readonly MergeRange[], column: number): boolean {
  return merges.some(({ startCol, endCol }) => column >= startCol && column <= endCol);
}

function cellOf(value: CellValue, detail: Cell | undefined, isPart: boolean): SheetCell {
  const part = isPart ? { isMerged: true as const } : {};
  const isFormula = detail?.formula !== undefined;
  const hasNoResult = isFormula && value === null;
  if (detail?.type === "error" || hasNoResult) {
    return { text: String(value ?? ""), kind: "error", ...part };
  }
  const { kind, ...shown } = shownOf(value, detail?.style?.numFmt ?? "General");
  return { ...shown, kind: isFormula ? "formula" : kind, ...part };
}

/** Digits that a spreadsheet keeps of a number. */
const DIGITS = 15;

function shownOf(value: CellValue, format: string): SheetCell {
  if (value === null || value === undefined) return { text: "", kind: "text" };
  if (typeof value === "boolean") return { text: value ? "TRUE" : "FALSE", kind: "boolean" };
  if (value instanceof Date) {
    const isGeneral = format === "General";
    return { text: formatValue(value, isGeneral ? "yyyy/m/d" : format), kind: "date" };
  }
  if (typeof value === "number") {
    const number = Number(value.toPrecision(DIGITS));
    // The few digits of a scientific form are for the width of the column.
    const isPlain = format === "General" || /E[+-]/i.test(format);
    return { text: isPlain ? String(number) : formatValue(number, format), kind: "number", number };
  }
  const isAsTyped = format === "@" || !format.includes("@");
  return { text: isAsTyped ? value : formatValue(value, format), kind: "text" };
}
