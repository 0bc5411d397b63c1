// Map of stores on China's province outline: china.geo.json is an unchanged copy of map/json/china.json
// of Apache ECharts 4.9.0 (Apache-2.0); newer versions ship none.
import { EffectScatterChart, ScatterChart } from "echarts/charts";
import { GeoComponent } from "echarts/components";
import { registerMap, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { readColor } from "../../../kit/tokens.ts";
import type { ChartColors } from "../../../ui/chart/chart.rules.ts";
import { tooltipOf } from "../../../ui/chart/chart-engine.ts";
import outline from "./china.geo.json";
import { mapView, nameSide, type PlacedStore } from "./placed-store.rules.ts";

export { startDrawing } from "../../../ui/chart/chart-engine.ts";

use([EffectScatterChart, GeoComponent, LabelLayout, ScatterChart]);
registerMap("china", outline as unknown as Parameters<typeof registerMap>[1]);

const MOST_NAMED = 40;
const MOST_ZOOM = 420;
/** The big screen is always dark. */
const color = (name: string) => readColor(name, true);
const GOOD = color("success");
const SOME = color("warning");
const BAD = color("danger");

function colorOf({ cabinets, online }: PlacedStore): string {
  return online === cabinets ? GOOD : online > 0 ? SOME : BAD;
}

export function mapOption(stores: readonly PlacedStore[], colors: ChartColors): object {
  const { ink, line, ground } = colors;
  const scale = colors.fontPx / 14;
  const points = stores.map((store) => ({
    name: store.name,
    value: [store.longitude, store.latitude],
    symbolSize: Math.min(26, 8 + Math.sqrt(store.cabinets) * 3) * scale,
    itemStyle: { color: colorOf(store) },
    label: { position: nameSide(store, stores) },
    store,
  }));
  // Above the markers of both series, whose order would hide names; none for many stores: they would hide the map.
  const names = {
    type: "scatter",
    coordinateSystem: "geo",
    silent: true,
    z: 4,
    data: points,
    itemStyle: { opacity: 0 },
    label: {
      show: stores.length <= MOST_NAMED,
      // Not the marker's.
      opacity: 1,
      formatter: "{b}",
      color: ink,
      fontSize: Math.round(colors.fontPx * 0.86),
      textBorderColor: ground,
      textBorderWidth: 3,
    },
    labelLayout: { hideOverlap: true },
  };
  const isQuiet = (store: PlacedStore) => store.online === store.cabinets;
  return {
    animation: false,
    tooltip: {
      trigger: "item",
      confine: true,
      backgroundColor: ground,
      borderColor: line,
      formatter: ({ data }: { data?: { store?: PlacedStore } }) => {
        const store = data?.store;
        if (!store) return "";
        return tooltipOf(store.name, [
          ["设备在线", `${store.online} / ${store.cabinets}`, colorOf(store)],
          ["格口占用", `${store.occupied} / ${store.compartments}`, "transparent"],
        ]);
      },
    },
    geo: {
      map: "china",
      roam: true,
      scaleLimit: { min: 1, max: MOST_ZOOM },
      ...mapView(stores),
      label: { show: false },
      itemStyle: { areaColor: color("screen-land"), borderColor: color("screen-land-line") },
      emphasis: { label: { show: false }, itemStyle: { areaColor: color("screen-land-hover") } },
      select: { disabled: true },
      tooltip: { show: false },
    },
    series: [
      {
        type: "scatter",
        coordinateSystem: "geo",
        data: points.filter(({ store }) => isQuiet(store)),
        itemStyle: { opacity: 0.9, borderColor: ink, borderWidth: 0.5 },
      },
      {
        type: "effectScatter",
        coordinateSystem: "geo",
        data: points.filter(({ store }) => !isQuiet(store)),
        rippleEffect: { scale: 2.2, brushType: "stroke" },
      },
      names,
    ],
  };
}
