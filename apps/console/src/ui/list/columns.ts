// Column definition of a list: display, export and server-side sort key.
import type { CellInput } from "@cabinet/contract/kit/export.rules.ts";
import type { ReactNode } from "react";

/** Fields of a row that a cell can show as they are. */
type FieldKeyOf<Row> = {
  [Key in keyof Row & string]: Row[Key] extends CellInput ? Key : never;
}[keyof Row & string];

/** `value` is exported, and displayed unless `render` is given; default: the field `key`. */
export type Column<Row, SortBy extends string = never> = ColumnOptions<Row, SortBy> &
  (
    | { key: FieldKeyOf<Row>; value?: (row: Row) => CellInput }
    | { key: string; value: (row: Row) => CellInput }
  );

interface ColumnOptions<Row, SortBy extends string> {
  title: string;
  render?: (row: Row) => ReactNode;
  /** In pixels; the table scrolls sideways when the sum does not fit. */
  width: number;
  /** Does not shrink or grow with the table: its texts are all of one length. */
  keepsWidth?: true;
  /** Shown to platform staff only. */
  isOfPlatform?: true;
  /** Omitted from the phone card; the drawer shows it. */
  isSecondary?: true;
  /** Phone card without a label: a `mark` sits beside others, a `line` takes a line of its own. */
  onCard?: "mark" | "line";
  /** For numbers that differ at their end: the column does not shrink, and a number that is too long loses its middle. */
  keepsEnd?: true;
  /** For numbers. */
  align?: "right";
  /** Value of the request's `sort` parameter for this column. */
  sort?: SortBy;
  /** Width in the workbook in characters; default 20. */
  exportWidth?: number;
  /** As in the workbook's column. */
  exportFormat?: "date" | "time";
  /** Workbook columns that replace this one. */
  exports?: readonly ExportColumn<Row>[];
}

export interface ExportColumn<Row> {
  /** A column with an empty header is omitted. */
  header: string;
  /** In characters; default 20. */
  width?: number | undefined;
  /** As in the workbook's column. */
  format?: "date" | "money" | "time" | undefined;
  value: (row: Row) => CellInput;
}

export function exportColumns<Row>(columns: readonly Column<Row, string>[]): ExportColumn<Row>[] {
  return columns.flatMap(
    (column) =>
      column.exports ?? [
        {
          header: column.title,
          width: column.exportWidth,
          format: column.exportFormat,
          value: (row: Row) => cellValue(column, row),
        },
      ],
  );
}

export function cellValue<Row>({ key, value }: Column<Row, string>, row: Row): CellInput {
  return value ? value(row) : (row[key as keyof Row] as CellInput);
}

export interface ColumnChoice {
  hidden: readonly string[];
  order: readonly string[];
}

/** Width that a user has given a column, in pixels. */
export interface ColumnWidth {
  key: string;
  width: number;
}

/** `widths` with one column's width; null: its default. */
export function withWidth(
  widths: readonly ColumnWidth[],
  key: string,
  width: number | null,
): ColumnWidth[] {
  const others = widths.filter((each) => each.key !== key);
  if (width === null) return others;
  const { min, max } = WIDTH_LIMITS;
  return [...others, { key, width: Math.round(Math.min(max, Math.max(min, width))) }];
}

const WIDTH_LIMITS = { min: 56, max: 800 };

/** Smallest factor by which columns shrink before the last one overflows the visible width. */
const TIGHTEST = 0.95;

/**
 * Column widths for a table with `room` pixels. If not all fit, as many whole columns as possible
 * fill the visible width, so that none is cut off; the others overflow. Fixed columns keep their width: the others
 * take what is left. Other columns shrink in place of those that `isLeast` names.
 */
export function fitWidths(
  widths: readonly number[],
  room: number,
  isFixed: (index: number) => boolean = () => false,
  isLeast: (index: number) => boolean = () => false,
): number[] {
  const fitted = fitAll(widths, room, isFixed);
  const isCut = (width: number, index: number) => isLeast(index) && width < (widths[index] ?? 0);
  if (!fitted.some(isCut)) return fitted;
  return fitAll(widths, room, (index) => isFixed(index) || isLeast(index));
}

function fitAll(
  widths: readonly number[],
  room: number,
  isFixed: (index: number) => boolean,
): number[] {
  let [count, sum, fixed] = [0, 0, 0];
  for (const width of widths) {
    const rigid = fixed + (isFixed(count) ? width : 0);
    if (rigid + (sum + width - rigid) * TIGHTEST > room) break;
    sum += width;
    fixed = rigid;
    count++;
  }
  const fits = count === widths.length && sum <= room && fixed === 0;
  const factor = (room - fixed) / (sum - fixed);
  if (count === 0 || fits || sum === fixed || factor < TIGHTEST) return [...widths];
  return widths.map((width, index) =>
    index < count && !isFixed(index) ? Math.floor(width * factor) : width,
  );
}

/** All columns in the user's order; columns that it does not name follow in their default order. */
export function orderedColumns<Row>(
  columns: readonly Column<Row, string>[],
  order: readonly string[],
): Column<Row, string>[] {
  const place = (column: Column<Row, string>) => {
    const index = order.indexOf(column.key);
    return index < 0 ? order.length : index;
  };
  return columns.toSorted((one, other) => place(one) - place(other));
}

/** The first column names the row: it stays first and cannot be hidden. */
export function visibleColumns<Row>(
  columns: readonly Column<Row, string>[],
  { hidden, order }: ColumnChoice,
): Column<Row, string>[] {
  const [name, ...rest] = columns;
  if (!name) return [];
  return [name, ...orderedColumns(rest, order).filter((column) => !hidden.includes(column.key))];
}

/** Returns `keys` with one key moved by `step` positions. */
export function moveKey(keys: readonly string[], key: string, step: -1 | 1): string[] {
  const from = keys.indexOf(key);
  const to = from + step;
  if (from < 0 || to < 0 || to >= keys.length) return [...keys];
  return keys.toSpliced(from, 1).toSpliced(to, 0, key);
}
