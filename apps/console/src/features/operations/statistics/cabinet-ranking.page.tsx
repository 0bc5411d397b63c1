// 设备排行: cabinets of both sides by income a day, with use, downtime, price and likely reasons.
import {
  type CabinetRankingQuery,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  type DaySpan,
  OCCUPANCY_DAYS,
  spanOf,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { dayRangeFilter } from "../../../domain/day-range-filter.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { storeFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { cabinetRankingColumns } from "./cabinet-ranking-columns.tsx";
import { CabinetRankingDetail } from "./cabinet-ranking-detail.tsx";
import "./cabinet-ranking.css";
import "./overview.css";

export default function CabinetRankingPage() {
  const { texts } = useListState();
  const now = Date.now();
  const usual = spanOf({}, now) as DaySpan;
  const span = spanOf({ from: texts.from || undefined, to: texts.to || undefined }, now) ?? usual;
  const fixed: Pick<CabinetRankingQuery, "from" | "to"> = span;
  return (
    <ListPage
      title="设备排行"
      heading={<ViewSwitch />}
      spec={statisticsContract.cabinets}
      fixed={fixed}
      filters={[
        textFilter("keyword", "设备", "编号/名称"),
        dayRangeFilter({ label: "日期", usual, most: OCCUPANCY_DAYS }),
        storeFilter(),
        choiceFilter("side", "单双面", choicesOf(sideText)),
      ]}
      columns={cabinetRankingColumns}
      rowKey={({ id }) => id}
      toolbar={
        <p className="overview-span ranking-span">
          {span.from} 至 {span.to}
          <span>，单双面合并；较上期</span>
        </p>
      }
      detail={{
        title: ({ name }) => name,
        body: (row) => <CabinetRankingDetail key={row.id} cabinet={row} span={span} />,
      }}
      emptyHint="暂无运营中的设备"
    />
  );
}
