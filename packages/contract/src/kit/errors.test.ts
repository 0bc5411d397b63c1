// Tests the error table: sentences for each audience.
import { expect, test } from "vitest";
import { type ErrorCode, errorTable, errorText } from "./errors.ts";

test("errors: no sentence for API clients names a console page", () => {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const sentences = codes.map((code) => errorText(code, {}, "api"));
  expect(sentences.filter((sentence) => /刷新|打开页面/.test(sentence))).toEqual([]);
  expect(errorText("CONFLICT", { what: "门店" })).toBe("门店刚刚被修改过，请刷新后重试");
});
