// List below the figures and with the same filters: bar, table and pagination in a card of its own.
import type { Key, ReactNode } from "react";
import { useColumnSettings } from "../../kit/column-settings.ts";
import { PageCard } from "../display/page-card.tsx";
import { ColumnSettings } from "../list/column-settings.tsx";
import { visibleColumns } from "../list/columns.ts";
import type { Filter } from "../list/filters.tsx";
import { ListExport, StaleNote } from "../list/list-parts.tsx";
import type { Sort } from "../list/list-state.ts";
import { ListTable } from "../list/list-table.tsx";
import { MenuBar } from "../list/menu-bar.tsx";
import {
  type ColumnOf,
  type FilterName,
  type FixedQuery,
  type List,
  type ListSpec,
  type RowOf,
  type SortKey,
  useList,
} from "../list/use-list.ts";
import "./figure-table.css";

interface FigureTableProps<Spec extends ListSpec> {
  /** Names the column settings and the file. */
  title: string;
  spec: Spec;
  fixed: FixedQuery<Spec>;
  /** Filters of the page above; the empty state depends on whether one is applied. */
  filters: readonly Filter<FilterName<Spec>>[];
  /** Default sort. */
  usualSort?: Sort<SortKey<Spec>>;
  columns: readonly ColumnOf<Spec>[];
  rowKey: (row: RowOf<Spec>) => Key;
  toolbar: ReactNode;
  emptyHint: string;
  /** Names the records of the file besides the title. */
  scopeOf?: (list: List<unknown>) => string | undefined;
}

export function FigureTable<Spec extends ListSpec>(props: FigureTableProps<Spec>) {
  type Row = RowOf<Spec>;
  const { title, spec, fixed, filters, columns, rowKey, toolbar, emptyHint } = props;
  const list = useList(spec, fixed);
  const [columnChoice] = useColumnSettings(title);
  const shown = visibleColumns(columns, columnChoice);
  return (
    <PageCard className="ui-figure-table">
      <MenuBar
        left={toolbar}
        right={
          <>
            <StaleNote since={list.staleSince} />
            <ColumnSettings pageKey={title} columns={columns} />
            <ListExport title={title} list={list} columns={shown} scope={props.scopeOf?.(list)} />
          </>
        }
      />
      <ListTable<Row>
        label={title}
        list={list}
        filters={filters}
        emptyHint={emptyHint}
        {...(props.usualSort && { usualSort: props.usualSort })}
        columns={shown}
        rowKey={rowKey}
      />
    </PageCard>
  );
}
