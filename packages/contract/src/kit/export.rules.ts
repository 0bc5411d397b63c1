// Pure rules of the export to a spreadsheet (specification §2, §4, §7, §9; promise I4).
import type { EndpointSpec } from "./endpoint.ts";

export const EXPORT_PAGE_SIZE = 49;
/** Rows that the server keeps together; pages of 49 never lie in two of them. */
export const EXPORT_CHUNK_ROWS = 20 * EXPORT_PAGE_SIZE;
/** What a browser can make a workbook of; more is exported in parts. */
export const EXPORT_MAX_ROWS = 200_000;
export const EXPORT_FILENAME = "报表";
export const EXPORT_SHEET = "Sheet1";
/** In characters. */
export const EXPORT_COLUMN_WIDTH = 20;
export const EXPORT_HEADER_HEIGHT_PX = 25;
export const EXPORT_PAUSE_MS = 300;

/** Lists of more than 20 pages are fetched by larger ones. */
export function exportPageSize(total: number): number {
  return total > EXPORT_CHUNK_ROWS ? EXPORT_CHUNK_ROWS : EXPORT_PAGE_SIZE;
}

/** A list that an account of the console may ask for, and nothing but its query says which rows. */
export function isExportable(spec: EndpointSpec): boolean {
  const isOfAccounts =
    spec.access === "signed-in" || spec.access === "platform" || spec.access.includes(":");
  const { list, total } = (spec.reply as { properties?: Record<string, unknown> }).properties ?? {};
  const isPage = list !== undefined && total !== undefined && spec.query?.properties.pageSize;
  return isOfAccounts && spec.method === "GET" && !spec.params && Boolean(isPage);
}

/** How many calls fetch so many rows; 0 for none. */
export function exportMaxPage(total: number, pageSize: number): number {
  return Math.ceil(total / pageSize);
}

/** floor(page / maxPage × 100); nothing to fetch is all of it. */
export function exportPercent(page: number, maxPage: number): number {
  return maxPage <= 0 ? 100 : Math.min(100, Math.floor((page / maxPage) * 100));
}

/** Code 0 carries the list in data.data, data.list, or data itself; null when there is none. */
export function listOfReply(data: unknown): unknown[] | null {
  if (Array.isArray(data)) return data;
  if (typeof data !== "object" || data === null) return null;
  if ("data" in data && Array.isArray(data.data)) return data.data;
  if ("list" in data && Array.isArray(data.list)) return data.list;
  return null;
}

/** Columns with empty headers are removed. */
export function namedColumns<Column extends { header: string }>(columns: readonly Column[]) {
  return columns.filter((column) => column.header.trim() !== "");
}

/** `报表.xlsx` unless named; characters that a file system refuses become `_`. */
export function exportFilename(name: string = EXPORT_FILENAME): string {
  const safe = name
    .trim()
    .replace(/\.xlsx$/i, "")
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, "_");
  return `${safe || EXPORT_FILENAME}.xlsx`;
}

export type CellInput = string | number | null | undefined;
/** `isText`: a spreadsheet must never read it as a formula, not even after an edit. */
export interface SheetCell {
  value: string | number | null;
  isText: boolean;
}

/** I4: text that could start a formula stays text; a negative amount stays a number. */
export function sheetCell(input: CellInput): SheetCell {
  if (input === null || input === undefined || input === "") return { value: null, isText: false };
  if (typeof input === "number") {
    return Number.isFinite(input)
      ? { value: input, isText: false }
      : { value: String(input), isText: false };
  }
  if (/^-\d{1,13}(?:\.\d{1,2})?$/.test(input)) return { value: Number(input), isText: false };
  return { value: input, isText: /^[=+\-@\t\r]/.test(input) };
}
