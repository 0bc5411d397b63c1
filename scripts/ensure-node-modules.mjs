// Installs node_modules from package-lock.json; needs no network if they already match.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runStep } from "./run-step.mjs";

const modules = join(root, "node_modules");
const stamp = join(modules, ".installed-lock");

export async function ensureNodeModules() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const isOffline = !reachesRegistry();
  if (isOffline) {
    console.log("连不上 npm 的软件源：只能用这台机器缓存过的包，第一次安装需要网络。");
  }
  await runStep({
    title: existsSync(modules) ? "正在更新依赖" : "正在安装依赖（首次约一分钟）",
    command: "npm",
    // "npm ci" deletes node_modules first: a server that still runs from it would miss files.
    args: [
      ...(existsSync(modules) ? ["install", "--no-save"] : ["ci"]),
      ...["--include=dev", "--include=optional"],
      ...["--no-audit", "--no-fund", "--loglevel=error"],
      // Short retries: without a network npm would retry for many minutes before it fails.
      ...["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=1500"],
      isOffline ? "--offline" : "--prefer-offline",
    ],
    advice: isOffline
      ? "第一次安装需要网络：请接通网络，或设置 npm 的软件源和代理，然后重新运行；生产机器可以改用发布包。"
      : "请检查网络和 npm 的软件源设置，以及当前账户能否写入本文件夹，然后重新运行。",
  });
  writeFileSync(stamp, lock);
}

/** Asks through npm, which knows registry and proxies. A registry that refuses to answer a ping is there. */
function reachesRegistry() {
  const args = ["ping", "--fetch-retries=0", "--fetch-timeout=5000", "--loglevel=error"];
  const { status, stderr } = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  return status === 0 || !/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|TIMEDOUT|TIMEOUT|UNREACH/.test(stderr);
}
