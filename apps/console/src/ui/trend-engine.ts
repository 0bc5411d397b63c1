// How a trend is drawn.
import { type ChartColors, colorNo, type Trend, type TrendSeries } from "./chart.rules.ts";
import { type ChartOption, tooltipOf } from "./chart-engine.ts";

export { startDrawing } from "./chart-engine.ts";

interface Hit {
  dataIndex: number;
}

export function trendOption(
  { points = [], series, format, formatAxis = format }: Trend,
  colors: ChartColors,
): ChartOption {
  const { ink, inkSoft, line, ground } = colors;
  const fontSize = Math.round(colors.fontPx * 0.86);
  const isWhole = series.every(({ values }) => values.every(Number.isInteger));
  const colorOf = (one: TrendSeries, index: number) =>
    colors.series[colorNo(one, index) - 1] ?? ink;
  return {
    animationDuration: 300,
    grid: { left: 4, right: 8, top: 12, bottom: 0, containLabel: true },
    tooltip: {
      trigger: "axis",
      confine: true,
      backgroundColor: ground,
      borderColor: line,
      axisPointer: { type: "line", lineStyle: { color: line } },
      formatter: (hits) => {
        const { dataIndex } = (hits as unknown as Hit[])[0] ?? { dataIndex: 0 };
        return tooltipOf(
          points[dataIndex] ?? "",
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
      boundaryGap: series.some(({ kind }) => kind === "bar"),
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
      axisLabel: { color: inkSoft, fontSize, hideOverlap: true, margin: 10, showMaxLabel: true },
    },
    yAxis: {
      type: "value",
      ...(isWhole && { minInterval: 1 }),
      splitNumber: 4,
      axisLabel: { color: inkSoft, fontSize, formatter: formatAxis },
      splitLine: { lineStyle: { color: line } },
    },
    series: series.map((one, index) => {
      const { name, values, kind = "line" } = one;
      const color = colorOf(one, index);
      return kind === "bar"
        ? {
            type: "bar" as const,
            name,
            data: [...values],
            itemStyle: { color, borderRadius: [3, 3, 0, 0] },
            barMaxWidth: 22,
          }
        : {
            type: "line" as const,
            name,
            data: [...values],
            showSymbol: points.length === 1,
            symbolSize: 6,
            lineStyle: { width: 2, color },
            itemStyle: { color },
            ...(series.length === 1 && { areaStyle: { color, opacity: 0.1 } }),
          };
    }),
  };
}
