// Checks that each package of the product has a licence that allows selling it with closed source.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { productPaths, readLock } from "./production-packages.mjs";
import { root } from "./run-step.mjs";

/** SPDX identifiers. They demand a notice at most: releases contain the texts, and sbom.cdx.json names each. */
const ALLOWED = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0"],
  ...["ISC", "MIT", "MIT-0", "PostgreSQL", "Python-2.0", "Unlicense", "Zlib"],
]);

/** Packages whose statement is another one, by the beginning of their name, and why they may be used. */
const JUDGED = {
  "@darabonba/typescript": "Apache-2.0, stated in words",
  "@img/sharp-libvips-": "LGPL: a shared library of its own, which can be replaced",
  "node-linux-": "MIT, in its file LICENSE",
};

/** True if the SPDX expression can be fulfilled with allowed licences: each side of AND, one side of OR. */
export function isAllowed(expression) {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (/ AND /.test(text)) return text.split(" AND ").every(isAllowed);
  if (/ OR /.test(text)) return text.split(" OR ").some(isAllowed);
  return ALLOWED.has(text.trim());
}

/** Licences as package.json states them: a string, or the older object or list of objects. */
export function licenceOf({ license, licenses }) {
  const stated = license ?? licenses;
  const names = [stated].flat().map((each) => (typeof each === "object" ? each?.type : each));
  return names.filter(Boolean).join(" OR ") || "none";
}

/** Sentences about packages of `folder` whose licence is not allowed. */
export function forbiddenLicences(folder = root) {
  const lock = readLock(folder);
  const paths = productPaths(lock, folder);
  return paths.flatMap((path) => {
    if (!path.includes("node_modules/") || lock[path].link) return [];
    const name = path.split("node_modules/").at(-1);
    if (Object.keys(JUDGED).some((start) => name.startsWith(start))) return [];
    const licence = licenceOf(JSON.parse(readFileSync(join(folder, path, "package.json"), "utf8")));
    return isAllowed(licence) ? [] : [`${name} ${lock[path].version}: ${licence}`];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const forbidden = forbiddenLicences();
  if (forbidden.length > 0) {
    console.error(`Licences that are not allowed (ALLOWED and JUDGED in this script decide):`);
    for (const each of forbidden) console.error(`  ${each}`);
    process.exitCode = 1;
  }
}
