// 数据概览 of the company or one side: figures of a period, trend, ranking of stores and cabinets.
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import {
  type Period,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  type DaySpan,
  daysOf,
  MAX_DAYS,
  spanBefore,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { sideScope, useSideChoice } from "../../../domain/cabinet/page-side.ts";
import { SideHeading } from "../../../domain/cabinet/side-heading.tsx";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { FigureTable } from "../../../ui/chart/figure-table.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { FilterBar } from "../../../ui/list/filter-bar.tsx";
import { RefreshButton, StaleNote } from "../../../ui/list/list-parts.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { MenuBar } from "../../../ui/list/menu-bar.tsx";
import { LiveBadge } from "../../../ui/live/live.tsx";
import { refreshIncome, useIncome, useTendency } from "./income-calls.ts";
import { IncomeCards } from "./income-cards.tsx";
import { IncomeTrend } from "./income-trend.tsx";
import { rankingColumns } from "./ranking-columns.tsx";
import { useFigureFilters } from "./use-figure-filters.ts";
import "../../../ui/display/basics.css";
import "./overview.css";

const spanText = ({ from, to }: DaySpan) => (from === to ? from : `${from} 至 ${to}`);

export default function OverviewPage() {
  const side = useSideChoice();
  const state = useListState();
  const { span, filters } = useFigureFilters(state.texts, MAX_DAYS);
  const period = queryFromText(statisticsContract.singleIncome.query, {
    ...state.texts,
    ...span,
  }) as Period;
  const income = useIncome(side.choice, period);
  const tendency = useTendency(side.choice, period);
  const failure = income.data ? null : income.error;
  const staleSince = income.error && income.data ? income.dataUpdatedAt : null;
  return (
    <>
      <PageCard>
        <SideHeading />
        <FilterBar
          filters={filters}
          texts={state.texts}
          onFilter={state.filter}
          onAgain={refreshIncome}
          isBusy={income.isFetching}
        />
        <MenuBar
          left={
            <p className="overview-span">
              {spanText(span)}，共 {daysOf(span)} 天；对比上期 {spanText(spanBefore(span))}
            </p>
          }
          right={
            <>
              <StaleNote since={staleSince} />
              <LiveBadge topic="order" refresh={refreshIncome} hasFailed={income.error !== null} />
              <RefreshButton isBusy={income.isFetching} onRefresh={refreshIncome} />
            </>
          }
        />
        {failure ? (
          <ErrorState error={failure} onRetry={refreshIncome} />
        ) : (
          <>
            <IncomeCards data={income.isPlaceholderData ? undefined : income.data} />
            <IncomeTrend days={tendency.isPlaceholderData ? undefined : tendency.data} />
          </>
        )}
      </PageCard>
      <Ranking span={span} filters={filters} />
    </>
  );
}

const rankings = [
  ["STORE", "门店排行"],
  ["CABINET", "设备排行"],
] as const;

interface RankingProps {
  span: DaySpan;
  filters: ReturnType<typeof useFigureFilters>["filters"];
}

function Ranking({ span, filters }: RankingProps) {
  const side = useSideChoice();
  const isPlatform = useIsPlatform();
  const maySeeCabinets = usePermission("cabinet:read");
  const { texts, filter } = useListState();
  const by = texts.by === "CABINET" ? "CABINET" : "STORE";
  return (
    <FigureTable
      scopeOf={sideScope}
      title={{ STORE: "门店排行", CABINET: "设备排行" }[by]}
      spec={statisticsContract.ranking}
      fixed={{ ...side.query, by, ...span }}
      filters={filters}
      usualSort={{ by: "income", order: "desc" }}
      columns={rankingColumns(by, daysOf(span), isPlatform)}
      rowKey={(row) => `${row.tenantId} ${row.id}`}
      toolbar={
        <>
          <ChoiceBar
            label="排行"
            choices={rankings}
            chosen={by}
            onChoose={(word) => filter({ by: word === "STORE" ? "" : word, sort: "", order: "" })}
          />
          {maySeeCabinets && (
            <Link
              className="ui-link"
              to={pathTo("/cupboard/index?view=ranking", {
                ...span,
                storeId: Number(texts.storeId) || undefined,
              })}
            >
              单双面合并排行
            </Link>
          )}
        </>
      }
      emptyHint="有订单之后，这里按门店和设备排行"
    />
  );
}
