// Law: nothing of the console loads late but through `late`, which says that it has failed and tries again.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const src = path.join(import.meta.dirname, "..");

/** The router's pages, whose failure has a page of its own, and the start of the console. */
const LOADERS = ["pages.ts", "routes.tsx", "main.tsx", "shell/library-part.tsx"];

/** Statements of the source that load a module, or a component, by themselves. */
function looseLoads(source: string): string[] {
  const code = source.replace(/\/\*.*?\*\/|\/\/.*$/gms, "");
  const statements = code.split(/;\s*$/m);
  return statements.filter(
    (statement) =>
      (/\bimport\(/.test(statement) && !/\blate(Part|Dialog)?(<.*>)?\(/s.test(statement)) ||
      /\blazy\b.* from "react"/s.test(statement),
  );
}

test("late parts: no other module calls import() or lazy", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: src }).filter(
    (file) => !/\.test\.tsx?$|\.d\.ts$/.test(file) && !LOADERS.includes(file),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    looseLoads(readFileSync(path.join(src, file), "utf8")).map((load) => `${file}: ${load.trim()}`),
  );
  expect(found).toEqual([]);
});

test("late parts: a lazy component and a bare import are found", () => {
  expect(looseLoads('import { lazy, useState } from "react";\n')).toHaveLength(1);
  expect(looseLoads('const load = () => import("./part.tsx");\n')).toHaveLength(1);
  expect(looseLoads('const part = late(() => import("./part.ts"));\n')).toEqual([]);
  expect(
    looseLoads('const A = latePart<Props>(\n  async () => (await import("./a.tsx")).A,\n);\n'),
  ).toEqual([]);
});
