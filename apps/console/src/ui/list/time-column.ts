// Column of a point in time; empty while there is none.
import { formatDateTime } from "../../kit/format.ts";
import type { Column } from "./columns.ts";

/** Fits `2026-11-21 12:30:05` in the widest fallback font; a time that lost its end is useless. A cell with a time in the workbook. */
export const timeWidth = { width: 176, keepsWidth: true, exportFormat: "time" } as const;

/** Two lines: day and time, or a relative time and the absolute one. */
export const timeLinesWidth = { ...timeWidth, width: 108 } as const;

type TimeField<Row> = {
  [Key in keyof Row & string]: Row[Key] extends string | null ? Key : never;
}[keyof Row & string];

export function timeColumn<Row, SortBy extends string = never>(
  key: TimeField<Row>,
  title: string,
  options?: Partial<Pick<Column<Row, SortBy>, "sort" | "isSecondary">>,
): Column<Row, SortBy> {
  const value = (row: Row) => {
    const time = row[key] as string | null;
    return time && formatDateTime(time);
  };
  return { key, title, ...timeWidth, value, ...options };
}
