// Series colours: by position, unless the series has a tone.
import { expect, test } from "vitest";
import { colorNo, pointTitle } from "./chart.rules.ts";

test("series colour: follows its position; good and bad series use the colour of their tone", () => {
  const series = { name: "条数", values: [1] };
  expect([0, 1, 2, 3, 4].map((index) => colorNo(series, index))).toEqual([1, 2, 3, 4, 1]);
  expect(colorNo({ ...series, tone: "good" }, 0)).toBe(3);
  expect(colorNo({ ...series, tone: "bad" }, 2)).toBe(4);
});

test("point title: the last point names the unfinished period", () => {
  const trend = { points: ["11-21", "今天"], series: [], format: String };
  const titles = (unfinished?: string) =>
    [0, 1].map((index) => pointTitle({ ...trend, unfinished }, index));
  expect(titles()).toEqual(["11-21", "今天"]);
  expect(titles("今日未结束")).toEqual(["11-21", "今天（今日未结束）"]);
});
