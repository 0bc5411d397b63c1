// Builds the ECharts option of a trend.
import type { BarSeriesOption, LineSeriesOption } from "echarts/charts";
import type { DataZoomComponentOption } from "echarts/components";
import {
  type ChartColors,
  colorNo,
  pointTitle,
  splitUnfinished,
  type Trend,
  type TrendSeries,
} from "./chart.rules.ts";
import { type ChartOption, tooltipOf } from "./chart-engine.ts";

export { startDrawing } from "./chart-engine.ts";

interface Hit {
  dataIndex: number;
}

/** A trend of more points gets a bar below its axis that zooms. */
const MOST_UNZOOMED = 31;

/** Opacity factor of an unfinished bar or area, relative to a finished one. */
const UNFINISHED = 0.4;
const AREA = 0.1;

export function trendOption(trend: Trend, colors: ChartColors): ChartOption {
  const { points = [], series, format, formatAxis = format, unfinished } = trend;
  const { ink, inkSoft, line, ground } = colors;
  const fontSize = Math.round(colors.fontPx * 0.86);
  const isWhole = series.every(({ values }) => values.every(Number.isInteger));
  const hasBars = series.some(({ kind }) => kind === "bar");
  const colorOf = (one: TrendSeries, index: number) =>
    colors.series[colorNo(one, index) - 1] ?? ink;
  const isLong = points.length > MOST_UNZOOMED;
  return {
    animationDuration: 300,
    grid: { left: 4, right: 8, top: 12, bottom: isLong ? ZOOM_PX + 8 : 0, containLabel: true },
    ...(isLong && { dataZoom: zoomOf(`${points[0]} ${points.length}`, colors) }),
    tooltip: {
      trigger: "axis",
      confine: true,
      backgroundColor: ground,
      borderColor: line,
      axisPointer: { type: "line", lineStyle: { color: line } },
      formatter: (hits) => {
        const { dataIndex } = (hits as unknown as Hit[])[0] ?? { dataIndex: 0 };
        return tooltipOf(
          pointTitle(trend, dataIndex),
          series.map(
            (one, index) =>
              [one.name, format(one.values[dataIndex] ?? 0), colorOf(one, index)] as const,
          ),
        );
      },
    },
    xAxis: {
      type: "category",
      data: [...points],
      boundaryGap: hasBars,
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
      axisLabel: {
        color: inkSoft,
        fontSize,
        hideOverlap: true,
        margin: 10,
        showMaxLabel: true,
        ...(!hasBars && { alignMaxLabel: "right" as const }),
      },
    },
    yAxis: {
      type: "value",
      ...(isWhole && { minInterval: 1 }),
      splitNumber: 4,
      axisLabel: { color: inkSoft, fontSize, formatter: formatAxis },
      splitLine: { lineStyle: { color: line } },
    },
    series: series.flatMap((one, index): (BarSeriesOption | LineSeriesOption)[] => {
      const color = colorOf(one, index);
      if (one.kind === "bar") return [barOf(one, color, unfinished !== undefined)];
      const hasArea = series.length === 1;
      // As thick as the text is large: two pixels are a hair on a video wall.
      const pen = { color, px: Math.max(2, colors.fontPx / 7) };
      return unfinished === undefined
        ? [lineOf(one, pen, hasArea)]
        : halves(one, { ...pen, ground }, hasArea);
    }),
  };
}

/** Height of the zoom bar, which shows the whole trend. */
const ZOOM_PX = 32;

function zoomOf(id: string, { inkSoft, line, series }: ChartColors): DataZoomComponentOption {
  const [color = inkSoft] = series;
  const shape = (opacity: number) => ({
    lineStyle: { color, opacity },
    areaStyle: { color, opacity },
  });
  return {
    id,
    type: "slider",
    height: ZOOM_PX,
    left: 8,
    right: 12,
    bottom: 0,
    showDetail: false,
    brushSelect: true,
    borderColor: line,
    fillerColor: "transparent",
    dataBackground: shape(0.2),
    selectedDataBackground: shape(0.6),
    handleStyle: { color: line, borderColor: inkSoft },
    moveHandleStyle: { color: inkSoft },
  };
}

function barOf({ name, values }: TrendSeries, color: string, isUnfinished: boolean) {
  const last = values.length - 1;
  return {
    type: "bar" as const,
    name,
    data: values.map((value, index) =>
      isUnfinished && index === last ? { value, itemStyle: { opacity: UNFINISHED } } : value,
    ),
    itemStyle: { color, borderRadius: [3, 3, 0, 0] },
    barMaxWidth: 22,
  };
}

interface Pen {
  color: string;
  px: number;
}

function lineOf({ name, values }: TrendSeries, { color, px }: Pen, hasArea: boolean) {
  return {
    type: "line" as const,
    name,
    data: [...values] as (number | null)[],
    showSymbol: values.length === 1,
    symbolSize: 3 * px,
    lineStyle: { width: px, color },
    itemStyle: { color },
    ...(hasArea && { areaStyle: { color, opacity: AREA } }),
  };
}

/** Solid up to the last finished point, dashed from there to a hollow one. */
function halves(one: TrendSeries, pen: Pen & { ground: string }, hasArea: boolean) {
  const { color, px, ground } = pen;
  const { finished, unfinished } = splitUnfinished(one.values);
  const last = one.values.length - 1;
  const line = lineOf(one, pen, hasArea);
  return [
    // A single finished point has no line: show its symbol.
    { ...line, data: finished, showSymbol: last === 1 },
    {
      ...line,
      data: unfinished.map((value, index) => ({
        value: value ?? "-",
        symbol: index === last ? "circle" : "none",
      })),
      showSymbol: true,
      showAllSymbol: true,
      itemStyle: { color: ground, borderColor: color, borderWidth: px },
      lineStyle: { ...line.lineStyle, type: "dashed" as const },
      ...(hasArea && { areaStyle: { color, opacity: AREA * UNFINISHED } }),
    },
  ];
}
