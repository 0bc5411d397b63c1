// Text and tone of a figure compared with the previous period.
import { expect, it } from "vitest";
import { figureChange } from "./figure-change.rules.ts";

it.each([
  [150, 100, {}, "↑ 50.0%", "good"],
  [50, 100, {}, "↓ 50.0%", "bad"],
  [50, 100, { isBurden: true }, "↓ 50.0%", "good"],
  [0.95, 0.9, { isShare: true }, "↑ 5.0 个百分点", "good"],
  [0.2, 0.1, { isShare: true, isBurden: true }, "↑ 10.0 个百分点", "bad"],
] as const)("%d after %d as %o: shows %s with tone %s", (now, before, kind, note, tone) => {
  expect(figureChange(now, before, kind)).toEqual({ note, tone });
});

it.each([
  [0.9938, 0.9942, { isShare: true }],
  [10_000, 10_004, { isBurden: true }],
  [7, 7, {}],
] as const)("neutral for %d after %d: it would be displayed as no change", (now, before, kind) => {
  expect(figureChange(now, before, kind)).toEqual({ note: "持平", tone: "even" });
});

it.each([
  [1, 0],
  [null, 3],
  [3, null],
])("calculates no change from %s after %s", (now, before) => {
  expect(figureChange(now, before)).toEqual({ note: "上期无数据", tone: "even" });
});
