// Builds one archive with server, console, Node and PostgreSQL in dist/, with checksum and bill of materials.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fillRelease } from "./fill-release.mjs";
import { unreleasedMigrations } from "./freeze-migrations.mjs";
import { productPaths, readLock } from "./production-packages.mjs";
import { gitState, releaseName } from "./release-name.mjs";
import { root, runStep, StepFailed } from "./run-step.mjs";

/** `--folder PATH` fills this folder and makes no archive. */
async function build([option, place]) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { commit, committedAt, tags } = gitState();
  const [unfrozen] = Object.keys(unreleasedMigrations());
  if (unfrozen && tags.includes(`v${version}`)) {
    throw new StepFailed(
      `迁移 ${unfrozen} 还没有冻结：请先执行 node scripts/freeze-migrations.mjs，提交后再打标签。`,
    );
  }
  const name = releaseName(version, { commit, tags });
  const folder = option === "--folder" ? place : join(root, "dist", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.log("正在收集文件…");
  await fillRelease(folder, { version, commit, committedAt, node: process.version });
  writeFileSync(join(folder, "sbom.cdx.json"), billOfMaterials());
  tryLoading(folder);
  const megabytes = Math.round((diskUse(folder) * 1024) / 1_000_000);
  console.log(`发布包 ${version}（${commit}）展开后 ${megabytes} MB`);
  if (option === "--folder") return;
  const archive = await pack(folder, committedAt);
  const size = Math.round(statSync(archive).size / 1_000_000);
  console.log(`已生成 ${archive}（${size} MB）和 ${basename(archive)}.sha256`);
}

/**
 * CycloneDX; also lists the packages that the console's files were built from. The lock file decides: `npm sbom
 * --omit=dev` leaves out what the server needs if the repository's tools need it, too.
 */
function billOfMaterials() {
  const args = ["sbom", "--sbom-format=cyclonedx", "--loglevel=error"];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 64 * 1_048_576 };
  const bill = JSON.parse(execFileSync("npm", args, options));
  const lock = readLock();
  const nameOf = (path) => lock[path].name ?? path.split("node_modules/").at(-1);
  const used = new Set(productPaths(lock).map((path) => `${nameOf(path)}@${lock[path].version}`));
  bill.components = bill.components.filter(({ "bom-ref": ref }) =>
    used.has(ref.replace(/@v(?=\d)/, "@")),
  );
  const refs = new Set(bill.components.map((component) => component["bom-ref"]));
  const top = bill.metadata.component["bom-ref"];
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => ref === top || refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Imports each dependency of the server with the release's own Node, from the release's own files. */
function tryLoading(folder) {
  const cwd = join(folder, "apps/server");
  const { dependencies } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  // The contract has no entry: its files are imported by name.
  const names = Object.keys(dependencies).filter((name) => name !== "@cabinet/contract");
  const program = `for (const name of ${JSON.stringify(names)}) await import(name)`;
  const args = ["--input-type=module", "--eval", program];
  const { status } = spawnSync(join(folder, "bin/node"), args, { cwd, stdio: "inherit" });
  if (status !== 0) throw new StepFailed("发布包缺少上面所说的文件，见 scripts/fill-release.mjs。");
}

/** In units of 1,024 bytes. */
function diskUse(folder) {
  return Number.parseInt(execFileSync("du", ["-sk", folder], { encoding: "utf8" }), 10);
}

/** The same commit gives the same list of files: order, owner and times of the archive are fixed. */
async function pack(folder, committedAt) {
  const archive = `${folder}.tar.gz`;
  const fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];
  await runStep({
    title: "正在打包",
    command: "tar",
    args: [
      ...["--create", "--gzip", `--file=${archive}`, `--mtime=${committedAt}`, ...fixed],
      ...[`--directory=${dirname(folder)}`, basename(folder)],
    ],
    advice: "请检查磁盘空间。",
  });
  const hash = createHash("sha256");
  await pipeline(createReadStream(archive), hash);
  writeFileSync(`${archive}.sha256`, `${hash.digest("hex")}  ${basename(archive)}\n`);
  return archive;
}

try {
  await build(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
