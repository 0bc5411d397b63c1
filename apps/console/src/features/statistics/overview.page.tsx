// 数据概览 of one side: its figures over some days, how they went, which stores and cabinets they come from.
import type { Side } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import {
  type Period,
  type RankedPlace,
  statisticsContract,
} from "@cabinet/contract/statistics/statistics.contract.ts";
import { type DaySpan, daysOf, MAX_DAYS } from "@cabinet/contract/statistics/statistics.rules.ts";
import { useColumnSettings } from "../../kit/column-settings.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { ColumnSettings } from "../../ui/column-settings.tsx";
import { visibleColumns } from "../../ui/columns.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import type { Filter } from "../../ui/filters.tsx";
import {
  ListEmpty,
  ListExport,
  ListFailure,
  RefreshButton,
  StaleNote,
} from "../../ui/list-parts.tsx";
import { useListState } from "../../ui/list-state.ts";
import { LiveBadge } from "../../ui/live.tsx";
import { MenuBar } from "../../ui/menu-bar.tsx";
import { PageCard } from "../../ui/page-card.tsx";
import { usePageSide } from "../../ui/page-side.ts";
import { Pagination } from "../../ui/pagination.tsx";
import { useList } from "../../ui/use-list.ts";
import { OverviewViews } from "../../ui/view-switch.tsx";
import { refreshIncome, useIncome, useTendency } from "./income-calls.ts";
import { IncomeCards } from "./income-cards.tsx";
import { IncomeTrend } from "./income-trend.tsx";
import { rankingColumns } from "./ranking-columns.tsx";
import { useFigureFilters } from "./use-figure-filters.ts";
import "./overview.css";

export default function OverviewPage() {
  const side = usePageSide();
  const state = useListState();
  const { span, filters } = useFigureFilters(state.texts, MAX_DAYS);
  const period = queryFromText(statisticsContract.singleIncome.query, {
    ...state.texts,
    ...span,
  }) as Period;
  const income = useIncome(side, period);
  const tendency = useTendency(side, period);
  const failure = income.data ? null : income.error;
  const staleSince = income.error && income.data ? income.dataUpdatedAt : null;
  return (
    <>
      <PageCard>
        <OverviewViews />
        <FilterBar filters={filters} texts={state.texts} onFilter={state.filter} />
        <MenuBar
          left={
            <p className="overview-span">
              {span.from === span.to
                ? span.from
                : `${span.from} 至 ${span.to}，共 ${daysOf(span)} 天`}
            </p>
          }
          right={
            <>
              <StaleNote since={staleSince} />
              <LiveBadge topic="order" refresh={refreshIncome} />
              <RefreshButton isBusy={income.isFetching} onRefresh={refreshIncome} />
            </>
          }
        />
        {failure ? (
          <ListFailure failure={failure} onRetry={refreshIncome} />
        ) : (
          <>
            <IncomeCards data={income.data} />
            <IncomeTrend days={tendency.data} />
          </>
        )}
      </PageCard>
      <Ranking side={side} span={span} filters={filters} />
    </>
  );
}

interface RankingProps {
  side: Side;
  span: DaySpan;
  filters: readonly Filter[];
}

const rankings = [
  ["STORE", "门店排行"],
  ["CABINET", "设备排行"],
] as const;

function Ranking({ side, span, filters }: RankingProps) {
  const isPlatform = useIsPlatform();
  const { texts } = useListState();
  const by = texts.by === "CABINET" ? "CABINET" : "STORE";
  const list = useList(statisticsContract.ranking, { side, by, ...span });
  const { state, page } = list;
  const title = by === "STORE" ? "门店排行" : "设备排行";
  const [columnChoice] = useColumnSettings(title);
  const columns = rankingColumns(by, daysOf(span), isPlatform);
  const shown = visibleColumns(columns, columnChoice);
  return (
    <PageCard className="overview-ranking">
      <MenuBar
        left={
          <ChoiceBar
            label="排行"
            choices={rankings}
            chosen={by}
            onChoose={(word) =>
              state.filter({ by: word === "STORE" ? "" : word, sort: "", order: "" })
            }
          />
        }
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
        <ListEmpty list={list} filters={filters} hint="有订单之后，这里按门店和设备排行" />
      ) : (
        <DataTable<RankedPlace>
          label={title}
          columns={shown}
          rows={page?.list}
          rowKey={(row) => `${row.tenantId} ${row.id}`}
          expectedRows={state.pageSize}
          sort={state.sort ?? { by: "income", order: "desc" }}
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
