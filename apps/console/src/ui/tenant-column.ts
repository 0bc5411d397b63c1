// Whose a row is: the column that platform staff see beside the first one.
import type { Column } from "./columns.ts";

export function tenantColumn<Row extends { tenantName: string }>(width = 116): Column<Row> {
  return { key: "tenant", title: "租户", width, value: (row) => row.tenantName };
}
