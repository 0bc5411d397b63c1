// Sheets read from a file of any format: each cell as the person sees it, and what is odd about a row.

/**
 * `formula`, `number`, `date`, `boolean`: the text is what the sheet shows, what was typed is lost. `error`: `#N/A` and its like, or a
 * formula without a result.
 */
export type CellKind = "text" | "number" | "date" | "boolean" | "formula" | "error";

export interface SheetCell {
  /** As shown: by the cell's number format. */
  text: string;
  kind: CellKind;
  /** A number before its format: `120.15507` of a cell that shows `120.16`. */
  number?: number;
  /** Part of a merged cell. */
  isMerged?: true;
}

/** A row with content; empty rows are not in the list, but their lines count. */
export interface SheetRow {
  /** Row number in the spreadsheet, 1-based; of a text file: number of the record. */
  line: number;
  cells: readonly SheetCell[];
  /** Hidden by hand or by a filter. */
  isHidden?: true;
  /** The row of a text file cannot be read as it was meant. */
  problem?: string;
  /** The row may be read otherwise than it was meant. */
  doubt?: string;
}

export interface ReadSheet {
  name: string;
  isHidden: boolean;
  /** Rows with content, `MAX_SHEET_ROWS` at most. */
  rows: readonly SheetRow[];
  /** Titles (A, B …) of hidden columns that have content. */
  hiddenColumns: readonly string[];
}

export interface ReadFile {
  sheets: readonly ReadSheet[];
  /** Encoding of a text file. */
  encoding: string | null;
}

/** A million formatted rows without content are 12 MB. */
export const MAX_SHEET_BYTES = 20 * 1024 * 1024;
/** Higher than the limit of any import: the caller reports its own limit. */
export const MAX_SHEET_ROWS = 20_000;

/** Column letters: 0 is A, 26 is AA. */
export function letterOf(index: number): string {
  const rest = String.fromCharCode(65 + (index % 26));
  return index < 26 ? rest : letterOf(Math.floor(index / 26) - 1) + rest;
}
