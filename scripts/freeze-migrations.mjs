// Records the hashes of migrations that a release contains; tests/migrations.test.ts refuses to see them changed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./run-step.mjs";

const folder = join(root, "apps/server/db/migrations");
const record = join(root, "apps/server/db/released-migrations.json");

/** By release, then by file: SHA-256. */
const readReleased = () => JSON.parse(readFileSync(record, "utf8"));

/** Hashes of migrations that no release contains yet, by file. */
export function unreleasedMigrations() {
  const known = new Set(Object.values(readReleased()).flatMap(Object.keys));
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql") && !known.has(name));
  const hashOf = (name) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return Object.fromEntries(names.sort().map((name) => [name, hashOf(name)]));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const released = readReleased();
  const added = unreleasedMigrations();
  released[version] = { ...released[version], ...added };
  writeFileSync(record, `${JSON.stringify(released, null, 2)}\n`);
  console.log(`${version}：新冻结 ${Object.keys(added).length} 个迁移`);
}
