// Second try of `npm test` in CI: a flaky test is named and passes, a broken one fails, too many fail the run.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
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
