// Makes node_modules agree with package-lock.json; needs no network when it already does.
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
  // A folder that is there is completed, not emptied: it may hold the Node that runs this script.
  const isFirst = !existsSync(modules);
  await runStep({
    title: isFirst ? "正在安装依赖（首次约一分钟）" : "正在更新依赖",
    command: "npm",
    // Whatever the user's npm settings say: the build tools and the platform's binaries are needed.
    args: [
      ...(isFirst ? ["ci"] : ["install", "--no-save"]),
      ...["--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"],
    ],
    advice: "请检查网络和 npm 的软件源设置，以及当前账户能否写入本文件夹，然后重新运行。",
  });
  writeFileSync(stamp, lock);
}
