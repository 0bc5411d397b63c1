// The code of the last release, checked out beside this one.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export const root = path.join(import.meta.dirname, "../..");
const FROZEN = "apps/server/db/released-migrations.json";

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const frozen: Record<string, object> = JSON.parse(readFileSync(path.join(root, FROZEN), "utf8"));

/** The commit that froze the migrations of the last release; null where the history does not have it. */
export function findRelease(): string | null {
  try {
    if (git("rev-parse", "--is-shallow-repository").trim() !== "false") return null;
    const commit = git("log", "-1", "--format=%H", "--", FROZEN).trim();
    const paths = git("ls-tree", "--name-only", commit, "apps/server/db/migrations/").trim();
    const names = paths.split("\n").map((each) => path.basename(each));
    const released = Object.values(frozen).flatMap((files) => Object.keys(files));
    return String(names.sort()) === String(released.sort()) ? commit : null;
  } catch {
    return null;
  }
}

/**
 * The release's code in a new folder, with the libraries that are installed here. Those that it alone needs stay in
 * `devDependencies` until the next release.
 */
export async function checkOut(commit: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "release-"));
  const archive = path.join(folder, "code.tar");
  git("archive", "--output", archive, commit, "package.json", "apps/server", "packages");
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  const libraries = path.join(folder, "node_modules");
  await mkdir(path.join(libraries, "@cabinet"), { recursive: true });
  for (const name of await readdir(path.join(root, "node_modules"))) {
    if (name === "@cabinet") continue;
    await symlink(path.join(root, "node_modules", name), path.join(libraries, name));
  }
  for (const [name, place] of [
    ...[["contract", "packages/contract"] as const, ["link", "packages/cabinet-link"] as const],
    ...[["open-api-client", "packages/open-api-client"] as const],
  ]) {
    await symlink(path.join(folder, place), path.join(libraries, "@cabinet", name));
  }
  // Served files; no request of this test asks for one.
  for (const app of ["console", "pickup"]) {
    await mkdir(path.join(folder, "apps", app), { recursive: true });
    await symlink(path.join(root, "apps", app, "dist"), path.join(folder, "apps", app, "dist"));
  }
  return folder;
}

export async function migrationsIn(code: string): Promise<string[]> {
  return (await readdir(path.join(code, "apps/server/db/migrations"))).sort();
}
