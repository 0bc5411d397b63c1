// Knows the commit of the last complete `npm run test:deep`; the note is outside git.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run-step.mjs";

const cache = join(root, ".cache");
const note = join(cache, "deep-run");

/** The commit of the working tree; null if files differ from it, and outside a repository. */
export function cleanCommit() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  try {
    return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : null;
  } catch {
    return null;
  }
}

export function noteDeepRun(commit) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(note, commit);
}

export function notedDeepRun() {
  try {
    return readFileSync(note, "utf8");
  } catch {
    return null;
  }
}

/** Sentence that refuses a release; null if the deep run that was noted is that of the commit. */
export function deepRunProblem(noted, commit) {
  if (commit === null) return "这里不是没有改动的 git 提交，没有对应的深度测试。";
  return noted === commit ? null : `提交 ${commit} 没有通过深度测试（npm run test:deep）。`;
}
