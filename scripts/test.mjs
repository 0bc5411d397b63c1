// Implements `npm test`: installs what is missing, runs all checks and tests, prints a summary line.
// `npm run test:quick` runs the checks, the unit tests and the tests beside changed files. `--all` first installs the
// programs without which some tests are skipped.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { installWithApt } from "./apt.mjs";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";
import { ensurePages } from "./ensure-pages.mjs";
import { root, runStep, StepFailed } from "./run-step.mjs";
import { runVitest } from "./run-vitest.mjs";

const CHECKS = [
  ["类型检查", "check:types"],
  ["格式检查", "check:format"],
  ["导入规则检查", "check:imports"],
  ["无用代码检查", "check:dead"],
  ["措辞检查", "check:language"],
  ["封闭列表检查", "check:lists"],
  ["样式检查", "check:styles"],
  ["许可证检查", "check:licences"],
];

/** Debian's packages of the programs that some tests need. */
const PROGRAMS = [
  ...["pgbouncer", "mosquitto", "openssl", "clamav-daemon", "prometheus"],
  ...["curl", "python3", "default-jdk-headless", "golang-go", "php-cli"],
];

const OPTIONS = new Set(["--quick", "--all"]);
const isQuick = process.argv.includes("--quick");
const isAll = process.argv.includes("--all");
const filters = process.argv.slice(2).filter((argument) => !OPTIONS.has(argument));
const sum = { passed: 0, failed: 0, skipped: 0, flaky: 0 };

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

/** In CI one unsteady test refuses no landing: a failed file gets a second try. */
async function test(node, args) {
  const { passed, failed, skipped, flaky, problems } = await runVitest({
    ...{ root, node, args, repeats: Boolean(process.env.CI) },
  });
  for (const problem of problems) console.error(`✗ ${problem}`);
  sum.passed += passed;
  sum.failed += failed + problems.length;
  sum.skipped += skipped;
  sum.flaky += flaky;
}

async function installPrograms() {
  if (process.getuid() !== 0) throw new StepFailed("--all 要安装系统软件包，请用 root 运行。");
  await installWithApt({
    ...{ title: "正在安装测试用到的程序", packages: () => PROGRAMS },
    advice: "请检查网络和 Debian 的软件源，或去掉 --all 重新运行。",
  });
}

async function runAll() {
  if (isAll && !(await attempt(installPrograms))) return;
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
  if (isQuick) await test(node, ["--project=unit"]);
  if (isQuick && besideChanges.length === 0) return;
  await attempt(async () => {
    process.env.CHROMIUM_PATH = await ensureChromium();
  });
  await attempt(ensurePages);
  // The server misses its deadlines in tests that run beside the checks.
  await checks;
  await test(node, isQuick ? ["--project=!unit", ...besideChanges] : filters);
}

await runAll();
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : "";
const flaky = sum.flaky > 0 ? `, ${sum.flaky} flaky` : "";
console.log(`\n${sum.passed} passed, ${sum.failed} failed${skipped}${flaky}`);
process.exit(sum.failed === 0 ? 0 : 1);
