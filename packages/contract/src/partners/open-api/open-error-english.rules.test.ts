// English refusals of the open API: every code, without Chinese; chosen by Accept-Language.
import { expect, it } from "vitest";
import { contracts } from "../../contracts.ts";
import type { ErrorCode } from "../../kit/errors.ts";
import { inputErrors } from "../../kit/input-errors.ts";
import own from "../../refusals.json" with { type: "json" };
import { openErrors } from "./open-error.rules.ts";
import { openErrorEnglish, prefersEnglish } from "./open-error-english.rules.ts";

it("each code, and each mistake of input that a call answers with, has an English sentence", () => {
  const ofCalls = Object.keys(contracts["open-api"]).flatMap(
    (key) => (own as Record<string, string[]>)[`open-api.${key}`] ?? [],
  );
  const ofInput = ofCalls.filter((code) => code in inputErrors);
  for (const code of [...Object.keys(openErrors), ...ofInput] as ErrorCode[]) {
    expect(openErrorEnglish(code), code).toMatch(/^[\x20-\x7e]+$/);
  }
});

it("facts: the resource by its English noun; Chinese ones are left out", () => {
  expect(openErrorEnglish("NOT_FOUND", { what: "设备" })).toContain("no such cabinet");
  expect(openErrorEnglish("NO_FREE_COMPARTMENT", { size: "大" })).toMatch(/^[\x20-\x7e]+$/);
  expect(openErrorEnglish("RATE_LIMITED", { seconds: 7 })).toContain("7 seconds");
});

it.each([
  ["en", true],
  ["en-US,en;q=0.9", true],
  ["EN-gb", true],
  ["en-US,en;q=0.9,zh-CN;q=0.8", true],
  ["zh-CN,zh;q=0.9,en;q=0.8", false],
  ["zh;q=0.5, en;q=0.7", true],
  ["fr, en;q=0.1", true],
  ["en;q=0", false],
  ["*", false],
  ["xen", false],
  [undefined, false],
])("Accept-Language %s: English %s", (header, isEnglish) => {
  expect(prefersEnglish(header)).toBe(isEnglish);
});
