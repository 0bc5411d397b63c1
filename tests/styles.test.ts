// Style check: each kind of breach is caught where it is planted, and geometry passes.
import path from "node:path";
import stylelint from "stylelint";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");

async function rulesBroken(code: string, file = "planted.css"): Promise<string[]> {
  const codeFilename = path.join(root, "apps/console/src", file);
  const { results } = await stylelint.lint({ cwd: root, code, codeFilename });
  return results.flatMap(({ warnings }) => warnings.map(({ rule }) => rule));
}

test.each([
  ["a { color: #fff; }", "color-no-hex"],
  ["a { color: red; }", "color-named"],
  ["a { color: rgb(0 0 0 / 8%); }", "function-disallowed-list"],
  ["a { background: light-dark(var(--ink), var(--page)); }", "function-disallowed-list"],
  ["a { font-size: 13px; }", "unit-disallowed-list"],
  ["a { padding: 0 8px; }", "unit-disallowed-list"],
  ["a { gap: calc(100% - 4px); }", "unit-disallowed-list"],
  ["a { border-radius: 6px; }", "unit-disallowed-list"],
  ["a { border-top-left-radius: 6px; }", "unit-disallowed-list"],
  ["@media (width < 640px) { a { margin: 0; } }", "media-feature-name-value-allowed-list"],
  ["@media (max-width: 768px) { a { margin: 0; } }", "media-feature-name-disallowed-list"],
])("raw value: %s is refused", async (code, rule) => {
  expect(await rulesBroken(code)).toContain(rule);
});

test("tokens, hairlines, geometry and breakpoints: pass", async () => {
  const code = `a { width: 240px; padding: 0 var(--space-4); border: 1px solid var(--line); }
    @media (width < 768px) { a { font-size: var(--text-sm); } }`;
  expect(await rulesBroken(code)).toEqual([]);
});

test("tokens.css: holds the raw values", async () => {
  expect(await rulesBroken(":root { --ink: light-dark(#000, #fff); }", "tokens.css")).toEqual([]);
});
