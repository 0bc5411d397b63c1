// Words of an import: its modes, and the results of lines.

/** `ALL_OR_NONE`: one bad line refuses all; `VALID_ONLY`: bad lines stay behind. */
export const IMPORT_MODES = ["ALL_OR_NONE", "VALID_ONLY"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export const LINE_RESULTS = ["IMPORTED", "READY", "INVALID", "DUPLICATE", "EXISTS"] as const;
export type LineResult = (typeof LINE_RESULTS)[number];

export const lineText: Record<LineResult, string> = {
  IMPORTED: "已导入",
  READY: "无误",
  INVALID: "有误",
  DUPLICATE: "重复",
  EXISTS: "已存在",
};

export interface LineVerdict {
  /** Row number in the file. */
  line: number;
  result: LineResult;
  message: string;
}

/** Cells of a line as texts, named as the fields that they become. */
export type ImportCells = Readonly<Record<string, string>>;

export interface DraftVerdict<Draft> extends LineVerdict {
  draft: Draft;
}
