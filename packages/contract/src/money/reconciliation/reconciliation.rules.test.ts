// Tests the result text of a reconciliation run.
import { expect, it } from "vitest";
import { runResultText } from "./reconciliation.rules.ts";

it.each([
  [0, 0, "本次未发现差异"],
  [2, 0, "发现 2 项差异"],
  [0, 3, "已知差异 3 项"],
  [2, 3, "发现 2 项差异，已知差异 3 项"],
])("run result: %i open and %i known differences", (found, known, text) => {
  expect(runResultText({ found, known })).toBe(text);
});
