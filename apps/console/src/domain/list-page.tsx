// Standard list page: filters, bar, table, pagination, drawer. Pages with other needs compose the
// parts.

import type { LiveTopic } from "@cabinet/contract/live/live.rules.ts";
import { type Key, type ReactNode, useState } from "react";
import { useColumnSettings } from "../kit/column-settings.ts";
import { reportError } from "../kit/errors.ts";
import { invalidate, invalidateNoun } from "../kit/query.ts";
import { PageCard } from "../ui/display/page-card.tsx";
import { ColumnSettings } from "../ui/list/column-settings.tsx";
import { visibleColumns, withWidth } from "../ui/list/columns.ts";
import type { RowActionsColumn } from "../ui/list/data-table.tsx";
import { FilterBar } from "../ui/list/filter-bar.tsx";
import type { Filter } from "../ui/list/filters.tsx";
import {
  BatchBar,
  ListExport,
  ListOnPaper,
  RefreshButton,
  StaleNote,
} from "../ui/list/list-parts.tsx";
import type { SearchValues } from "../ui/list/list-state.ts";
import { type ListSums, LiveSums, SummedTable } from "../ui/list/list-sums.tsx";
import { ListTable, type ListTableProps } from "../ui/list/list-table.tsx";
import { MenuBar } from "../ui/list/menu-bar.tsx";
import { type RecordDetail, RecordDrawer } from "../ui/list/record-drawer.tsx";
import { SavedFilters } from "../ui/list/saved-filters.tsx";
import {
  type ColumnOf,
  type FilterName,
  type FixedQuery,
  type ListSpec,
  type RowOf,
  useList,
} from "../ui/list/use-list.ts";
import { LiveBadge } from "../ui/live/live.tsx";
import { sideScope } from "./cabinet/page-side.ts";
import { useTenantColumn } from "./tenant/tenant-column.ts";
import { useTenantFilter } from "./tenant/tenant-filter.ts";

export interface ListPageProps<Spec extends ListSpec, Row = RowOf<Spec>> {
  /** Names the page, its column settings and its file. */
  title: string;
  spec: Spec;
  fixed?: FixedQuery<Spec>;
  /** Shown above the filters, on pages that the breadcrumb does not name. */
  heading?: ReactNode;
  filters: readonly Filter<FilterName<Spec>>[];
  /**
   * The first column names the row. Platform staff see the tenant behind it, unless the columns
   * have a `tenantColumn` of their own.
   */
  columns: readonly ColumnOf<Spec>[];
  rowKey: (row: Row) => Key;
  /** Actions of each row; without permission, `false` leaves the column out. */
  actions?: RowActionsColumn<Row> | false | null | undefined;
  /** Actions that need no selected rows, on the left above the table. */
  toolbar?: ReactNode;
  /** Actions on selected rows; rows are selectable only if this is given. */
  batch?: false | ((rows: Row[], clear: () => void) => ReactNode);
  /** Topic of the live channel whose events refetch the list and all calls of its noun. */
  live?: LiveTopic | undefined;
  detail?: RecordDetail<Row>;
  /** Row of sums below the table, for accounts with access to its call. */
  sums?: ListSums;
  emptyHint?: ReactNode;
  /** Shown when filters leave nothing: links to hits elsewhere. */
  elsewhere?: ReactNode;
}

export function ListPage<Spec extends ListSpec>(props: ListPageProps<Spec>) {
  type Row = RowOf<Spec>;
  const { title, spec, rowKey, actions, toolbar, batch, detail, sums } = props;
  const list = useList(spec, props.fixed, props.live !== undefined);
  const tenantFilter = useTenantFilter(spec);
  const [columnChoice, setColumnChoice] = useColumnSettings(title);
  const [selected, setSelected] = useState<ReadonlyMap<Key, Row>>(new Map());
  const { state, page } = list;
  const filters: readonly Filter[] = props.filters;
  // Records of one cabinet belong to one tenant: its filter and column would be redundant.
  const isOfOneTenant = Boolean(state.texts.cabinetId);
  const columns = useTenantColumn(spec, props.columns, isOfOneTenant);
  const chosen = visibleColumns(columns, columnChoice);
  // The workbook keeps the tenant, which the filter above the table names.
  const shown = state.texts.tenantId ? chosen.filter(({ key }) => key !== "tenant") : chosen;
  const allFilters =
    tenantFilter && !isOfOneTenant ? filters.toSpliced(1, 0, tenantFilter) : filters;
  const widths = columnChoice.widths ?? [];
  const resize = (key: string, width: number | null) =>
    setColumnChoice({ ...columnChoice, widths: withWidth(widths, key, width) });
  const cabinetId = Number(state.texts.cabinetId) || undefined;
  const clear = () => setSelected(new Map());
  const applyFilter = (texts: SearchValues) => {
    clear();
    state.filter(texts);
  };

  const refreshSums = () => sums && invalidate(sums.spec);
  const refresh = async () => {
    const { error } = await list.refresh();
    if (error) reportError(error);
    else await refreshSums();
  };

  const table: ListTableProps<Row> = {
    label: title,
    list,
    filters: allFilters,
    emptyHint: props.emptyHint,
    elsewhere: props.elsewhere,
    columns: shown,
    rowKey,
    actions: actions || undefined,
    selection: batch ? { selected, onSelect: setSelected } : undefined,
    resizing: { widths, onResize: resize },
    onOpen: detail && ((row) => state.open(rowKey(row))),
  };

  return (
    <PageCard className="ui-card-full">
      {props.heading}
      <FilterBar
        filters={allFilters}
        texts={state.texts}
        onFilter={applyFilter}
        // On another page, going back to the first one asks anew.
        onAgain={() => state.page === 1 && refresh()}
        isBusy={list.isRefreshing}
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
            <StaleNote since={list.staleSince} />
            {props.live && (
              <LiveBadge
                topic={props.live}
                refresh={() => invalidateNoun(spec)}
                cabinetId={cabinetId}
                hasFailed={list.failure !== null || list.staleSince !== null}
              />
            )}
            <RefreshButton isBusy={list.isRefreshing} onRefresh={refresh} />
          </>
        }
        tools={
          <>
            {filters.length > 0 && <SavedFilters pageKey={title} onFilter={applyFilter} />}
            <ColumnSettings pageKey={title} columns={columns} />
            <ListExport title={title} list={list} columns={chosen} scope={sideScope(list)} />
          </>
        }
      />
      <ListOnPaper list={list} filters={allFilters} />
      {sums ? (
        <SummedTable<Row> {...table} sums={sums} fixed={props.fixed} />
      ) : (
        <ListTable<Row> {...table} />
      )}
      {sums && props.live && (
        <LiveSums topic={props.live} cabinetId={cabinetId} refresh={refreshSums} />
      )}
      {detail && <RecordDrawer rows={page?.list} rowKey={rowKey} detail={detail} />}
    </PageCard>
  );
}
