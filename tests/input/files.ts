// Makes small workbooks and text files as spreadsheet programs write them, cell by cell.
import { strToU8, zipSync } from "fflate";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/** Cell of a sheet; a text alone is an inline string. */
export type CellOf =
  | string
  | null
  | { v: string | number; t?: "b" | "e" | "s" | "str"; f?: string; format?: string | number }
  /** A formula without a cached result. */
  | { f: string }
  /** Formatted, without content. */
  | { blank: true };

export interface RowOf {
  line: number;
  cells: readonly CellOf[];
  isHidden?: boolean;
}

export interface SheetOf {
  name?: string;
  state?: "hidden" | "veryHidden";
  /** Rows from 1 on, or rows with their lines. */
  rows: readonly (readonly CellOf[] | RowOf)[];
  merges?: readonly string[];
  hiddenColumns?: readonly number[];
  filter?: string;
  /** Written behind the rows as it is. */
  tail?: string;
}

export interface BookOf {
  sheets: readonly SheetOf[];
  shared?: readonly string[];
  /** Namespace prefix of all elements, as some libraries write it. */
  prefix?: string;
  /** Rows and cells without their places, as some libraries write them. */
  isBare?: boolean;
  is1904?: boolean;
}

/** Number of seconds of a day. */
const DAY_MS = 86_400_000;

/** Excel's number of a day. */
export const dayNumber = (day: string) => Date.parse(day) / DAY_MS + 25_569;

const xml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const letter = (column: number) => String.fromCharCode(65 + column);

export function workbook({ sheets, shared = [], prefix = "", isBare, is1904 }: BookOf): Uint8Array {
  const p = prefix && `${prefix}:`;
  const space = `xmlns${prefix && `:${prefix}`}="${MAIN}"`;
  const formats: (string | number)[] = [];
  const styleOf = (format: string | number) => {
    if (!formats.includes(format)) formats.push(format);
    return formats.indexOf(format) + 1;
  };
  const cellXml = (cell: CellOf, place: string): string => {
    const r = isBare ? "" : ` r="${place}"`;
    if (cell === null) return isBare ? `<${p}c/>` : "";
    if (typeof cell === "string") {
      return `<${p}c${r} t="inlineStr"><${p}is><${p}t xml:space="preserve">${xml(cell)}</${p}t></${p}is></${p}c>`;
    }
    if ("blank" in cell) return `<${p}c${r} s="1"/>`;
    const f = cell.f === undefined ? "" : `<${p}f>${xml(cell.f)}</${p}f>`;
    if (!("v" in cell)) return `<${p}c${r}>${f}</${p}c>`;
    const s = cell.format === undefined ? "" : ` s="${styleOf(cell.format)}"`;
    const t = cell.t ? ` t="${cell.t}"` : "";
    return `<${p}c${r}${s}${t}>${f}<${p}v>${xml(String(cell.v))}</${p}v></${p}c>`;
  };
  const sheetXml = (sheet: SheetOf): string => {
    const rows = sheet.rows.map((row, index) => {
      const {
        line,
        cells,
        isHidden = false,
      } = "cells" in row ? row : { line: index + 1, cells: row };
      const r = isBare ? "" : ` r="${line}"`;
      const body = cells.map((cell, column) => cellXml(cell, `${letter(column)}${line}`)).join("");
      return `<${p}row${r}${isHidden ? ' hidden="1"' : ""}>${body}</${p}row>`;
    });
    const hidden = (sheet.hiddenColumns ?? [])
      .map((column) => `<${p}col min="${column + 1}" max="${column + 1}" width="9" hidden="1"/>`)
      .join("");
    const merges = (sheet.merges ?? []).map((ref) => `<${p}mergeCell ref="${ref}"/>`).join("");
    return [
      `<${p}worksheet ${space}>`,
      hidden && `<${p}cols>${hidden}</${p}cols>`,
      `<${p}sheetData>${rows.join("")}${sheet.tail ?? ""}</${p}sheetData>`,
      sheet.filter && `<${p}autoFilter ref="${sheet.filter}"/>`,
      merges && `<${p}mergeCells>${merges}</${p}mergeCells>`,
      `</${p}worksheet>`,
    ].join("");
  };
  const sheetFiles = sheets.map((sheet, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    sheetXml(sheet),
  ]);
  const own = formats.filter((format) => typeof format === "string");
  const idOf = (format: string | number) =>
    typeof format === "number" ? format : 164 + own.indexOf(format);
  const numFmts = own
    .map((format) => `<${p}numFmt numFmtId="${idOf(format)}" formatCode="${xml(format)}"/>`)
    .join("");
  const xfs = [0, ...formats.map(idOf)].map(
    (id) => `<${p}xf numFmtId="${id}" applyNumberFormat="1"/>`,
  );
  const tags = sheets.map(({ name = `表${sheets.length}`, state }, index) => {
    const hidden = state ? ` state="${state}"` : "";
    return `<${p}sheet name="${xml(name)}" sheetId="${index + 1}"${hidden} r:id="rId${index + 1}"/>`;
  });
  const relations = [
    ...sheets.map((_, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`]),
    ["styles", "styles.xml"],
    ["sharedStrings", "sharedStrings.xml"],
  ].map(
    ([kind, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  );
  const strings = shared.map(
    (text) => `<${p}si><${p}t xml:space="preserve">${xml(text)}</${p}t></${p}si>`,
  );
  return archive({
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<${p}workbook ${space} xmlns:r="${OFFICE}">${is1904 ? `<${p}workbookPr date1904="1"/>` : ""}<${p}sheets>${tags.join("")}</${p}sheets></${p}workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${relations.join("")}</Relationships>`,
    "xl/styles.xml": `<${p}styleSheet ${space}>${numFmts && `<${p}numFmts>${numFmts}</${p}numFmts>`}<${p}cellXfs>${xfs.join("")}</${p}cellXfs></${p}styleSheet>`,
    "xl/sharedStrings.xml": `<${p}sst ${space}>${strings.join("")}</${p}sst>`,
    ...Object.fromEntries(sheetFiles),
  });
}

/** Archive with these parts alone, as other programs write. */
export const archive = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])), {
    level: 0,
  });

export const utf8 = (text: string) => new TextEncoder().encode(text);

export function utf16(text: string, isBig: boolean, hasMark: boolean): Uint8Array {
  const whole = hasMark ? `\ufeff${text}` : text;
  const bytes = new Uint8Array(whole.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < whole.length; at++) view.setUint16(at * 2, whole.charCodeAt(at), !isBig);
  return bytes;
}

/** GB18030 bytes of the few characters that the corpus has, found by asking the decoder. */
export function gb18030(text: string): Uint8Array {
  const decoder = new TextDecoder("gb18030");
  if (gbBytes.size === 0) {
    for (let high = 0x81; high <= 0xfe; high++) {
      for (let low = 0x40; low <= 0xfe; low++) {
        if (low !== 0x7f) gbBytes.set(decoder.decode(new Uint8Array([high, low])), [high, low]);
      }
    }
  }
  return new Uint8Array(
    [...text].flatMap((each) => {
      const code = each.codePointAt(0) ?? 0;
      return code < 0x80 ? [code] : (gbBytes.get(each) ?? [0x3f]);
    }),
  );
}
const gbBytes = new Map<string, number[]>();

export function bytesOf(...parts: (string | readonly number[])[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...utf8(part)] : [...part])),
  );
}
