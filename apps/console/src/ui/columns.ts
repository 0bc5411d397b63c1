// What a column of a list is: how it reads, what it exports, how the server sorts by it.
import type { CellInput } from "@cabinet/contract/kit/export.rules.ts";
import type { ReactNode } from "react";

export interface Column<Row> {
  key: string;
  title: string;
  /** What the workbook gets, and the screen too unless `render` says more. */
  value: (row: Row) => CellInput;
  render?: (row: Row) => ReactNode;
  /** In pixels; the table scrolls sideways when the sum does not fit. */
  width: number;
  /** Not on the card of a phone: the drawer says it. */
  isSecondary?: true;
  /** On the card of a phone it needs no name: a `mark` stands beside others, a `line` by itself. */
  onCard?: "mark" | "line";
  /** Numbers are aligned right. */
  align?: "right";
  /** The word of the call's `sort` for this column. */
  sort?: string;
  /** In the workbook, in characters; 20 unless said. */
  exportWidth?: number;
  /** What the workbook has instead of this one column. */
  exports?: readonly ExportColumn<Row>[];
}

export interface ExportColumn<Row> {
  /** A column with an empty header is removed. */
  header: string;
  /** In characters; 20 unless said. */
  width?: number | undefined;
  value: (row: Row) => CellInput;
}

export function exportColumns<Row>(columns: readonly Column<Row>[]): ExportColumn<Row>[] {
  return columns.flatMap(
    ({ title, exportWidth, value, exports }) =>
      exports ?? [{ header: title, width: exportWidth, value }],
  );
}

export interface ColumnChoice {
  hidden: readonly string[];
  order: readonly string[];
}

/** How much narrower than they ask for columns may get before the last one goes behind the edge. */
const TIGHTEST = 0.95;

/**
 * The widths that columns get in a table that shows `room` of them at once: where not all fit, as
 * many as do fill the room, so that none is cut in the middle, and the others begin behind it.
 */
export function fitWidths(widths: readonly number[], room: number): number[] {
  let [count, sum] = [0, 0];
  for (const width of widths) {
    if ((sum + width) * TIGHTEST > room) break;
    sum += width;
    count++;
  }
  if (count === 0 || (count === widths.length && sum <= room)) return [...widths];
  return widths.map((width, index) => (index < count ? Math.floor((width * room) / sum) : width));
}

/** All columns in the user's order; those that the order does not name keep their place behind. */
export function orderedColumns<Row>(
  columns: readonly Column<Row>[],
  order: readonly string[],
): Column<Row>[] {
  const place = (column: Column<Row>) => {
    const index = order.indexOf(column.key);
    return index < 0 ? order.length : index;
  };
  return columns.toSorted((one, other) => place(one) - place(other));
}

/** The first column names the row: it stays first and cannot be hidden. */
export function visibleColumns<Row>(
  columns: readonly Column<Row>[],
  { hidden, order }: ColumnChoice,
): Column<Row>[] {
  const [name, ...rest] = columns;
  if (!name) return [];
  return [name, ...orderedColumns(rest, order).filter((column) => !hidden.includes(column.key))];
}

/** `keys` with one of them moved by `step` places. */
export function moveKey(keys: readonly string[], key: string, step: -1 | 1): string[] {
  const from = keys.indexOf(key);
  const to = from + step;
  if (from < 0 || to < 0 || to >= keys.length) return [...keys];
  return keys.toSpliced(from, 1).toSpliced(to, 0, key);
}
