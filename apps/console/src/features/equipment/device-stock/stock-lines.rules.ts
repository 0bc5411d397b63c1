// Parses spreadsheet rows into device lines: column lookup and cell formats that corrupt values.
import {
  judgeLines,
  type KnownThings,
  type LineResult,
  MAX_IMPORT_LINES,
  type StockLine,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import type { SheetCell, SheetRow } from "../../../ui/sheet/sheet-rows.rules.ts";

type Column = Exclude<keyof StockLine, "line">;

export const columnTitles: Record<Column, string> = {
  sn: "设备编号",
  model: "型号",
  batch: "批次",
  remark: "备注",
};

/** Column titles found in suppliers' lists. */
const aliases: Record<Column, readonly string[]> = {
  sn: ["设备编号", "编号", "sn", "序列号", "设备sn", "出厂编号"],
  model: ["型号", "设备类型", "设备型号", "类型"],
  batch: ["批次", "批次号", "批号"],
  remark: ["备注", "说明"],
};
const columns = Object.keys(aliases) as Column[];

/** Spreadsheets keep at most this many significant digits of a numeric cell. */
const MAX_EXACT_DIGITS = 15;

export interface PreviewLine extends StockLine {
  result: LineResult;
  /** Reason for rejection, or the point to check when `isDoubtful`. */
  message: string;
  /** Importable, but the user should check the line first. */
  isDoubtful: boolean;
}

export interface ReadLines {
  lines: (StockLine & { problem: string | null; doubt: string | null })[];
  emptyLines: number;
}

const plain = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/[\s*（(].*$/s, "")
    .toLowerCase();

/** Throws an error with a Chinese message when the file as a whole is unusable. */
export function linesOfRows(rows: readonly SheetRow[]): ReadLines {
  const header = rows.findIndex(({ cells }) => cells.some(({ text }) => text.trim() !== ""));
  if (header < 0) throw new Error("文件里没有内容");
  const titles = rows[header]?.cells.map(({ text }) => plain(text.trim())) ?? [];
  const places = Object.fromEntries(
    columns.map((name) => [name, titles.findIndex((title) => aliases[name].includes(title))]),
  ) as Record<Column, number>;
  const missing = (["sn", "model"] as const).filter((name) => places[name] < 0);
  if (missing.length > 0) {
    const names = missing.map((name) => `“${columnTitles[name]}”`).join("和");
    throw new Error(`第一行没有找到${names}列：请用模板填写，或把列名改成模板的列名`);
  }
  const body = rows.slice(header + 1);
  const filled = body.filter(({ cells }) =>
    columns.some((name) => (cells[places[name]]?.text ?? "").trim() !== ""),
  );
  if (filled.length === 0) throw new Error("只有表头，没有设备：请从第二行起每行填写一台");
  if (filled.length > MAX_IMPORT_LINES) {
    throw new Error(
      `一次最多导入 ${MAX_IMPORT_LINES} 台，文件里有 ${filled.length} 行，请拆分成多个文件`,
    );
  }
  const lines = filled.map(({ line, cells }) => {
    const cellOf = (name: Column) => cells[places[name]];
    const text = (name: Column) => cellOf(name)?.text ?? "";
    const given = {
      sn: text("sn"),
      model: text("model"),
      batch: text("batch"),
      remark: text("remark"),
    };
    return { line, ...given, problem: formProblem(cellOf), doubt: numberDoubt(cellOf("sn")) };
  });
  return { lines, emptyLines: body.length - filled.length };
}

function formProblem(cellOf: (name: Column) => SheetCell | undefined): string | null {
  for (const name of columns) {
    const cell = cellOf(name);
    const title = columnTitles[name];
    if (cell?.isMerged) return `“${title}”是合并单元格，请取消合并后逐行填写`;
    if (cell?.kind === "formula") return `“${title}”是公式，请改为填写值（复制后选择性粘贴为数值）`;
  }
  const sn = cellOf("sn");
  const isInexact = sn?.kind === "number" && !/^\d{1,15}$/.test(sn.text);
  if (isInexact) {
    return `编号是数字格式，超过 ${MAX_EXACT_DIGITS} 位的数字已失真，请把该列设为“文本”后重新填写`;
  }
  return sn?.kind === "other" ? "编号被识别成日期或其他格式，请把该列设为“文本”后重新填写" : null;
}

function numberDoubt(sn: SheetCell | undefined): string | null {
  return sn?.kind === "number" ? "编号是数字格式：如以 0 开头，前面的 0 已丢失，请核对" : null;
}

/** Checks the lines with the server's rules, except for duplicates known only to the server. */
export function previewOf(read: ReadLines, models: KnownThings<unknown>["models"]): PreviewLine[] {
  const judged = judgeLines(read.lines, { models, taken: new Map() });
  return judged.map(({ given, result, message }, index) => {
    const { problem = null, doubt = null } = read.lines[index] ?? {};
    if (problem) return { ...given, result: "INVALID", message: problem, isDoubtful: false };
    const isDoubtful = result === "READY" && doubt !== null;
    return { ...given, result, message: isDoubtful ? (doubt ?? "") : message, isDoubtful };
  });
}
