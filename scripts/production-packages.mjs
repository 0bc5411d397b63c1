// Lists the packages that the product is made of, from package-lock.json.
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
 * Paths of what the product is made of: its workspaces, PostgreSQL and Node, and the installed packages that these need at run
 * time. Without development dependencies, optional peers and types.
 */
export function productPaths(lock, folder = root) {
  const { optionalDependencies = {}, workspaces = [] } = lock[""];
  const folders = workspaces.map((pattern) => pattern.replace("*", ""));
  const isInstalled = (path) => existsSync(join(folder, path));
  const starts = Object.keys(lock).filter(
    (path) => !path.includes("node_modules") && folders.some((each) => path.startsWith(each)),
  );
  const runtime = Object.keys(optionalDependencies).map((name) => `node_modules/${name}`);
  return needed(lock, [...starts, ...runtime.filter(isInstalled)], isInstalled);
}

function needed(lock, starts, isInstalled) {
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
