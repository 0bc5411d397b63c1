// Finds the Node for the product: the one in node_modules, else the running one if new enough.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, StepFailed } from "./run-step.mjs";

const NEEDED_MAJOR = 24;

export function ensureNode() {
  const platform = `${process.platform}-${process.arch}`;
  const brought = join(root, "node_modules", `node-${platform}`, "bin", "node");
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) return process.execPath;
  throw new StepFailed(
    `没有适合这台机器（${platform}）的 Node ${NEEDED_MAJOR}，当前版本是 ${process.versions.node}。请安装 Node ${NEEDED_MAJOR} 后重新运行。`,
  );
}
