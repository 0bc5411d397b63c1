// Paginated list inside a drawer; each row shows a name and a state.
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ErrorState } from "../display/states.tsx";
import { Pagination } from "./pagination.tsx";
import "../display/basics.css";
import "./drawer-list.css";

const FIRST_SIZE = 10;

/** Query of the page that a drawer's list shows first. */
export const FIRST_DRAWER_PAGE = { page: 1, pageSize: FIRST_SIZE };

/** Page state of a drawer's list. */
export function useDrawerPages() {
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(FIRST_SIZE);
  return {
    page,
    pageSize,
    setPage,
    setPageSize(size: number) {
      setPageSize(size);
      setPage(1);
    },
  };
}

export interface DrawerListProps<Row> {
  answer: UseQueryResult<{ list: Row[]; total: number }, Error>;
  pages: ReturnType<typeof useDrawerPages>;
  emptyText: string;
  /** Renders a `DrawerRow` with a key. */
  row: (row: Row) => ReactNode;
  /** Totals and filters above the list. */
  children: ReactNode;
}

export function DrawerList<Row>(props: DrawerListProps<Row>) {
  const { answer, pages, emptyText, row, children } = props;
  const { data, error } = answer;
  if (error && !data) {
    return <ErrorState error={error} onRetry={() => void answer.refetch()} />;
  }
  const total = data?.total ?? 0;
  return (
    <div className="ui-drawer-list">
      {children}
      <ul
        className="ui-drawer-rows"
        aria-busy={answer.isPlaceholderData}
        data-other={answer.isPlaceholderData}
      >
        {data?.list.map(row)}
      </ul>
      {data && total === 0 && <p className="ui-cell-none">{emptyText}</p>}
      {total > FIRST_SIZE && (
        <Pagination
          page={pages.page}
          pageSize={pages.pageSize}
          total={total}
          onPage={pages.setPage}
          onPageSize={pages.setPageSize}
        />
      )}
    </div>
  );
}

/** Each side has a main line with small lines below it. */
export function DrawerRow({ name, state }: { name: ReactNode; state: ReactNode }) {
  return (
    <li>
      <span className="ui-drawer-row-name">{name}</span>
      <span className="ui-drawer-row-state">{state}</span>
    </li>
  );
}
