// Rows read from a spreadsheet of any format: cell texts and the kind of each cell.

/** `number`: its typed form is lost; `other`: date, boolean or error. */
export type CellKind = "text" | "number" | "formula" | "other";

export interface SheetCell {
  text: string;
  kind: CellKind;
  /** Part of a merged cell. */
  isMerged: boolean;
}

export interface SheetRow {
  /** Row number in the spreadsheet, 1-based. */
  line: number;
  cells: readonly SheetCell[];
}

export const MAX_SHEET_BYTES = 5 * 1024 * 1024;
