// Pure rules of the export to a spreadsheet (specification §2, §4, §7, §9; promise I4).
import type { EndpointSpec } from "./endpoint.ts";

export const EXPORT_PAGE_SIZE = 49;
/** Rows of one chunk on the server; a multiple of the page size, so no page spans two chunks. */
export const EXPORT_CHUNK_ROWS = 20 * EXPORT_PAGE_SIZE;
/** Most rows a browser can build a workbook from; larger lists are exported in parts. */
export const EXPORT_MAX_ROWS = 200_000;
const EXPORT_FILENAME = "报表";
export const EXPORT_SHEET = "Sheet1";
/** In characters. */
export const EXPORT_COLUMN_WIDTH = 20;
export const EXPORT_HEADER_HEIGHT_PX = 25;
export const EXPORT_PAUSE_MS = 300;

/** Page size of the fetch: lists of more than 20 pages use pages of EXPORT_CHUNK_ROWS. */
export function exportPageSize(total: number): number {
  return total > EXPORT_CHUNK_ROWS ? EXPORT_CHUNK_ROWS : EXPORT_PAGE_SIZE;
}

/** True for list calls of console accounts whose rows are selected by the query alone. */
export function isExportable(spec: EndpointSpec): boolean {
  const isOfAccounts =
    spec.access === "signed-in" || spec.access === "platform" || spec.access.includes(":");
  const { list, total } = (spec.reply as { properties?: Record<string, unknown> }).properties ?? {};
  const isPage = list !== undefined && total !== undefined && spec.query?.properties.pageSize;
  return isOfAccounts && spec.method === "GET" && !spec.params && Boolean(isPage);
}

/** Number of calls that fetch `total` rows; 0 for none. */
export function exportMaxPage(total: number, pageSize: number): number {
  return Math.ceil(total / pageSize);
}

/** Progress in percent: floor(page / maxPage × 100); 100 when there is nothing to fetch. */
export function exportPercent(page: number, maxPage: number): number {
  return maxPage <= 0 ? 100 : Math.min(100, Math.floor((page / maxPage) * 100));
}

/**
 * Returns the list of a code-0 reply: data.data, data.list or data itself; null when there is
 * none.
 */
export function listOfReply(data: unknown): unknown[] | null {
  if (Array.isArray(data)) return data;
  if (typeof data !== "object" || data === null) return null;
  if ("data" in data && Array.isArray(data.data)) return data.data;
  if ("list" in data && Array.isArray(data.list)) return data.list;
  return null;
}

/** Removes columns with empty headers. */
export function namedColumns<Column extends { header: string }>(columns: readonly Column[]) {
  return columns.filter((column) => column.header.trim() !== "");
}

/**
 * File name with `.xlsx`, by default `报表.xlsx`; characters that a file system refuses become `_`.
 */
export function exportFilename(name: string = EXPORT_FILENAME): string {
  const safe = name
    .trim()
    .replace(/\.xlsx$/i, "")
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, "_");
  return `${safe || EXPORT_FILENAME}.xlsx`;
}

export type CellInput = string | number | null | undefined;
/**
 * `isText`: the cell must be stored as text, so that no spreadsheet evaluates it, even after an
 * edit.
 */
export interface SheetCell {
  value: string | number | null;
  isText: boolean;
}

/** I4: text that could start a formula stays text, a remark like `-001` too; numbers come as numbers. */
export function sheetCell(input: CellInput): SheetCell {
  if (input === null || input === undefined || input === "") return { value: null, isText: false };
  if (typeof input === "number") {
    return Number.isFinite(input)
      ? { value: input, isText: false }
      : { value: String(input), isText: false };
  }
  return { value: input, isText: /^[=+\-@\t\r]/.test(input) };
}
