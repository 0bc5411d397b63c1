// Table of settings that each override a default, with a detail drawer.
import Button from "antd/es/button";
import { type Key, type ReactNode, useState } from "react";
import { DetailDrawer } from "../display/detail-drawer.tsx";
import { ErrorState } from "../display/states.tsx";
import type { Column } from "./columns.ts";
import { DataTable } from "./data-table.tsx";
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
  const [opened, setOpened] = useState<Row | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = (row: Row) => {
    setOpened(row);
    setIsOpen(true);
  };
  if (answer.error && !rows) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  // Prefers the refreshed row over the one that was opened.
  const current = rows?.find((row) => opened && rowKey(row) === rowKey(opened)) ?? opened;
  const actions = offered && {
    width: ACTIONS_WIDTH,
    of: nameOf,
    list: (row: Row) => [
      { key: "edit", label: "修改", run: () => offered.edit(row) },
      ...offered.more(row),
    ],
  };
  const editOpened = () => {
    setIsOpen(false);
    if (current) offered?.edit(current);
  };
  return (
    <>
      <DataTable<Row>
        label={label}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        expectedRows={expectedRows}
        onOpen={open}
        actions={actions}
      />
      <DetailDrawer
        open={isOpen}
        title={current && `${nameOf(current)}：${detail.title}`}
        onClose={() => setIsOpen(false)}
        footer={
          offered && (
            <Button type="primary" onClick={editOpened}>
              修改
            </Button>
          )
        }
      >
        {current && detail.body(current)}
      </DetailDrawer>
    </>
  );
}
