// Implements `npm run release`: demands a deep run of the commit, then builds the archive with the product's Node.
import { spawnSync } from "node:child_process";
import { cleanCommit, deepRunProblem, notedDeepRun } from "./deep-run.mjs";
import { ensureAll } from "./ensure-all.mjs";
import { root, StepFailed } from "./run-step.mjs";

const UNTESTED = "--without-deep-run";

try {
  const problem = deepRunProblem(notedDeepRun(), cleanCommit());
  const isUntested = process.argv.includes(UNTESTED);
  if (problem && !isUntested) {
    throw new StepFailed(`${problem}不经深度测试也要发布：npm run release -- ${UNTESTED}`);
  }
  if (problem) console.warn(`注意：${problem}`);
  const node = await ensureAll();
  const args = ["--disable-warning=ExperimentalWarning", "scripts/build-release.mjs"];
  args.push(...process.argv.slice(2).filter((each) => each !== UNTESTED));
  process.exitCode = spawnSync(node, args, { cwd: root, stdio: "inherit" }).status ?? 1;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
