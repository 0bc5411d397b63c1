// Pure rules of a layout: valid positions of compartments, and the diff of two layouts.
import type { Size } from "../../vocabulary/hardware.rules.ts";

export interface LayoutCell {
  no: number;
  size: Size;
  /** Column from the left and row from the top, seen from the front, from 1. */
  column: number;
  row: number;
  /** Rows that a tall door covers. */
  rowSpan: number;
  /** Lock board and channel, such as `01-05`. */
  boardAddress: string;
}

export interface Layout {
  columns: number;
  rows: number;
  /** Places without a cell hold screen and controller. */
  cells: LayoutCell[];
}

/** Most compartments that a birth can report (protocol §1). */
export const MAX_COMPARTMENTS = 200;
export const MAX_COLUMNS = 30;
export const MAX_ROWS = 30;
export const MAX_NO = 999;
export const BOARD_ADDRESS_PATTERN = "^[0-9A-Za-z][0-9A-Za-z.:_-]{0,19}$";
const boardAddress = new RegExp(BOARD_ADDRESS_PATTERN);

export interface LayoutProblem {
  kind: "EMPTY" | "TOO_MANY" | "NO" | "SAME_NO" | "ADDRESS" | "SAME_ADDRESS" | "PLACE" | "OVERLAP";
  /** Index of the affected cell; null for a problem of the whole layout. */
  index: number | null;
  text: string;
}

/** All problems of a layout, in Chinese; empty when it may be saved. */
export function layoutProblems({ columns, rows, cells }: Layout): LayoutProblem[] {
  const problems: LayoutProblem[] = [];
  if (cells.length === 0) {
    problems.push({ kind: "EMPTY", index: null, text: "布局暂无格口，请至少添加一个" });
  }
  if (cells.length > MAX_COMPARTMENTS) {
    const text = `一台设备最多 ${MAX_COMPARTMENTS} 个格口，现有 ${cells.length} 个`;
    problems.push({ kind: "TOO_MANY", index: null, text });
  }
  const byNo = Map.groupBy(cells, (cell) => cell.no);
  const byAddress = Map.groupBy(cells, (cell) => cell.boardAddress.toLowerCase());
  const atPlace = Map.groupBy(
    cells.flatMap((cell) => placesOf(cell, rows).map((place) => ({ cell, place }))),
    ({ place }) => place,
  );
  for (const [index, cell] of cells.entries()) {
    const add = (kind: LayoutProblem["kind"], text: string) =>
      problems.push({ kind, index, text: `${cell.no} 号格口：${text}` });
    if (!Number.isInteger(cell.no) || cell.no < 1 || cell.no > MAX_NO) {
      add("NO", `格口号须为 1–${MAX_NO} 的整数`);
    } else if (has(byNo.get(cell.no), 2)) {
      add("SAME_NO", "格口号重复，请改用其他号码");
    }
    if (!boardAddress.test(cell.boardAddress)) {
      add("ADDRESS", "请填写驱动板地址，如 01-05（字母、数字和 - . : _，最多 20 位）");
    } else if (has(byAddress.get(cell.boardAddress.toLowerCase()), 2)) {
      add("SAME_ADDRESS", `驱动板地址 ${cell.boardAddress} 重复，一路锁只能接一个格口`);
    }
    if (isOutside(cell, columns, rows)) {
      add("PLACE", `超出柜体（${columns} 列 × ${rows} 行）`);
      continue;
    }
    const other = placesOf(cell, rows)
      .flatMap((place) => atPlace.get(place) ?? [])
      .find((found) => found.cell !== cell);
    if (other) add("OVERLAP", `与 ${other.cell.no} 号格口重叠`);
  }
  return problems;
}

function has(list: readonly unknown[] | undefined, count: number): boolean {
  return (list?.length ?? 0) >= count;
}

function isOutside({ column, row, rowSpan }: LayoutCell, columns: number, rows: number): boolean {
  const isWhole = [column, row, rowSpan].every((number) => Number.isInteger(number) && number >= 1);
  return !isWhole || column > columns || row + rowSpan - 1 > rows;
}

/** Places in the grid that a cell covers, as `column:row`. */
function placesOf({ column, row, rowSpan }: LayoutCell, rows: number): string[] {
  const first = Math.max(1, row);
  const last = Math.min(rows, row + rowSpan - 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => `${column}:${first + n}`);
}

export interface LayoutChange {
  added: number[];
  /** Compartments with another size, place or board address under the same number. */
  changed: number[];
  removed: number[];
}

/** Differences of two layouts by compartment number. */
export function changeOf(
  before: readonly LayoutCell[],
  after: readonly LayoutCell[],
): LayoutChange {
  const old = new Map(before.map((cell) => [cell.no, cell]));
  const kept = new Set(after.map((cell) => cell.no));
  const ascending = (nos: number[]) => nos.sort((a, b) => a - b);
  return {
    added: ascending(after.filter((cell) => !old.has(cell.no)).map((cell) => cell.no)),
    changed: ascending(
      after
        .filter((cell) => {
          const was = old.get(cell.no);
          return was !== undefined && !isSameCell(was, cell);
        })
        .map((cell) => cell.no),
    ),
    removed: ascending(before.filter((cell) => !kept.has(cell.no)).map((cell) => cell.no)),
  };
}

function isSameCell(one: LayoutCell, other: LayoutCell): boolean {
  return (
    one.size === other.size &&
    one.column === other.column &&
    one.row === other.row &&
    one.rowSpan === other.rowSpan &&
    one.boardAddress === other.boardAddress
  );
}

export function isEmptyChange({ added, changed, removed }: LayoutChange): boolean {
  return added.length + changed.length + removed.length === 0;
}

/** Formats numbers as runs: `1–4、7、9–10`. */
export function listNos(nos: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const no of nos) {
    const run = runs.at(-1);
    if (run && run[1] === no - 1) run[1] = no;
    else runs.push([no, no]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join("、");
}
