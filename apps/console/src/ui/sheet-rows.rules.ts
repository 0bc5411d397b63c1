// What is read from a spreadsheet, whatever its format: rows of texts, and how each stood in its cell.

/** `number`: how it was typed is not known any more; `other`: a date, a truth value, an error. */
export type CellKind = "text" | "number" | "formula" | "other";

export interface SheetCell {
  text: string;
  kind: CellKind;
  /** Part of a cell that spans several. */
  isMerged: boolean;
}

export interface SheetRow {
  /** As the spreadsheet counts it, from 1. */
  line: number;
  cells: readonly SheetCell[];
}

export const MAX_SHEET_BYTES = 5 * 1024 * 1024;
