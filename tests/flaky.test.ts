// Rules of `npm test`: its second try in CI, the limit for slow files, the reasons of skips.
import { spawnSync } from "node:child_process";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const { tooSlow } = await import(path.join(root, "scripts/run-vitest.mjs"));
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "storage-flaky-"));
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  mkdirSync(path.join(folder, "unit"));
  const project = (name: string) => ({ test: { name, include: [`${name}/**/*.test.mjs`] } });
  const projects = [project("unit"), project("integration")];
  writeFileSync(
    path.join(folder, "vitest.config.mjs"),
    `export default ${JSON.stringify({ test: { projects } })};`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Test file whose bodies may call `fails(n)`: throws in its first n runs. */
function write(file: string, ...bodies: string[]): void {
  const runs = JSON.stringify(path.join(folder, `${path.basename(file)}.runs`));
  const tests = bodies.map((body, at) => `test("test ${at}", () => { ${body} });`);
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(
    place,
    `import { appendFileSync, readFileSync } from "node:fs";
import { test } from "vitest";
appendFileSync(${runs}, "x");
const run = readFileSync(${runs}, "utf8").length;
const fails = (times) => { if (run <= times) throw new Error("not yet"); };
${tests.join("\n")}`,
  );
}

function run(repeats: boolean) {
  const module = JSON.stringify(path.join(root, "scripts/run-vitest.mjs"));
  const given = JSON.stringify({ root: folder, node: process.execPath, args: [], repeats });
  const program = `import { runVitest } from ${module};
console.log("counts:" + JSON.stringify(await runVitest(${given})));`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const [, counts] = /counts:(.*)/.exec(stdout) ?? [];
  return { stdout, ...(JSON.parse(counts ?? `{"stderr":${JSON.stringify(stderr)}}`) as object) };
}

test("flaky: passes at the second try and is named with its first message; a broken one fails", () => {
  write("integration/a.test.mjs", "fails(1)", "", "fails(9)");
  write("integration/b.test.mjs", "");
  write("unit/c.test.mjs", "fails(1)");
  const { stdout, ...counts } = run(true);
  expect(counts).toEqual({ passed: 3, failed: 2, skipped: 0, flaky: 1, problems: [] });
  expect(stdout).toMatch(
    /flaky: integration\/a\.test\.mjs › test 0\n.*first try: failed\n.*not yet/,
  );
});

test("file that fails before its tests: repeated too", () => {
  write("integration/a.test.mjs", "");
  const place = path.join(folder, "integration/b.test.mjs");
  const runs = JSON.stringify(`${place}.runs`);
  writeFileSync(
    place,
    `import { existsSync, writeFileSync } from "node:fs";
import { beforeAll, test } from "vitest";
beforeAll(() => { if (existsSync(${runs})) return; writeFileSync(${runs}, ""); throw new Error("no room"); });
test("b", () => {});`,
  );
  expect(run(true)).toMatchObject({ failed: 0, flaky: 1, problems: [] });
});

test("more than three flaky tests fail the run; without repeats nothing is tried again", () => {
  write("integration/a.test.mjs", "fails(1)", "fails(1)", "fails(1)", "fails(1)");
  expect(run(false)).toMatchObject({ passed: 0, failed: 4, flaky: 0 });
  write("integration/a.test.mjs", "fails(2)", "fails(2)", "fails(2)", "fails(2)");
  expect(run(true)).toMatchObject({
    passed: 4,
    failed: 0,
    flaky: 4,
    problems: [expect.stringContaining("不稳定")],
  });
});

test("a file over sixty seconds fails the run, or more where all take longer, unless it is listed", () => {
  const times = (slowest: number, others: number) => [
    { file: "slow.test.ts", seconds: slowest },
    { file: "others.test.ts", seconds: others },
  ];
  expect(tooSlow(times(60, 50), {})).toEqual([]);
  expect(tooSlow(times(61, 50), {})).toEqual([expect.stringContaining("slow.test.ts 用了 61 秒")]);
  expect(tooSlow(times(61, 50), { "slow.test.ts": "waits for a real door" })).toEqual([]);
  const busy = { "others.test.ts": "twice the work of an idle machine" };
  expect(tooSlow(times(115, 3_500), busy)).toEqual([]);
});

test("the list of slow files names files that exist", () => {
  const listed = JSON.parse(readFileSync(path.join(root, "tests/slow.json"), "utf8")) as object;
  const gone = Object.keys(listed).filter((file) => globSync(file, { cwd: root }).length === 0);
  expect(gone).toEqual([]);
});

test("a skipped test is named with its reason at the end of the run", () => {
  const place = path.join(folder, "integration/a.test.mjs");
  const lacks = JSON.stringify(path.join(root, "tests/support/lacks.ts"));
  mkdirSync(path.dirname(place));
  writeFileSync(
    place,
    `import { expect, test } from "vitest";
import { lacks } from ${lacks};
test.skipIf(lacks("病毒扫描", "没有安装 clamd")).each([1, 2])("a %i", () => expect(1).toBe(2));
test.skipIf(lacks("证书", false))("b", () => {});`,
  );
  const { stdout, ...counts } = run(false);
  expect(counts).toMatchObject({ passed: 1, failed: 0, skipped: 2, problems: [] });
  expect(stdout).toContain("跳过的测试：\n  病毒扫描：没有安装 clamd\n");
});

test("every test that may be skipped says what the machine lacks for it", () => {
  const files = globSync("{apps,packages,tests,e2e}/**/*.test.{ts,tsx}", {
    cwd: root,
    exclude: (name) => name === "node_modules",
  });
  const silent = files.filter((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return /\b(skipIf|runIf|skip|todo)\(/.test(text) && !text.includes("support/lacks.ts");
  });
  expect(silent).toEqual([]);
});
