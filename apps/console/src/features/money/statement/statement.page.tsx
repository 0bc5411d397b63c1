// 月结单: the month's statement of the company, a store or a side, printed or as a workbook.
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { statementContract } from "@cabinet/contract/money/statement/statement.contract.ts";
import { useSideChoice } from "../../../domain/cabinet/page-side.ts";
import { SideHeading } from "../../../domain/cabinet/side-heading.tsx";
import { storeFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { useTenantFilter } from "../../../domain/tenant/tenant-filter.ts";
import type { CallInput } from "../../../kit/api.ts";
import { useCall } from "../../../kit/query.ts";
import { useIsImpersonating } from "../../../kit/session.ts";
import { Button } from "../../../ui/display/button.tsx";
import { LoadingLines } from "../../../ui/display/one-record.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { PrintSheet } from "../../../ui/display/print-sheet.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { FilterBar } from "../../../ui/list/filter-bar.tsx";
import { RefreshButton, StaleNote } from "../../../ui/list/list-parts.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { MenuBar } from "../../../ui/list/menu-bar.tsx";
import { monthFilter } from "../../../ui/list/month-filter.tsx";
import { ExportButton } from "../../../ui/sheet/export-button.tsx";
import { exportOf } from "./statement-export.ts";
import { StatementSheet } from "./statement-sheet.tsx";

type Query = CallInput<typeof statementContract.month>["query"];

/** A statement is of a month that has ended, until another one is chosen. */
function lastMonth(): string {
  const today = shanghaiDay(Date.now());
  return addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
}

export default function StatementPage() {
  const side = useSideChoice();
  const { texts, filter } = useListState();
  const tenantFilter = useTenantFilter(statementContract.month);
  const isImpersonating = useIsImpersonating();
  const usual = lastMonth();
  const filters = [
    monthFilter("month", "月份", usual),
    ...(tenantFilter ? [tenantFilter] : []),
    storeFilter(),
  ];
  const given = queryFromText(statementContract.month.query, { month: usual, ...texts });
  const answer = useCall(
    statementContract.month,
    { query: { ...given, ...side.query } as Query },
    { keepPreviousData: true },
  );
  const { data, error, isPlaceholderData: isOther } = answer;
  const refresh = () => void answer.refetch();
  return (
    <PageCard>
      <SideHeading />
      <FilterBar
        filters={filters}
        texts={texts}
        onFilter={filter}
        onAgain={refresh}
        isBusy={answer.isFetching}
      />
      <MenuBar
        left={null}
        right={
          <>
            <StaleNote since={error && data ? answer.dataUpdatedAt : null} />
            <RefreshButton isBusy={answer.isFetching} onRefresh={refresh} />
          </>
        }
        tools={
          <>
            <Button disabled={!data || isOther} onClick={() => window.print()}>
              打印
            </Button>
            {!isImpersonating && data && (
              <ExportButton
                disabled={isOther}
                scope="导出每日明细与合计，日期与金额可直接计算。"
                input={exportOf(data)}
              >
                导出
              </ExportButton>
            )}
          </>
        }
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={refresh} />
      ) : !data ? (
        <LoadingLines />
      ) : (
        <div data-other={isOther}>
          <StatementSheet statement={data} />
          <PrintSheet>
            <StatementSheet statement={data} />
          </PrintSheet>
        </div>
      )}
    </PageCard>
  );
}
