// Installs node_modules from package-lock.json; needs no network if they already match.
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
  await runStep({
    title: existsSync(modules) ? "正在更新依赖" : "正在安装依赖（首次约一分钟）",
    command: "npm",
    // Not "npm ci": it requires optional packages of all other platforms in the lock file, and it
    // deletes node_modules, which contains the Node that runs this script.
    args: [
      ...["install", "--no-save", "--include=dev", "--include=optional"],
      ...["--no-audit", "--no-fund", "--loglevel=error"],
      // Short retries: without a network npm would retry for many minutes before it fails.
      ...["--prefer-offline", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=1500"],
    ],
    advice: "请检查网络和 npm 的软件源设置，以及当前账户能否写入本文件夹，然后重新运行。",
  });
  writeFileSync(stamp, lock);
}
