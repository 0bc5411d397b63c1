// Remaining time in the banner of an impersonation.
import { expect, test } from "vitest";
import { timeLeftText } from "./impersonation.rules.ts";

test.each([
  [3_600_000, "60 分钟"],
  [3_599_000, "60 分钟"],
  [300_000, "5 分钟"],
  [299_999, "5:00"],
  [61_000, "1:01"],
  [900, "0:01"],
  [0, "0:00"],
  [-5_000, "0:00"],
])("timeLeftText: %i ms are %s", (ms, text) => {
  expect(timeLeftText(ms)).toBe(text);
});
