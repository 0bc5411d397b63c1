// Runs Vitest and counts its tests; with `repeats`, a failed file outside the unit tests gets a second try.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** More flaky tests than these fail the run. */
const MOST_FLAKY = 3;
/** A change that breaks more files than these is told at once. */
const MOST_REPEATED = 12;
const SLOWEST = 10;
/** No file takes longer, on a machine that needs `WHOLE_SECONDS` for all files together. */
const FILE_SECONDS = 60;
const WHOLE_SECONDS = 1_800;

/**
 * Resolves to the counts, with the problems that make a run fail beside failed tests. The files start in `root`, where
 * the configuration of Vitest stands.
 */
export async function runVitest({ root, node, args, repeats = false }) {
  const first = await runOnce(root, node, args);
  const failures = failuresIn(root, first.files);
  const counts = { ...first.counts, flaky: 0, problems: [] };
  printSlowest(root, first.files);
  if (args.length === 0)
    counts.problems.push(...tooSlow(timesOf(root, first.files), listedIn(root)));
  if (first.skips.length > 0) console.log(`\n跳过的测试：\n  ${first.skips.join("\n  ")}`);
  const executed = counts.passed + counts.failed;
  if (executed === 0 && !args.includes("--changed")) counts.problems.push("没有运行任何测试。");
  else if (failures.length === 0 && first.code !== 0) {
    counts.problems.push("测试都通过了，但运行中出错，见上面的输出。");
  }
  const files = [...new Set(failures.map(({ file }) => file))];
  if (!repeats || files.length === 0 || files.length > MOST_REPEATED) return counts;

  console.log(`\n再运行一次有测试失败的 ${files.length} 个文件…`);
  // Names of files are filters that match any path which contains them.
  const second = await runOnce(root, node, ["--project=!unit", ...files]);
  // Unit tests alone: nothing ran.
  if (second.files.length === 0) return counts;
  const again = failuresIn(root, second.files);
  const flaky = flakyOf(failures, again, filesOf(root, second.files));
  if (again.length === 0 && second.code !== 0) {
    counts.problems.push("第二次运行中出错，见上面的输出。");
  }
  for (const { title, message } of flaky) {
    console.log(`\nflaky: ${title}\n  first try: failed\n${message}\n  second try: passed`);
  }
  counts.flaky = flaky.length;
  counts.passed += flaky.length;
  counts.failed -= flaky.length;
  if (flaky.length > MOST_FLAKY) {
    counts.problems.push(`${flaky.length} 项测试不稳定，最多允许 ${MOST_FLAKY} 项。`);
  }
  return counts;
}

/** Failures of the first try whose file ran again and in which they did not fail. */
function flakyOf(failures, again, ran) {
  const failed = new Set(again.map(({ title }) => title));
  const broken = new Set(again.filter(({ isWholeFile }) => isWholeFile).map(({ file }) => file));
  return failures.filter(
    ({ file, title }) => ran.has(file) && !broken.has(file) && !failed.has(title),
  );
}

const filesOf = (root, files) => new Set(files.map(({ name }) => relative(root, name)));

/** A file that failed before its tests counts as one failure. */
function failuresIn(root, files) {
  return files.flatMap((it) => {
    const file = relative(root, it.name);
    const failed = it.assertionResults.filter(({ status }) => status === "failed");
    if (it.status === "failed" && failed.length === 0) {
      return [{ file, title: file, message: it.message, isWholeFile: true }];
    }
    return failed.map(({ fullName, failureMessages }) => ({
      ...{ file, title: `${file} › ${fullName}`, message: failureMessages.join("\n") },
      isWholeFile: false,
    }));
  });
}

async function runOnce(root, node, args) {
  const folder = mkdtempSync(join(tmpdir(), "smart-storage-test-"));
  const report = join(folder, "report.json");
  const skipped = join(folder, "skipped.txt");
  const code = await run(
    root,
    node,
    [
      ...[join(import.meta.dirname, "../node_modules/vitest/vitest.mjs"), "run", ...args],
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ],
    { SKIPPED_TESTS_FILE: skipped },
  );
  const reasons = existsSync(skipped) ? readFileSync(skipped, "utf8").trim().split("\n") : [];
  const skips = [...new Set(reasons)].sort();
  const result = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  rmSync(folder, { recursive: true });
  const { numPassedTests: passed = 0, numPendingTests = 0, numTodoTests = 0 } = result;
  const files = result.testResults ?? [];
  const failed = failuresIn(root, files).length;
  return {
    code,
    files,
    skips,
    counts: { passed, failed, skipped: numPendingTests + numTodoTests },
  };
}

/** Seconds that each file took, the slowest first. */
const timesOf = (root, files) =>
  files
    .map(({ name, startTime, endTime }) => ({
      file: relative(root, name),
      seconds: Math.round((endTime - startTime) / 1_000),
    }))
    .sort((a, b) => b.seconds - a.seconds);

function printSlowest(root, files) {
  if (files.length <= SLOWEST) return;
  console.log("\n最慢的文件：");
  for (const { file, seconds } of timesOf(root, files).slice(0, SLOWEST)) {
    console.log(`  ${seconds} 秒  ${file}`);
  }
}

/** Files that may take longer, with the reason. */
function listedIn(root) {
  const list = join(root, "tests/slow.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : {};
}

/** A slow or busy machine needs longer for every file: the limit grows with the sum of all. */
export function tooSlow(times, listed) {
  const whole = times.reduce((sum, { seconds }) => sum + seconds, 0);
  const limit = Math.round(FILE_SECONDS * Math.max(1, whole / WHOLE_SECONDS));
  return times
    .filter(({ file, seconds }) => seconds > limit && !listed[file])
    .map(({ file, seconds }) => {
      const advice = "缩短它，或在 tests/slow.json 写明原因";
      return `${file} 用了 ${seconds} 秒，这次运行的上限是 ${limit} 秒：${advice}。`;
    });
}

function run(cwd, command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}
