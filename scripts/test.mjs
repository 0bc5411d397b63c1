// Implements `npm test`: installs what is missing, runs all checks and tests, prints a summary line.
// `npm run test:quick` runs the checks, the unit tests and the tests beside changed files.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";
import { ensurePages } from "./ensure-pages.mjs";
import { root, runStep, StepFailed } from "./run-step.mjs";

const CHECKS = [
  ["类型检查", "check:types"],
  ["格式检查", "check:format"],
  ["导入规则检查", "check:imports"],
  ["无用代码检查", "check:dead"],
  ["措辞检查", "check:language"],
  ["样式检查", "check:styles"],
  ["许可证检查", "check:licences"],
];

const isQuick = process.argv[2] === "--quick";
const filters = process.argv.slice(isQuick ? 3 : 2);
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

/** The type check takes as long as the other checks together: they run beside it. */
async function runChecks() {
  const [types, ...others] = CHECKS;
  await Promise.all([
    check(types),
    (async () => {
      for (const each of others) await check(each);
    })(),
  ]);
}

/** Tests of the uncommitted files: changed tests, and those of the same noun in the same folder. */
function testsBesideChanges() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  const changed = `${git("diff", "--name-only", "HEAD")}${git("ls-files", "--others", "--exclude-standard")}`;
  const tests = new Set();
  for (const file of changed.split("\n").filter((name) => /\.tsx?$/.test(name))) {
    const noun = basename(file).split(".")[0];
    const folder = join(root, dirname(file));
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names) {
      const isTest = /\.test\.tsx?$/.test(name);
      if (isTest && name.startsWith(`${noun}.`)) tests.add(join(dirname(file), name));
    }
  }
  return [...tests];
}

async function runVitest(node, filters) {
  const folder = mkdtempSync(join(tmpdir(), "smart-storage-test-"));
  const report = join(folder, "report.json");
  const args = ["node_modules/vitest/vitest.mjs", "run", ...filters];
  args.push("--reporter=default", "--reporter=json", `--outputFile.json=${report}`);
  const code = await run(node, args);
  const result = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  rmSync(folder, { recursive: true });
  const { numPassedTests: passed = 0, numFailedTests = 0, testResults = [] } = result ?? {};
  const failed = numFailedTests + testResults.filter(failedBeforeItsTests).length;
  sum.passed += passed;
  sum.failed += failed;
  if (result) sum.skipped += result.numPendingTests + result.numTodoTests;
  const executed = passed + numFailedTests;
  if (failed === 0 && (code !== 0 || executed === 0)) {
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
  // Without a locale Java and the browser's downloads write "?" in place of Chinese characters.
  process.env.LC_ALL = "C.UTF-8";
  // Compile cache: hundreds of processes load the same files.
  process.env.NODE_COMPILE_CACHE ??= join(root, ".cache/node");
  const checks = filters.length === 0 ? runChecks() : undefined;
  await runTests(node, checks);
  await checks;
}

async function runTests(node, checks) {
  const besideChanges = isQuick ? testsBesideChanges() : [];
  if (isQuick) await runVitest(node, ["--project=unit"]);
  if (isQuick && besideChanges.length === 0) return;
  await attempt(async () => {
    process.env.CHROMIUM_PATH = await ensureChromium();
  });
  await attempt(ensurePages);
  // The server misses its deadlines in tests that run beside the checks.
  await checks;
  await runVitest(node, isQuick ? ["--project=!unit", ...besideChanges] : filters);
}

await runAll();
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : "";
console.log(`\n${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exit(sum.failed === 0 ? 0 : 1);
