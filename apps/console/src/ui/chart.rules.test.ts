// Colours of series: by place, unless the news is good or bad.
import { expect, test } from "vitest";
import { colorNo, pointTitle } from "./chart.rules.ts";

test("A series has the colour of its place, good and bad news that of what they are", () => {
  const series = { name: "条数", values: [1] };
  expect([0, 1, 2, 3, 4].map((index) => colorNo(series, index))).toEqual([1, 2, 3, 4, 1]);
  expect(colorNo({ ...series, tone: "good" }, 0)).toBe(3);
  expect(colorNo({ ...series, tone: "bad" }, 2)).toBe(4);
});

test("title of a point: the last one names what is unfinished", () => {
  const trend = { points: ["11-21", "今天"], series: [], format: String };
  const titles = (unfinished?: string) =>
    [0, 1].map((index) => pointTitle({ ...trend, unfinished }, index));
  expect(titles()).toEqual(["11-21", "今天"]);
  expect(titles("今日未结束")).toEqual(["11-21", "今天（今日未结束）"]);
});
