// Programs of a release: the script that starts it, and what the deep run demands before one is built.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const { deepRunProblem } = await import(path.join(root, "scripts/deep-run.mjs"));
const { releaseName } = await import(path.join(root, "scripts/release-name.mjs"));

test("release: an unknown command is refused with the usage", () => {
  const script = path.join(root, "scripts/storage.sh");
  const { status, stdout, stderr } = spawnSync("sh", [script, "begin"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("./storage start");
});

test("release: help lists the chapters of the handbook, and prints one", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "release-"));
  cpSync(path.join(root, "scripts/storage.sh"), path.join(folder, "storage"));
  cpSync(path.join(root, "docs/sre"), path.join(folder, "docs/sre"), { recursive: true });
  const help = (...args: string[]) =>
    spawnSync("sh", [path.join(folder, "storage"), "help", ...args], { encoding: "utf8" }).stdout;
  expect(help()).toMatch(/^ {2}10 处置手册$/m);
  expect(help("10")).toMatch(/^# 处置手册\n/);
  expect(help("99")).toContain("./storage start");
  rmSync(folder, { recursive: true });
});

test("release: the changelog begins with this version and its day", () => {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const changelog = readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
  const [first, ...others] = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(first).toMatch(new RegExp(`^${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`));
  for (const title of others) expect(title).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d/);
});

test.each([
  ["a tagged commit", "0123abcd4567", ["", "v1.1.0"], "smart-storage-1.1.0-"],
  ["another commit", "0123abcd4567", [""], "smart-storage-1.1.0-g0123abcd4-"],
  ["a changed one", "0123abcd4567-dirty", ["v1.1.0"], "smart-storage-1.1.0-g0123abcd4-dirty-"],
])("release: name of %s", (_, commit, tags, name) => {
  expect(releaseName("1.1.0", { commit, tags })).toBe(`${name}${process.platform}-${process.arch}`);
});

test.each([
  ["of this commit", "c0ffee", "c0ffee", null],
  ["of another commit", "c0ffee", "decade", "没有通过深度测试"],
  ["none", null, "decade", "没有通过深度测试"],
  ["changed files", "c0ffee", null, "不是没有改动的"],
])("release: needs a deep run of its commit (%s)", (_, noted, commit, problem) => {
  const found = deepRunProblem(noted, commit);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
