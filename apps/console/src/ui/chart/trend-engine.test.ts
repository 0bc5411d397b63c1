// Unfinished points of trends (dashed last segment, lighter last bar, note in the tooltip), zoom of long ones.
import { expect, test } from "vitest";
import type { ChartColors, Trend } from "./chart.rules.ts";
import { trendOption } from "./trend-engine.ts";

const colors: ChartColors = {
  ...{ ink: "#000", inkSoft: "#333", line: "#ccc", ground: "#fff", fontPx: 14 },
  series: ["#1", "#2", "#3", "#4"],
};
const trendOf = (values: number[], more: Partial<Trend> = {}): Trend => ({
  points: values.map((_, index) => (index === values.length - 1 ? "今天" : `11-${20 + index}`)),
  series: [{ name: "单面", values }],
  format: String,
  ...more,
});
const seriesOf = (trend: Trend) =>
  trendOption(trend, colors).series as {
    data: unknown[];
    lineStyle?: { type?: string };
  }[];

test("line over finished days: one solid series", () => {
  const [line, ...others] = seriesOf(trendOf([32, 30, 28]));
  expect(others).toEqual([]);
  expect(line?.data).toEqual([32, 30, 28]);
  expect(line?.lineStyle?.type).toBeUndefined();
});

test("line up to today: solid to yesterday, dashed from there to a hollow point", () => {
  const [solid, dashed, ...others] = seriesOf(trendOf([32, 30, 1], { unfinished: "今日未结束" }));
  expect(others).toEqual([]);
  expect(solid?.data).toEqual([32, 30, null]);
  expect(dashed?.lineStyle?.type).toBe("dashed");
  expect(dashed?.data).toEqual([
    { value: "-", symbol: "none" },
    { value: 30, symbol: "none" },
    { value: 1, symbol: "circle" },
  ]);
});

test("line of today alone: one hollow point", () => {
  const [solid, dashed] = seriesOf(trendOf([5], { unfinished: "今日未结束" }));
  expect(solid?.data).toEqual([null]);
  expect(dashed?.data).toEqual([{ value: 5, symbol: "circle" }]);
});

test("bars up to today: the last one is lighter", () => {
  const series = [{ name: "支付", values: [8, 2], kind: "bar" as const }];
  const [bars] = seriesOf(trendOf([8, 2], { series, unfinished: "今日未结束" }));
  expect(bars?.data).toEqual([8, { value: 2, itemStyle: { opacity: 0.4 } }]);
});

test("trend of more than a month: has a zoom bar, named by its days", () => {
  const zoomOf = (length: number) => trendOption(trendOf(Array(length).fill(1)), colors).dataZoom;
  expect(zoomOf(31)).toBeUndefined();
  expect(zoomOf(90)).toMatchObject({ id: "11-20 90", type: "slider" });
});
