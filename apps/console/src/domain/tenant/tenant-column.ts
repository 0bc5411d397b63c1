// Tenant column of a list, shown to platform staff only.
import type { TArray, TObject } from "typebox";
import { useIsPlatform } from "../../kit/permission.ts";
import type { Column } from "../../ui/list/columns.ts";
import type { ListSpec } from "../../ui/list/use-list.ts";

export function tenantColumn<Row extends { tenantName: string }>(width = 116): Column<Row> {
  return {
    key: "tenant",
    title: "租户",
    width,
    isOfPlatform: true,
    value: (row) => row.tenantName,
  };
}

/** Columns for the user: platform staff get the tenant behind the first one if rows have it. */
export function useTenantColumn<Row>(
  spec: ListSpec,
  columns: readonly Column<Row, string>[],
  isOfOneTenant: boolean,
): readonly Column<Row, string>[] {
  if (!useIsPlatform()) return columns.filter(({ isOfPlatform }) => !isOfPlatform);
  // Safe cast: every reply of a list is a page of objects.
  const page = spec.reply as TObject<{ list: TArray<TObject> }>;
  const hasTenant = "tenantName" in page.properties.list.items.properties;
  if (!hasTenant || isOfOneTenant || columns.some(({ key }) => key === "tenant")) return columns;
  return columns.toSpliced(1, 0, tenantColumn() as unknown as Column<Row>);
}
