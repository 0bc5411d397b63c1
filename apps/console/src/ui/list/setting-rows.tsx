// Table of settings that each override a default, with a detail drawer.
import type { Key, ReactNode } from "react";
import { Button } from "../display/button.tsx";
import { ErrorState } from "../display/states.tsx";
import type { Column } from "./columns.ts";
import { DataTable } from "./data-table.tsx";
import { useListState } from "./list-state.ts";
import { RecordDrawer } from "./record-drawer.tsx";
import type { RowAction } from "./row-actions.tsx";

const ACTIONS_WIDTH = 144;

export interface SettingRowsProps<Row> {
  label: string;
  answer: { error: Error | null; refetch: () => Promise<unknown> };
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => Key;
  expectedRows: number;
  columns: readonly Column<Row, string>[];
  nameOf: (row: Row) => string;
  detail: { title: string; body: (row: Row) => ReactNode };
  /** Absent for accounts with read access only. */
  offered?: { edit: (row: Row) => void; more: (row: Row) => RowAction[] } | undefined;
}

export function SettingRows<Row>(props: SettingRowsProps<Row>) {
  const { label, answer, rows, rowKey, expectedRows, columns, nameOf, detail, offered } = props;
  const { open, close } = useListState();
  if (answer.error && !rows) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  const actions = offered && {
    width: ACTIONS_WIDTH,
    of: nameOf,
    list: (row: Row) => [
      { key: "edit", label: "修改", run: () => offered.edit(row) },
      ...offered.more(row),
    ],
  };
  return (
    <>
      <DataTable<Row>
        label={label}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        expectedRows={expectedRows}
        onOpen={(row) => open(rowKey(row))}
        actions={actions}
      />
      <RecordDrawer
        rows={rows}
        rowKey={rowKey}
        detail={{
          title: (row) => `${nameOf(row)}：${detail.title}`,
          body: detail.body,
          footer: (row) =>
            offered && (
              <Button
                type="primary"
                onClick={() => {
                  close();
                  offered.edit(row);
                }}
              >
                修改
              </Button>
            ),
        }}
      />
    </>
  );
}
