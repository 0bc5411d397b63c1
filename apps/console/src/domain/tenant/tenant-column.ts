// Tenant column, shown to platform staff next to the first column.
import type { Column } from "../../ui/list/columns.ts";

export function tenantColumn<Row extends { tenantName: string }>(width = 116): Column<Row> {
  return { key: "tenant", title: "租户", width, value: (row) => row.tenantName };
}
