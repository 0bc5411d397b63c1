// Programs of a release: the script that starts it, and what the deep run demands before one is built.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const { deepRunProblem } = await import(path.join(root, "scripts/deep-run.mjs"));

test("release: an unknown command is refused with the usage", () => {
  const script = path.join(root, "scripts/storage.sh");
  const { status, stdout, stderr } = spawnSync("sh", [script, "begin"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("./storage start");
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
