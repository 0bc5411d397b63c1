// 格口配比: how long cabinets were full by size and hour; sizes in shortage or surplus.
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import {
  type OccupancyQuery,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { OCCUPANCY_DAYS } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { SIZES, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { sideScope, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { useIsPlatform } from "../../../kit/permission.ts";
import { invalidate, useCall } from "../../../kit/query.ts";
import { FigureTable } from "../../../ui/chart/figure-table.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Age } from "../../../ui/display/status.tsx";
import { FilterBar } from "../../../ui/list/filter-bar.tsx";
import { choiceFilter, textFilter } from "../../../ui/list/filters.tsx";
import { RefreshButton } from "../../../ui/list/list-parts.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { MenuBar } from "../../../ui/list/menu-bar.tsx";
import { sizeColumns } from "./size-columns.tsx";
import { SizeHeat } from "./size-heat.tsx";
import { useFigureFilters } from "./use-figure-filters.ts";
import "./overview.css";

/** Same interval as the occupancy sampling. */
const REFRESH_MS = 5 * 60_000;

const sizes = SIZES.map((size) => ({ value: size, label: sizeText[size] }));

const refresh = () => invalidate(statisticsContract.occupancy, statisticsContract.sizes);

export default function SizesPage() {
  const side = usePageSide();
  const isPlatform = useIsPlatform();
  const { texts, filter } = useListState();
  const { span, filters } = useFigureFilters(texts, OCCUPANCY_DAYS);
  const query = queryFromText(statisticsContract.occupancy.query, { ...texts, ...span });
  const { data, error, isFetching, isPlaceholderData } = useCall(
    statisticsContract.occupancy,
    { query: { ...(query as OccupancyQuery), side } },
    { keepPreviousData: true, refetchInterval: REFRESH_MS },
  );
  const allFilters = [
    ...filters,
    textFilter("keyword", "设备", "输入编号或名称"),
    choiceFilter("size", "大小", sizes),
  ];
  return (
    <>
      <PageCard>
        <ViewSwitch />
        <FilterBar
          filters={allFilters}
          texts={texts}
          onFilter={filter}
          onAgain={refresh}
          isBusy={isFetching}
        />
        <MenuBar
          left={
            <p className="overview-span">
              {data?.lastAt ? (
                <>
                  最近采样 <Age time={data.lastAt} />
                </>
              ) : (
                "每 5 分钟采样一次"
              )}
            </p>
          }
          right={<RefreshButton isBusy={isFetching} onRefresh={refresh} />}
        />
        {error && !data ? (
          <ErrorState error={error} onRetry={refresh} />
        ) : (
          <SizeHeat hours={isPlaceholderData ? undefined : data?.hours} />
        )}
      </PageCard>
      <FigureTable
        scopeOf={sideScope}
        title="格口配比"
        spec={statisticsContract.sizes}
        fixed={{ side, ...span }}
        filters={allFilters}
        usualSort={{ by: "full", order: "desc" }}
        columns={sizeColumns(isPlatform)}
        rowKey={(row) => `${row.cabinetId} ${row.size}`}
        toolbar={<p className="overview-span">各设备各大小</p>}
        emptyHint="服务运行期间每 5 分钟记录一次各设备的占用，之后这里会有数据"
      />
    </>
  );
}
