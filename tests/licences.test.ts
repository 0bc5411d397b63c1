// Licence check: the product passes, and a planted package with a forbidden licence is found.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

const { forbiddenLicences, isAllowed, licenceOf } = await import(
  path.join(import.meta.dirname, "../scripts/check-licences.mjs")
);

/** A project that depends on `planted` with these fields in its package.json. */
function plantedProject(fields: object): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "licences-"));
  const write = (file: string, content: object) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), JSON.stringify(content));
  };
  write("package-lock.json", {
    packages: {
      "": { workspaces: ["apps/*"], devDependencies: { tool: "1.0.0" } },
      "apps/server": { dependencies: { honest: "1.0.0" } },
      "node_modules/honest": { version: "1.0.0", dependencies: { planted: "1.0.0" } },
      "node_modules/honest/node_modules/planted": { version: "1.0.0" },
      "node_modules/planted": { version: "2.0.0" },
      "node_modules/tool": { version: "1.0.0" },
    },
  });
  write("node_modules/honest/package.json", { license: "MIT" });
  write("node_modules/honest/node_modules/planted/package.json", fields);
  write("node_modules/planted/package.json", { license: "AGPL-3.0" });
  write("node_modules/tool/package.json", { license: "GPL-3.0" });
  return folder;
}

test.each([
  [{ license: "GPL-3.0-only" }, ["planted 1.0.0: GPL-3.0-only"]],
  [{ licenses: [{ type: "SSPL-1.0" }] }, ["planted 1.0.0: SSPL-1.0"]],
  [{}, ["planted 1.0.0: none"]],
  [{ license: "ISC" }, []],
])("dependency of a dependency with %j: %j", (fields, found) => {
  const folder = plantedProject(fields);
  expect(forbiddenLicences(folder)).toEqual(found);
  rmSync(folder, { recursive: true });
});

test.each([
  ["MIT", true],
  ["(MPL-2.0 OR Apache-2.0)", true],
  ["MIT AND CC-BY-4.0", false],
  ["UNLICENSED", false],
])("expression %s: allowed %s", (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed);
});

test("licence of an old package: its object is read", () => {
  expect(licenceOf({ licenses: [{ type: "MIT" }, { type: "GPL-2.0" }] })).toBe("MIT OR GPL-2.0");
});

test("product: every package is allowed", () => {
  expect(forbiddenLicences()).toEqual([]);
});
