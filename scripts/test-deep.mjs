// Implements `npm run test:deep`: runs in full what `npm test` samples, and notes the commit for `npm run release`.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { cleanCommit, noteDeepRun } from "./deep-run.mjs";
import { root } from "./run-step.mjs";

/** Test files that only a deep run has, and those that `npm test` samples: these ask `support/deep.ts`. */
function deepFiles() {
  const args = [
    "grep",
    "--untracked",
    "--files-with-matches",
    "support/deep.ts",
    "--",
    "*.test.ts",
  ];
  const sampled = execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
  return [".deep.test.ts", ...sampled];
}

const filters = process.argv.slice(2);
const commit = cleanCommit();
const files = filters.length > 0 ? filters : deepFiles();
const { status } = spawnSync(process.execPath, [join(root, "scripts/test.mjs"), ...files], {
  ...{ cwd: root, stdio: "inherit", env: { ...process.env, DEEP: "on" } },
});
process.exitCode = status ?? 1;
if (status === 0 && filters.length === 0) {
  if (commit !== null && commit === cleanCommit()) {
    noteDeepRun(commit);
    console.log(`提交 ${commit} 通过了深度测试，可以发布。`);
  } else console.log("工作区有未提交的改动，这次深度测试不算发布前的那一次。");
}
