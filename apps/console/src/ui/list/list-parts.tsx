// Parts of a list page, for ListPage and for pages that compose their own.
import { lastPage } from "@cabinet/contract/kit/pagination.rules.ts";
import type { ReactNode } from "react";
import { formatAge, formatNear, formatTime } from "../../kit/format.ts";
import { useIsImpersonating } from "../../kit/session.ts";
import { Button } from "../display/button.tsx";
import { OnPaper } from "../display/on-paper.tsx";
import { EmptyState } from "../display/states.tsx";
import { useNow } from "../display/status.tsx";
import { SvgIcon } from "../display/svg-icon.tsx";
import { ExportButton } from "../sheet/export-button.tsx";
import { type Column, exportColumns } from "./columns.ts";
import { exportName } from "./export-name.rules.ts";
import { type Filter, isApplied, shownFilter } from "./filters.tsx";
import type { List } from "./use-list.ts";
import "../display/basics.css";
import "./list-parts.css";

interface BatchBarProps {
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

const MINUTE_MS = 60_000;

/** Shown when the displayed data is older than it should be. */
export function StaleNote({ since }: { since: number | null }) {
  const now = useNow();
  if (since === null) return null;
  const time =
    now - since < MINUTE_MS
      ? formatTime(since)
      : `${formatAge(since, now)}（${formatNear(since, now)}）`;
  return (
    <span className="ui-list-stale" role="status">
      未能更新，显示的是 {time} 的数据
    </span>
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

interface ListExportProps<Row> {
  title: string;
  list: List<Row>;
  columns: readonly Column<Row, string>[];
  /** Part of the file's name: the records that the page is about. */
  scope?: string | undefined;
}

/** Exports the filtered list with the visible columns; not available during an impersonation. */
export function ListExport<Row>({ title, list, columns, scope }: ListExportProps<Row>) {
  const isImpersonating = useIsImpersonating();
  const { page } = list;
  if (isImpersonating) return null;
  const total = page && !page.isTotalCapped ? page.total : null;
  return (
    <ExportButton
      disabled={!page || page.total === 0 || list.isOther}
      scope={`按当前筛选条件和列设置，导出${total === null ? "全部记录" : ` ${total} 条记录`}。`}
      input={{
        columns: exportColumns(columns),
        total,
        takeSnapshot: list.takeSnapshot,
        filename: exportName(title, list.query, scope),
      }}
    >
      导出
    </ExportButton>
  );
}

interface ListOnPaperProps<Row> {
  list: List<Row>;
  filters: readonly Filter[];
}

/** Above a printed list: its filters, its page and the time. */
export function ListOnPaper<Row>({ list: { state, page }, filters }: ListOnPaperProps<Row>) {
  const applied = filters.filter((filter) => isApplied(filter, state.texts));
  return (
    <OnPaper>
      {applied.map((filter) => (
        <span key={filter.names[0]}>
          {filter.label}：{shownFilter(filter, state.texts)}
        </span>
      ))}
      {page && (
        <span>
          第 {state.page} 页，共 {lastPage(page.total, state.pageSize)}
          {page.isTotalCapped && "+"} 页、{page.total}
          {page.isTotalCapped && "+"} 条
        </span>
      )}
    </OnPaper>
  );
}

interface ListEmptyProps<Row> {
  list: List<Row>;
  filters: readonly Filter[];
  hint: ReactNode;
  /** Links to hits that other filters have. */
  elsewhere?: ReactNode;
}

export function ListEmpty<Row>({
  list: { state, page },
  filters,
  hint,
  elsewhere,
}: ListEmptyProps<Row>) {
  const end = lastPage(page?.total ?? 0, state.pageSize);
  if (state.page > end) {
    return (
      <EmptyState title={`第 ${state.page} 页没有数据`} hint={`最后一页是第 ${end} 页`}>
        <Button onClick={() => state.goTo(end)}>回到最后一页</Button>
      </EmptyState>
    );
  }
  const isFiltered = filters.some((filter) => isApplied(filter, state.texts));
  return isFiltered ? (
    <EmptyState title="暂无符合条件的记录" hint="可更换条件，或点“重置”查看全部">
      {elsewhere}
    </EmptyState>
  ) : (
    <EmptyState hint={hint} />
  );
}
