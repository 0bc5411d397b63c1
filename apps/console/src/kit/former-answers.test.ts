// Law: an answer to a former question is shown only where it is marked as one.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const src = path.join(import.meta.dirname, "..");

/** `DrawerList` marks the rows of the former page itself. */
const showsUnmarked = (source: string) =>
  /keepPreviousData: true/.test(source) && !/isPlaceholderData|<DrawerList\b/.test(source);

test("former answers: each call that keeps them marks them, and nothing else keeps any", () => {
  const sources = globSync("**/*.{ts,tsx}", { cwd: src })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(path.join(src, file), "utf8")] as const);
  const unmarked = sources.filter(([, source]) => showsUnmarked(source));
  expect(unmarked.map(([file]) => file)).toEqual([]);
  const own = sources.filter(([, source]) =>
    /placeholderData|[, {]keepPreviousData[,} ]/.test(source),
  );
  expect(own.map(([file]) => file)).toEqual(["kit/query.ts"]);
});

test("former answers: a call that keeps them without a mark is found", () => {
  expect(showsUnmarked("useCall(a, b, { keepPreviousData: true })")).toBe(true);
  expect(
    showsUnmarked("const { isPlaceholderData } = useCall(a, b, { keepPreviousData: true })"),
  ).toBe(false);
});
