// Map of stores on the big screen, drawn on a bundled outline without any map service.
import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { formatNumber } from "../../../kit/format.ts";
import { late } from "../../../kit/late.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import { isPlaced } from "./placed-store.rules.ts";
import { Panel } from "./screen-panel.tsx";

const mapEngine = late(() => import("./map-engine.ts"));

interface ScreenMapProps {
  stores: Screen["stores"] | undefined;
  at: string | null;
}

export function ScreenMap({ stores, at }: ScreenMapProps) {
  const placed = stores?.filter(isPlaced);
  const missing = (stores?.length ?? 0) - (placed?.length ?? 0);
  return (
    <Panel area="map" title={stores ? `门店 ${formatNumber(stores.length)}` : "门店"} at={at}>
      <Chart
        label="门店分布与在线情况"
        className="screen-map"
        engine={mapEngine}
        table={
          placed && {
            head: ["门店", "设备", "在线", "格口", "占用"],
            rows: placed.map(({ name, cabinets, online, compartments, occupied }) =>
              [name, cabinets, online, compartments, occupied].map(String),
            ),
          }
        }
        option={(engine, colors) => engine.mapOption(placed ?? [], colors)}
      />
      <p className="screen-legend">
        <span data-tone="good">全部在线</span>
        <span data-tone="some">部分离线</span>
        <span data-tone="bad">全部离线</span>
        {missing > 0 && <em>{missing} 个门店没有坐标</em>}
        {stores?.length === 0 && <em>暂无放置设备的门店</em>}
      </p>
    </Panel>
  );
}
