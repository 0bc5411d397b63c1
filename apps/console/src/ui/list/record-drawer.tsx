// Drawer of the record that the URL names (`?open=7`), so that a link, Back and a reload show it.
import { Fragment, type Key, type ReactNode, useEffect, useRef, useState } from "react";
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
  const { opened, move, close } = useListState();
  const row = rows?.find((each) => String(rowKey(each)) === opened);
  useStepKeys(row && rows, (step) => {
    const next = row && rows?.[rows.indexOf(row) + step];
    if (next) move(rowKey(next));
  });
  // Stays during the closing animation, and when a refresh moves the row to another page.
  const [shown, setShown] = useState<{ key: string; row: Row | undefined } | null>(null);
  if (opened !== null && (shown?.key !== opened || (row && shown.row !== row))) {
    setShown({ key: opened, row });
  }
  const { children, footer, ...content } = contentOf(shown, rows === undefined, detail);
  // Nothing of one record, like a phone that was revealed, stays for the next.
  return (
    <DetailDrawer
      open={opened !== null}
      {...content}
      footer={footer && <Fragment key={shown?.key}>{footer}</Fragment>}
      onClose={close}
    >
      <Fragment key={shown?.key}>{children}</Fragment>
    </DetailDrawer>
  );
}

const TYPED = "input, textarea, select, [contenteditable]";

/** J and K lead to the next and the previous record, as in mail programs; not while typing or below a dialog. */
function useStepKeys(isOn: unknown, go: (step: 1 | -1) => void) {
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  const isActive = Boolean(isOn);
  useEffect(() => {
    if (!isActive) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || !/^[jk]$/i.test(key)) return;
      if (!(target instanceof Element) || target.closest(TYPED)) return;
      if (target !== document.body && !target.closest(".ui-drawer")) return;
      event.preventDefault();
      latest.current(key.toLowerCase() === "j" ? 1 : -1);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isActive]);
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
