// Names a release's archive: two builds of one version must not have one name.
import { execFileSync } from "node:child_process";
import { root, StepFailed } from "./run-step.mjs";

const COMMIT_LETTERS = 9;

export function gitState() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  try {
    const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
    const commit = `${git("rev-parse", "HEAD")}${isChanged ? "-dirty" : ""}`;
    const tags = git("tag", "--points-at", "HEAD").split("\n");
    return { commit, committedAt: git("log", "-1", "--format=%cI"), tags };
  } catch {
    throw new StepFailed("发布包要写明提交编号，请在 git 仓库中运行。");
  }
}

/** Without the commit for the tagged release alone: `smart-storage-1.1.0-linux-x64`, otherwise `smart-storage-1.1.0-g0123abcd4-linux-x64`. */
export function releaseName(version, { commit, tags }) {
  const [hash, ...dirty] = commit.split("-");
  const isReleased = tags.includes(`v${version}`) && dirty.length === 0;
  const build = isReleased ? [] : [`g${hash.slice(0, COMMIT_LETTERS)}`, ...dirty];
  return ["smart-storage", version, ...build, process.platform, process.arch].join("-");
}
