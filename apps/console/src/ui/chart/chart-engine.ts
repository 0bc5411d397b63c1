// ECharts setup: the modules in use, in the theme's colours. Loaded lazily with the first chart.
import { BarChart, type BarSeriesOption, LineChart, type LineSeriesOption } from "echarts/charts";
import {
  type DataZoomComponentOption,
  DataZoomSliderComponent,
  GridComponent,
  type GridComponentOption,
  TooltipComponent,
  type TooltipComponentOption,
} from "echarts/components";
import { type ComposeOption, type EChartsType, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { ChartColors, Drawing } from "./chart.rules.ts";

use([
  BarChart,
  CanvasRenderer,
  DataZoomSliderComponent,
  GridComponent,
  LineChart,
  TooltipComponent,
]);

export type ChartOption = ComposeOption<
  | BarSeriesOption
  | DataZoomComponentOption
  | GridComponentOption
  | LineSeriesOption
  | TooltipComponentOption
>;

const variables = {
  ink: "--ink",
  inkSoft: "--ink-3",
  line: "--line",
  ground: "--surface",
} as const;
const seriesVariables = ["--chart-1", "--chart-2", "--chart-3", "--chart-4"];

/** Resolves the theme's colours at this element, which may be in a dark area of a light theme. */
function colorsAt(element: HTMLElement): ChartColors {
  const probe = document.createElement("span");
  element.append(probe);
  const read = (variable: string) => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    ink: read(variables.ink),
    inkSoft: read(variables.inkSoft),
    line: read(variables.line),
    ground: read(variables.ground),
    series: seriesVariables.map(read),
    fontPx: Number.parseFloat(getComputedStyle(element).fontSize),
  };
  probe.remove();
  return colors;
}

/** Builds a tooltip with classes only: the content security policy forbids style attributes. */
export function tooltipOf(title: string, rows: readonly (readonly [string, string, string?])[]) {
  const box = document.createElement("div");
  box.className = "ui-chart-tip";
  const head = document.createElement("b");
  head.textContent = title;
  box.append(head);
  for (const [name, value, color] of rows) {
    const row = document.createElement("p");
    const dot = document.createElement("i");
    if (color) dot.style.background = color;
    const number = document.createElement("span");
    number.textContent = value;
    row.append(dot, name, number);
    box.append(row);
  }
  return box;
}

type Zoom = Pick<DataZoomComponentOption, "id" | "start" | "end">;

/** New figures of the same days keep the part that the user has zoomed to. */
function zoomed({ dataZoom }: ChartOption, before: unknown): Pick<ChartOption, "dataZoom"> {
  const [shown] = (before as { dataZoom?: Zoom[] } | undefined)?.dataZoom ?? [];
  const next = dataZoom as DataZoomComponentOption | undefined;
  if (!next || !shown || shown.id !== next.id) return {};
  const { start, end } = shown;
  return {
    dataZoom: { ...next, ...(start !== undefined && { start }), ...(end !== undefined && { end }) },
  };
}

/** Draws into the element and redraws when its size changes. */
export function startDrawing(element: HTMLElement): Drawing {
  const chart: EChartsType = init(element);
  let frame = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => chart.resize());
  });
  observer.observe(element);
  const { fontFamily } = getComputedStyle(element);
  return {
    draw: (optionOf) => {
      const option = optionOf(colorsAt(element)) as ChartOption;
      const zoom = zoomed(option, chart.getOption());
      chart.setOption({ textStyle: { fontFamily }, ...option, ...zoom }, true);
    },
    stop: () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      chart.dispose();
    },
  };
}
