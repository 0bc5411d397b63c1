// Error texts belong in the error table: no refusal has an inline sentence.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { errorTable } from "@cabinet/contract/kit/errors.ts";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../apps/server/src");
const files = globSync("**/*.ts", { cwd: root }).filter(
  (file) => !file.endsWith(".test.ts") && file !== path.join("platform", "errors.ts"),
);

/**
 * Arguments of `invalid()` and `new Refusal("VALIDATION")` that are a text instead of a rule's
 * result.
 */
function inlineSentences(source: string): string[] {
  const calls = source.matchAll(/\binvalid\(\s*([^;]*?)\)[;,]?\n|\binvalid\(\s*(["'`][^;]*)/g);
  const refusals = source.matchAll(/new Refusal\(\s*"VALIDATION",[^;]*?,\s*(["'`][^;]*)/g);
  const given = [...calls].map(([, whole = "", start = ""]) => whole || start);
  const isOfRule = /^(\w*[pP]roblem|\w+\.problem|facts|explainValidation\(.*)$/s;
  return [
    ...given.filter((argument) => !isOfRule.test(argument)),
    ...[...refusals].map(([, argument = ""]) => argument),
  ];
}

it.each([
  'if (!x) invalid("请填写名称");\n',
  "invalid(`最多 20 项`);\n",
  'invalid(\n    "请填写名称",\n  );\n',
  'invalid(before ? "甲" : "乙");\n',
  "const made = found ?? invalid(HINT);\n",
  'return kept ?? invalid("请重新填写密钥");\n',
  'throw new Refusal("VALIDATION", undefined, "请填写名称");\n',
])("inline sentence is found: %s", (source) => {
  expect(inlineSentences(source)).toHaveLength(1);
});

it.each(["if (problem) invalid(problem);\n", 'refuse("CONFIG_EMPTY");\n'])(
  "argument of a rule, or an error code, is accepted: %s",
  (source) => {
    expect(inlineSentences(source)).toEqual([]);
  },
);

it("server: no inline sentences", () => {
  const found = files.flatMap((file) =>
    inlineSentences(readFileSync(path.join(root, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

it("error table: each sentence under one code only", () => {
  const texts = Object.values(errorTable).map(({ text }) => text);
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
});

it("error table: each code is used", () => {
  const sources = globSync(["apps/*/src/**/*.{ts,tsx}", "packages/*/src/**/*.ts"], {
    cwd: path.join(root, "../../.."),
    exclude: ["**/*.test.*", "packages/contract/src/kit/errors.ts"],
  }).map((file) => readFileSync(path.join(root, "../../..", file), "utf8"));
  const words = new Set(sources.join("\n").match(/\b[A-Z][A-Z0-9_]+\b/g));
  expect(Object.keys(errorTable).filter((code) => !words.has(code))).toEqual([]);
});
