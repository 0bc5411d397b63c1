// A whole list page out of the parts: filters, bar, table, pages, drawer. What does not fit composes them.
import { lastPage } from "@cabinet/contract/kit/pagination.rules.ts";
import Button from "antd/es/button";
import { type Key, type ReactNode, useState } from "react";
import { useColumnSettings } from "../kit/column-settings.ts";
import { ColumnSettings } from "./column-settings.tsx";
import { type Column, exportColumns, visibleColumns } from "./columns.ts";
import { DataTable, type RowActionsColumn } from "./data-table.tsx";
import { DetailDrawer } from "./detail-drawer.tsx";
import { ExportButton } from "./export-dialog.tsx";
import { FilterBar } from "./filter-bar.tsx";
import type { Filter } from "./filters.tsx";
import { MenuBar } from "./menu-bar.tsx";
import { PageCard } from "./page-card.tsx";
import { Pagination } from "./pagination.tsx";
import { EmptyState, ErrorState } from "./states.tsx";
import { SvgIcon } from "./svg-icon.tsx";
import { useTenantFilter } from "./tenant-filter.ts";
import { type FixedQuery, type List, type ListSpec, type RowOf, useList } from "./use-list.ts";
import "./list-page.css";
import "./basics.css";

export interface ListPageProps<Spec extends ListSpec, Row = RowOf<Spec>> {
  /** Names the page, its column settings and its file. */
  title: string;
  spec: Spec;
  fixed?: FixedQuery;
  /** Above the filters, on pages that the breadcrumb does not name. */
  heading?: ReactNode;
  filters: readonly Filter[];
  /** The first one names the row. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => Key;
  actions?: RowActionsColumn<Row>;
  /** What is done without choosing rows, left above the table. */
  toolbar?: ReactNode;
  /** What is done with chosen rows; rows can be chosen when it is given. */
  batch?: (rows: Row[], clear: () => void) => ReactNode;
  /** Right above the table: how fresh the list is. */
  freshness?: (list: List<Row>) => ReactNode;
  detail?: { title: (row: Row) => ReactNode; body: (row: Row) => ReactNode };
  emptyHint?: ReactNode;
}

export function ListPage<Spec extends ListSpec>(props: ListPageProps<Spec>) {
  type Row = RowOf<Spec>;
  const { title, spec, filters, columns, rowKey, actions, toolbar, batch, detail } = props;
  const list = useList(spec, props.fixed);
  const tenantFilter = useTenantFilter(spec);
  const [columnChoice] = useColumnSettings(title);
  const [selected, setSelected] = useState<ReadonlyMap<Key, Row>>(new Map());
  const [opened, setOpened] = useState<Row | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const shown = visibleColumns(columns, columnChoice);
  const { state, page } = list;
  const clear = () => setSelected(new Map());
  // A row that changed since it was opened is shown as it is now.
  const current = page?.list.find((row) => opened && rowKey(row) === rowKey(opened)) ?? opened;

  return (
    <PageCard className="ui-card-full">
      {props.heading}
      <FilterBar
        filters={tenantFilter ? filters.toSpliced(1, 0, tenantFilter) : filters}
        texts={state.texts}
        onFilter={(texts) => {
          clear();
          state.filter(texts);
        }}
      />
      <MenuBar
        left={
          batch && selected.size > 0 ? (
            <BatchBar count={selected.size} onClear={clear}>
              {batch([...selected.values()], clear)}
            </BatchBar>
          ) : (
            toolbar
          )
        }
        right={
          <>
            {props.freshness?.(list)}
            <RefreshButton isBusy={list.isRefreshing} onRefresh={list.refresh} />
            <ColumnSettings pageKey={title} columns={columns} />
            <ListExport title={title} list={list} columns={shown} />
          </>
        }
      />
      {list.failure ? (
        <ErrorState message={list.failure.message} onRetry={list.refresh} />
      ) : page?.list.length === 0 ? (
        <ListEmpty list={list} filters={filters} hint={props.emptyHint} />
      ) : (
        <DataTable<Row>
          label={title}
          columns={shown}
          rows={page?.list}
          rowKey={rowKey}
          expectedRows={state.pageSize}
          sort={state.sort}
          onSort={state.setSort}
          actions={actions}
          selection={batch && { selected, onSelect: setSelected }}
          onOpen={
            detail &&
            ((row) => {
              setOpened(row);
              setIsOpen(true);
            })
          }
        />
      )}
      <Pagination
        page={state.page}
        pageSize={state.pageSize}
        {...(page && { total: page.total, isTotalCapped: page.isTotalCapped ?? false })}
        onPage={state.goTo}
        onPageSize={state.setPageSize}
      />
      {detail && (
        <DetailDrawer
          open={isOpen}
          title={current && detail.title(current)}
          onClose={() => setIsOpen(false)}
        >
          {current && detail.body(current)}
        </DetailDrawer>
      )}
    </PageCard>
  );
}

export interface BatchBarProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

export function BatchBar({ count, onClear, children }: BatchBarProps) {
  return (
    <div className="ui-batch">
      <span className="ui-batch-count">
        已选 <b>{count}</b> 项
      </span>
      {children}
      <Button type="text" onClick={onClear}>
        取消选择
      </Button>
    </div>
  );
}

export function RefreshButton({ isBusy, onRefresh }: { isBusy: boolean; onRefresh: () => void }) {
  return (
    <Button
      type="text"
      icon={<SvgIcon name="refresh" {...(isBusy && { className: "ui-spin" })} />}
      aria-label="刷新"
      title="刷新"
      onClick={onRefresh}
    />
  );
}

export interface ListExportProps<Row> {
  title: string;
  list: List<Row>;
  columns: readonly Column<Row>[];
}

/** Exports what the filters let through, in the columns on screen. */
export function ListExport<Row>({ title, list, columns }: ListExportProps<Row>) {
  const { page } = list;
  const total = page && !page.isTotalCapped ? page.total : null;
  return (
    <ExportButton
      disabled={!page || page.total === 0}
      scope={`按当前筛选条件和列设置，导出${total === null ? "全部记录" : ` ${total} 条记录`}。`}
      input={{
        columns: exportColumns(columns),
        total,
        fetchPage: list.fetchPage,
        filename: title,
      }}
    >
      导出
    </ExportButton>
  );
}

interface ListEmptyProps<Row> {
  list: List<Row>;
  filters: readonly Filter[];
  hint: ReactNode;
}

function ListEmpty<Row>({ list: { state, page }, filters, hint }: ListEmptyProps<Row>) {
  const end = lastPage(page?.total ?? 0, state.pageSize);
  if (state.page > end) {
    return (
      <EmptyState title={`第 ${state.page} 页没有数据`} hint={`最后一页是第 ${end} 页`}>
        <Button onClick={() => state.goTo(end)}>回到最后一页</Button>
      </EmptyState>
    );
  }
  const isFiltered = filters.some((filter) => filter.names.some((name) => state.texts[name]));
  return isFiltered ? (
    <EmptyState title="没有符合条件的记录" hint="换个条件，或点“重置”查看全部" />
  ) : (
    <EmptyState hint={hint} />
  );
}
