// List page as a table with pagination, or its empty or error state.
import type { ReactNode } from "react";
import { ErrorState } from "../display/states.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import type { Filter } from "./filters.tsx";
import { ListEmpty } from "./list-parts.tsx";
import type { Sort } from "./list-state.ts";
import { Pagination } from "./pagination.tsx";
import type { List } from "./use-list.ts";

type TableProps<Row> = Pick<
  DataTableProps<Row>,
  "label" | "columns" | "rowKey" | "actions" | "selection" | "onOpen" | "resizing" | "foot"
>;

export interface ListTableProps<Row> extends TableProps<Row> {
  list: List<Row>;
  /** The empty state depends on whether a filter is applied. */
  filters: readonly Filter[];
  emptyHint: ReactNode;
  elsewhere?: ReactNode;
  /** Default sort. */
  usualSort?: Sort | undefined;
}

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { list, filters, emptyHint, elsewhere, usualSort = null, ...table } = props;
  const { state, page } = list;
  return (
    <>
      {list.failure ? (
        <ErrorState error={list.failure} onRetry={list.refresh} />
      ) : page?.list.length === 0 && !list.isOther ? (
        <ListEmpty list={list} filters={filters} hint={emptyHint} elsewhere={elsewhere} />
      ) : (
        <DataTable<Row>
          {...table}
          // “Nothing found” of other filters says nothing about these.
          rows={page?.list.length === 0 ? undefined : page?.list}
          isOther={list.isOther}
          expectedRows={state.pageSize}
          sort={state.sort ?? usualSort}
          onSort={state.setSort}
        />
      )}
      <Pagination
        page={state.page}
        pageSize={state.pageSize}
        isOther={list.isOther}
        {...(page && { total: page.total, isTotalCapped: page.isTotalCapped ?? false })}
        onPage={state.goTo}
        onPageSize={state.setPageSize}
      />
    </>
  );
}
