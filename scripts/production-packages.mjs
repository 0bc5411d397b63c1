// Lists the packages that workspaces need at run time, from package-lock.json.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run-step.mjs";

/** Entries of package-lock.json by path, such as `node_modules/pg` or `apps/server`. */
export function readLock(folder = root) {
  return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
}

/** Path of the package that Node finds for `name` in the package at `from`; undefined if the lock file has none. */
function resolve(lock, from, name) {
  for (let at = from; ; ) {
    const path = `${at && `${at}/`}node_modules/${name}`;
    if (lock[path]) return path;
    if (!at) return undefined;
    at = at.slice(0, Math.max(at.lastIndexOf("/node_modules/"), 0));
  }
}

/**
 * Paths of what `starts` need at run time: installed packages, linked workspaces, `starts` themselves. Without
 * development dependencies, optional peers and types.
 */
export function productionPaths(
  lock,
  starts,
  isInstalled = (path) => existsSync(join(root, path)),
) {
  const found = new Set();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const entry = lock[path];
    if (entry.link) {
      waiting.push(entry.resolved);
      continue;
    }
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    );
    const names = [entry.dependencies, entry.optionalDependencies].flatMap((each) =>
      Object.keys(each ?? {}),
    );
    for (const name of [...names, ...peers]) {
      if (name.startsWith("@types/")) continue;
      const dependency = resolve(lock, path, name);
      if (dependency && isInstalled(dependency)) waiting.push(dependency);
    }
  }
  return [...found].sort();
}
