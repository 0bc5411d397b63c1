// What a chart is told: its colours, its figures, how they read.

/** Colours and size of text where it is drawn. */
export interface ChartColors {
  ink: string;
  inkSoft: string;
  line: string;
  ground: string;
  /** Of series, in their order. */
  series: readonly string[];
  /** Of text around it: labels are a little smaller. */
  fontPx: number;
}

export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A chart on screen. */
export interface Drawing {
  /** With the option of ECharts that is wanted in these colours. */
  draw: (optionOf: (colors: ChartColors) => object) => void;
  stop: () => void;
}

export interface TrendSeries {
  name: string;
  values: readonly number[];
  kind?: "line" | "bar";
  /** What is good or bad news has the colour of it, whatever its place. */
  tone?: "good" | "bad";
}

const toneColors = { good: 3, bad: 4 } as const;

/** Which colour of charts a series has, from 1; beside tones, only the first and second places are free. */
export function colorNo({ tone }: TrendSeries, index: number): number {
  return tone ? toneColors[tone] : (index % 4) + 1;
}

/** Figures over days or hours, all of one unit. */
export interface Trend {
  /** What stands under the axis, one for each value; undefined while they are fetched. */
  points: readonly string[] | undefined;
  series: readonly TrendSeries[];
  /** How a value reads: `¥12.30`, `5 单`. */
  format: (value: number) => string;
  /** Shorter, at the axis. */
  formatAxis?: (value: number) => string;
  /** `今日未结束`: the last point is still growing, and is drawn dashed or lighter. */
  unfinished?: string | undefined;
}

/** `今天（今日未结束）` */
export function pointTitle({ points = [], unfinished }: Trend, index: number): string {
  const title = points[index] ?? "";
  return unfinished && index === points.length - 1 ? `${title}（${unfinished}）` : title;
}

/** The values of a line before its unfinished point, and those of the dashed segment that leads to it. */
export function splitUnfinished(values: readonly number[]): {
  finished: (number | null)[];
  unfinished: (number | null)[];
} {
  const last = values.length - 1;
  return {
    finished: values.map((value, index) => (index < last ? value : null)),
    unfinished: values.map((value, index) => (index >= last - 1 ? value : null)),
  };
}
