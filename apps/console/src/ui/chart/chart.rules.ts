// Input of a chart: colours, series, number formats.

/** Colours and text size at the place where the chart is drawn. */
export interface ChartColors {
  ink: string;
  inkSoft: string;
  line: string;
  ground: string;
  /** Colours of series, in order. */
  series: readonly string[];
  /** Text size around the chart; labels are slightly smaller. */
  fontPx: number;
}

export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Chart mounted in an element. */
export interface Drawing {
  /** Draws with the ECharts option that `optionOf` builds from the colours. */
  draw: (optionOf: (colors: ChartColors) => object) => void;
  stop: () => void;
}

export interface TrendSeries {
  name: string;
  values: readonly number[];
  kind?: "line" | "bar";
  /** Overrides the positional colour for good or bad figures. */
  tone?: "good" | "bad";
}

const toneColors = { good: 3, bad: 4 } as const;

/** 1-based colour number of a series. Next to series with a tone only positions 1 and 2 are free. */
export function colorNo({ tone }: TrendSeries, index: number): number {
  return tone ? toneColors[tone] : (index % 4) + 1;
}

/** Figures over days or hours, all in one unit. */
export interface Trend {
  /** Axis labels, one for each value; undefined while loading. */
  points: readonly string[] | undefined;
  series: readonly TrendSeries[];
  /** Formats a value: `¥12.30`, `5 单`. */
  format: (value: number) => string;
  /** Shorter format for the axis. */
  formatAxis?: (value: number) => string;
  /** Label such as `今日未结束`: the last point is still growing and is drawn dashed or lighter. */
  unfinished?: string | undefined;
}

/** Title of a point, such as `今天（今日未结束）`. */
export function pointTitle({ points = [], unfinished }: Trend, index: number): string {
  const title = points[index] ?? "";
  return unfinished && index === points.length - 1 ? `${title}（${unfinished}）` : title;
}

/**
 * Splits a line into the values before its unfinished point and the dashed segment that leads to
 * it.
 */
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
