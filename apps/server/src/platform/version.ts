// Version of the program from its package.json, and the commit that a release was built from.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../../..");
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8"));

/** Semantic version such as `1.0.0`. */
export const version: string = read("package.json").version;

/** Empty in a checkout, which may have been changed since its last commit. */
export const commit: string = existsSync(path.join(root, "release.json"))
  ? read("release.json").commit
  : "";
