// 格口配比: how long cabinets were full, by size and hour, and which sizes a cabinet lacks or has too many of.
import { SIZES, sizeText } from "@cabinet/contract/compartment/compartment.rules.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import {
  type Period,
  statisticsContract,
} from "@cabinet/contract/statistics/statistics.contract.ts";
import { OCCUPANCY_DAYS } from "@cabinet/contract/statistics/statistics.rules.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { choiceFilter, textFilter } from "../../ui/filters.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { useListState } from "../../ui/list-state.ts";
import { usePageSide } from "../../ui/page-side.ts";
import { Age } from "../../ui/status.tsx";
import { OverviewViews } from "../../ui/view-switch.tsx";
import { sizeColumns } from "./size-columns.tsx";
import { SizeHeat } from "./size-heat.tsx";
import { useFigureFilters } from "./use-figure-filters.ts";
import "./sizes.css";

/** As often as cabinets are looked at. */
const REFRESH_MS = 5 * 60_000;

export default function SizesPage() {
  const side = usePageSide();
  const isPlatform = useIsPlatform();
  const { texts } = useListState();
  const { span, filters } = useFigureFilters(texts, OCCUPANCY_DAYS);
  const period = queryFromText(statisticsContract.singleIncome.query, { ...texts, ...span });
  const { data } = useCall(
    statisticsContract.occupancy,
    { query: { ...(period as Period), side } },
    { keepPreviousData: true, isQuiet: true, refetchInterval: REFRESH_MS },
  );
  const isTenantFilter = ({ names }: { names: readonly string[] }) => names.includes("tenantId");
  return (
    <ListPage
      title="格口配比"
      heading={
        <>
          <OverviewViews />
          <SizeHeat hours={data?.hours} />
        </>
      }
      spec={statisticsContract.sizes}
      fixed={{ side, ...span }}
      filters={[
        // The list brings its own filter by tenant.
        ...filters.filter((filter) => !isTenantFilter(filter)),
        textFilter("keyword", "设备", "输入编号或名称"),
        choiceFilter(
          "size",
          "大小",
          SIZES.map((size) => ({ value: size, label: sizeText[size] })),
        ),
      ]}
      columns={sizeColumns(isPlatform)}
      rowKey={(row) => `${row.cabinetId} ${row.size}`}
      freshness={() => (
        <span className="sizes-fresh">
          采样于 <Age time={data?.lastAt ?? null} />
        </span>
      )}
      emptyHint="服务运行期间每 5 分钟记录一次各设备的占用，之后这里会有数据"
    />
  );
}
