// ECharts setup: the modules in use, in the theme's colours. Loaded lazily with the first chart.
import { BarChart, type BarSeriesOption, LineChart, type LineSeriesOption } from "echarts/charts";
import {
  GridComponent,
  type GridComponentOption,
  TooltipComponent,
  type TooltipComponentOption,
} from "echarts/components";
import { type ComposeOption, type EChartsType, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { ChartColors, Drawing } from "./chart.rules.ts";

use([BarChart, CanvasRenderer, GridComponent, LineChart, TooltipComponent]);

export type ChartOption = ComposeOption<
  BarSeriesOption | GridComponentOption | LineSeriesOption | TooltipComponentOption
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

/** Draws into the element and redraws when its size changes. */
export function startDrawing(element: HTMLElement): Drawing {
  const chart: EChartsType = init(element);
  let frame = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => chart.resize());
  });
  observer.observe(element);
  return {
    draw: (optionOf) => chart.setOption(optionOf(colorsAt(element)) as ChartOption, true),
    stop: () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      chart.dispose();
    },
  };
}
