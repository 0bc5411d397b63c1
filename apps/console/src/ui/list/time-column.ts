// Column of a point in time; empty while there is none.
import { formatDateTime } from "../../kit/format.ts";
import type { Column } from "./columns.ts";

type TimeField<Row> = {
  [Key in keyof Row & string]: Row[Key] extends string | null ? Key : never;
}[keyof Row & string];

export function timeColumn<Row, SortBy extends string = never>(
  key: TimeField<Row>,
  title: string,
  options?: Partial<Pick<Column<Row, SortBy>, "width" | "sort" | "isSecondary">>,
): Column<Row, SortBy> {
  const value = (row: Row) => {
    const time = row[key] as string | null;
    return time && formatDateTime(time);
  };
  return { key, title, width: 164, value, ...options };
}
