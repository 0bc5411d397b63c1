import { expect, test } from "vitest";
import { unitOf } from "./minutes.rules.ts";

test.each([
  [null, 1],
  [0, 1],
  [45, 1],
  [60, 60],
  [90, 1],
  [1_440, 1_440],
  [1_500, 60],
  [10_080, 1_440],
])("%s minutes are shown in units of %s", (minutes, unit) => {
  expect(unitOf(minutes)).toBe(unit);
});
