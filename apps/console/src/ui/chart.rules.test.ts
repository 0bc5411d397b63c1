// Colours of series: by place, unless the news is good or bad.
import { expect, test } from "vitest";
import { colorNo } from "./chart.rules.ts";

test("A series has the colour of its place, good and bad news that of what they are", () => {
  const series = { name: "条数", values: [1] };
  expect([0, 1, 2, 3, 4].map((index) => colorNo(series, index))).toEqual([1, 2, 3, 4, 1]);
  expect(colorNo({ ...series, tone: "good" }, 0)).toBe(3);
  expect(colorNo({ ...series, tone: "bad" }, 2)).toBe(4);
});
