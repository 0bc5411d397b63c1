// Implements `npm test`: installs what is missing, runs all checks and tests, prints a summary line.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureConsole } from "./ensure-console.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";
import { root, runStep, StepFailed } from "./run-step.mjs";

const CHECKS = [
  ["类型检查", "check:types"],
  ["格式检查", "check:format"],
  ["导入规则检查", "check:imports"],
  ["无用代码检查", "check:dead"],
  ["措辞检查", "check:language"],
  ["样式检查", "check:styles"],
];

const filters = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };

/** Runs a step; a failure is counted and does not stop the following steps. */
async function attempt(step) {
  try {
    await step();
    return true;
  } catch (error) {
    console.error(error instanceof StepFailed ? `✗ ${error.message}` : error);
    sum.failed += 1;
    return false;
  }
}

async function check([title, script]) {
  const advice = `单独运行：npm run ${script}`;
  const passed = await attempt(() =>
    runStep({ title, command: "npm", args: ["run", "--silent", script], advice }),
  );
  if (passed) sum.passed += 1;
}

async function runVitest(node) {
  const folder = mkdtempSync(join(tmpdir(), "smart-storage-test-"));
  const report = join(folder, "report.json");
  const args = ["node_modules/vitest/vitest.mjs", "run", ...filters];
  args.push("--reporter=default", "--reporter=json", `--outputFile.json=${report}`);
  const code = await run(node, args);
  const result = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  rmSync(folder, { recursive: true });
  const before = sum.failed;
  if (result) {
    sum.passed += result.numPassedTests;
    sum.failed += result.numFailedTests + result.testResults.filter(failedBeforeItsTests).length;
    sum.skipped += result.numPendingTests + result.numTodoTests;
  }
  const executed = result ? result.numPassedTests + result.numFailedTests : 0;
  if (sum.failed === before && (code !== 0 || executed === 0)) {
    console.error(
      executed === 0 ? "✗ 没有运行任何测试。" : "✗ 测试都通过了，但运行中出错，见上面的输出。",
    );
    sum.failed += 1;
  }
}

function failedBeforeItsTests(file) {
  return (
    file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed")
  );
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

async function runAll() {
  if (!(await attempt(ensureNodeModules))) return;
  let node = process.execPath;
  if (!(await attempt(() => (node = ensureNode())))) return;
  process.env.PATH = join(root, "node_modules/.bin") + delimiter + process.env.PATH;
  // Compile cache: hundreds of processes load the same files.
  process.env.NODE_COMPILE_CACHE ??= join(root, ".cache/node");
  if (filters.length === 0) for (const each of CHECKS) await check(each);
  await attempt(async () => {
    process.env.CHROMIUM_PATH = await ensureChromium();
  });
  await attempt(ensureConsole);
  await runVitest(node);
}

await runAll();
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : "";
console.log(`\n${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exit(sum.failed === 0 ? 0 : 1);
