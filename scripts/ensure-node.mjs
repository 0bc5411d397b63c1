// Finds the Node for the product: the one in node_modules, else the running one if new enough.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, StepFailed } from "./run-step.mjs";

const NEEDED_MAJOR = 24;

/** The only machines for which a package of Node exists. */
const WITH_NODE = "linux-x64";

/** Stops before anything is installed on a machine where the server cannot run then. */
export function requireMachine(
  platform = `${process.platform}-${process.arch}`,
  version = process.versions.node,
) {
  if (platform === WITH_NODE || Number(version.split(".")[0]) >= NEEDED_MAJOR) return;
  throw new StepFailed(
    `这台机器是 ${platform}，当前的 Node ${version} 不能运行本系统：只有 ${WITH_NODE} 自带 Node ${NEEDED_MAJOR}。请先安装 Node ${NEEDED_MAJOR}，再重新运行；没有在 ${platform} 上试过。`,
  );
}

export function ensureNode() {
  const platform = `${process.platform}-${process.arch}`;
  const brought = join(root, "node_modules", `node-${platform}`, "bin", "node");
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) return process.execPath;
  throw new StepFailed(
    `没有适合这台机器（${platform}）的 Node ${NEEDED_MAJOR}，当前版本是 ${process.versions.node}。请安装 Node ${NEEDED_MAJOR} 后重新运行。`,
  );
}
