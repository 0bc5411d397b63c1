// A list below the figures that share its filters: bar, table and pages on a card of their own.
import type { Key, ReactNode } from "react";
import { useColumnSettings } from "../../kit/column-settings.ts";
import { ColumnSettings } from "../../ui/column-settings.tsx";
import { type Column, visibleColumns } from "../../ui/columns.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Filter } from "../../ui/filters.tsx";
import { ListEmpty, ListExport, ListFailure, StaleNote } from "../../ui/list-parts.tsx";
import type { Sort } from "../../ui/list-state.ts";
import { MenuBar } from "../../ui/menu-bar.tsx";
import { PageCard } from "../../ui/page-card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { type FixedQuery, type ListSpec, type RowOf, useList } from "../../ui/use-list.ts";
import "./figure-table.css";

interface FigureTableProps<Spec extends ListSpec> {
  /** Names the column settings and the file. */
  title: string;
  spec: Spec;
  fixed: FixedQuery;
  /** Of the page above, to say what an empty list means. */
  filters: readonly Filter[];
  /** How it is sorted where nobody chose. */
  usualSort: Sort;
  columns: readonly Column<RowOf<Spec>>[];
  rowKey: (row: RowOf<Spec>) => Key;
  toolbar: ReactNode;
  emptyHint: string;
}

export function FigureTable<Spec extends ListSpec>(props: FigureTableProps<Spec>) {
  type Row = RowOf<Spec>;
  const { title, spec, fixed, filters, columns, rowKey, toolbar, emptyHint } = props;
  const list = useList(spec, fixed);
  const { state, page } = list;
  const [columnChoice] = useColumnSettings(title);
  const shown = visibleColumns(columns, columnChoice);
  return (
    <PageCard className="figure-table">
      <MenuBar
        left={toolbar}
        right={
          <>
            <StaleNote since={list.staleSince} />
            <ColumnSettings pageKey={title} columns={columns} />
            <ListExport title={title} list={list} columns={shown} />
          </>
        }
      />
      {list.failure ? (
        <ListFailure failure={list.failure} onRetry={list.refresh} />
      ) : page?.list.length === 0 ? (
        <ListEmpty list={list} filters={filters} hint={emptyHint} />
      ) : (
        <DataTable<Row>
          label={title}
          columns={shown}
          rows={page?.list}
          rowKey={rowKey}
          expectedRows={state.pageSize}
          sort={state.sort ?? props.usualSort}
          onSort={state.setSort}
        />
      )}
      <Pagination
        page={state.page}
        pageSize={state.pageSize}
        {...(page && { total: page.total, isTotalCapped: page.isTotalCapped ?? false })}
        onPage={state.goTo}
        onPageSize={state.setPageSize}
      />
    </PageCard>
  );
}
