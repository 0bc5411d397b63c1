// Drawer of the record that the URL names (`?open=7`), so that a link, Back and a reload show it.
import { type Key, type ReactNode, useState } from "react";
import { DetailDrawer } from "../display/detail-drawer.tsx";
import { EmptyState } from "../display/states.tsx";
import { useListState } from "./list-state.ts";
import "../display/basics.css";

export interface RecordDetail<Row> {
  title: (row: Row) => ReactNode;
  body: (row: Row) => ReactNode;
  footer?: (row: Row) => ReactNode;
  /** Shows a linked record that is not among the rows. */
  linked?: { title: (id: number) => ReactNode; body: (id: number) => ReactNode };
}

export interface RecordDrawerProps<Row> {
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => Key;
  detail: RecordDetail<Row>;
}

export function RecordDrawer<Row>({ rows, rowKey, detail }: RecordDrawerProps<Row>) {
  const { opened, close } = useListState();
  const row = rows?.find((each) => String(rowKey(each)) === opened);
  // Stays during the closing animation, and when a refresh moves the row to another page.
  const [shown, setShown] = useState<{ key: string; row: Row | undefined } | null>(null);
  if (opened !== null && (shown?.key !== opened || (row && shown.row !== row))) {
    setShown({ key: opened, row });
  }
  return (
    <DetailDrawer
      open={opened !== null}
      {...contentOf(shown, rows === undefined, detail)}
      onClose={close}
    />
  );
}

interface Content {
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}

function contentOf<Row>(
  shown: { key: string; row: Row | undefined } | null,
  isLoading: boolean,
  { title, body, footer, linked }: RecordDetail<Row>,
): Content {
  if (!shown) return { title: null, children: null };
  const { key, row } = shown;
  if (row) return { title: title(row), children: body(row), footer: footer?.(row) };
  const id = Number(key);
  if (linked && id) return { title: linked.title(id), children: linked.body(id) };
  if (isLoading) {
    return { title: "详情", children: <output className="ui-cell-none">正在加载…</output> };
  }
  return {
    title: "详情",
    children: <EmptyState title="没有找到记录" hint="可能已删除，或不在当前的筛选和页码中" />,
  };
}
