// Reads the migrations of this release: their text, hash, and the releases that may run against them.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export const MIGRATIONS = path.join(import.meta.dirname, "../../../db/migrations");

export interface Migration {
  name: string;
  text: string;
  sha256: string;
  /** Oldest release that may run against the migrated schema; null if every earlier one may. */
  oldestRelease: string | null;
  /** Consists of `create index concurrently` and the like, which PostgreSQL refuses in a transaction. */
  isConcurrent: boolean;
}

/** In the order in which they are applied. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), "utf8");
      return {
        name,
        text,
        sha256: createHash("sha256").update(text).digest("hex"),
        oldestRelease: /^-- oldest release: (\d+\.\d+\.\d+)$/m.exec(text)?.[1] ?? null,
        isConcurrent: /^create (?:unique )?index concurrently /m.test(text),
      };
    }),
  );
}

/** Compares semantic versions such as `1.10.0` and `1.9.3-rc.1`; what follows a hyphen is ignored. */
export function compareReleases(a: string, b: string): number {
  const numbers = (release: string) =>
    release
      .replace(/[-+].*/, "")
      .split(".")
      .map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  const differing = left.findIndex((number, place) => number !== right[place]);
  return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}
