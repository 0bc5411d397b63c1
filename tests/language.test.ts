// Language check: each kind of breach is caught where it is planted.
import path from "node:path";
import { expect, test } from "vitest";

const { findBreaches } = await import(
  path.join(import.meta.dirname, "../scripts/check-language.mjs")
);

const textsOf = (source: string, file = "apps/server/src/plan.ts"): string[] =>
  findBreaches(file, source).map(({ text }: { text: string }) => text);

test.each([
  "// Whoever reads this has to guess.",
  "/** What is kept until the exit. */",
  "/*\n * Of all cabinets, these.\n */",
])("comment without a subject: %s", (comment) => {
  expect(textsOf(`${comment}\nexport const one = 1;\n`)).toHaveLength(1);
});

test("comment with a subject: passes, its following lines included", () => {
  const source = "// The pool drops dead connections.\n// It counts them.\nexport const one = 1;\n";
  expect(textsOf(source)).toEqual([]);
});

test.each([
  'const text = "对方返回错误";',
  "const text = `没有收到回答`;",
  "const view = <p>没有得到回答</p>;",
])("words that a screen never says: %s", (source) => {
  expect(textsOf(`${source}\n`, "apps/console/src/plan.tsx")).toHaveLength(1);
  expect(textsOf(`${source}\n`, "apps/console/src/plan.test.tsx")).toEqual([]);
});

test("test title without a subject: is reported in test files alone", () => {
  const source = 'it("what is sent twice", () => {});\n';
  const titled = source.replace("what", "What");
  expect(textsOf(titled, "tests/plan.test.ts")).toEqual(["What is sent twice"]);
  expect(textsOf(titled)).toEqual([]);
  expect(textsOf(source, "tests/plan.test.ts")).toEqual([]);
});

test.each([
  "const deeds = [];",
  "function tellOrder() {}",
  "class Plan { #street = 1; }",
  "type DoorWish = string;",
  "const told = 1;",
])("identifier of the old vocabulary: %s", (source) => {
  expect(textsOf(`${source}\n`)).toHaveLength(1);
});

test("wire name: allowed as a property, not as a variable", () => {
  expect(textsOf("export const row = { toldState: 1 };\n")).toEqual([]);
  expect(textsOf("export const toldState = 1;\n")).toEqual(["toldState"]);
});
