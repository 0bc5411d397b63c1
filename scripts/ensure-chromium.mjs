// Finds a Chromium for the browser tests, or installs one with or without root.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { installWithApt } from "./apt.mjs";
import { root, runStep, StepFailed } from "./run-step.mjs";

/** Preferred: without windows, pages of Chromium's own address bar take no CPU time. */
const SHELL = "chromium-headless-shell";
const COMMANDS = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FONTS = "fonts-wqy-zenhei";
const HELP = "请手动安装 Chromium，并用 CHROMIUM_PATH 指定它的路径，然后重新运行。";

const ownFolder = join(root, ".cache/chromium");
const ownChromium = join(ownFolder, "chromium");

/** Returns the path of a Chromium that runs on this machine. */
export async function ensureChromium() {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) {
    if (runs(asked, "--version")) return asked;
    throw new StepFailed(`CHROMIUM_PATH=${asked} 不能运行。请改成可用的 Chromium 路径，或去掉它。`);
  }
  const found = findChromium();
  if (found) return found;
  if (!runs("apt-get", "--version")) {
    throw new StepFailed(`找不到 Chromium，这台机器也没有 apt-get 可用来安装。${HELP}`);
  }
  const asRoot = process.getuid() === 0 ? [] : runs("sudo", "-n", "true") ? ["sudo", "-n"] : null;
  if (asRoot) {
    await installWithApt({
      title: "正在安装 Chromium（约一分钟）",
      packages: () => [choosePackage(), FONTS],
      ...{ advice: HELP, asRoot },
    });
  } else await unpackWithoutRoot();
  const installed = findChromium();
  if (!installed) throw new StepFailed(`安装的 Chromium 不能运行。${HELP}`);
  return installed;
}

function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ownChromium].find((path) => runs(path, "--version"));
}

function runs(command, ...args) {
  return spawnSync(command, args, { stdio: "ignore", timeout: 30_000 }).status === 0;
}

/** Package of Chromium in this distribution, once its package lists are there. */
const choosePackage = (options = []) =>
  runs("apt-cache", ...options, "show", SHELL) ? SHELL : "chromium";

/** Downloads Chromium and its missing libraries into the project folder. */
async function unpackWithoutRoot() {
  const apt = join(ownFolder, "apt");
  const tree = join(ownFolder, "root");
  rmSync(ownFolder, { recursive: true, force: true });
  for (const folder of [tree, `${apt}/state/lists/partial`, `${apt}/cache/archives/partial`]) {
    mkdirSync(folder, { recursive: true });
  }
  const options = [
    `Dir::State=${apt}/state`,
    "Dir::State::status=/var/lib/dpkg/status",
    `Dir::Cache=${apt}/cache`,
    "Debug::NoLocking=true",
  ].flatMap((option) => ["-o", option]);
  await runStep({
    title: "正在获取软件包列表",
    command: "apt-get",
    args: [...options, "update", "--quiet"],
    advice: HELP,
  });
  const chosen = choosePackage(options);
  await runStep({
    title: "正在下载 Chromium（约一分钟）",
    command: "apt-get",
    args: [
      ...options,
      ...["install", "--download-only", "--yes", "--quiet", "--no-install-recommends"],
      // Chromium expects its files next to its binary: reinstall chromium-common even if present.
      ...["--reinstall", "chromium-common", chosen, FONTS],
    ],
    advice: HELP,
  });
  const archives = join(apt, "cache/archives");
  for (const file of readdirSync(archives).filter((name) => name.endsWith(".deb"))) {
    const { status } = spawnSync("dpkg", ["-x", join(archives, file), tree], { stdio: "inherit" });
    if (status !== 0) throw new StepFailed(`解开软件包 ${file} 失败。${HELP}`);
  }
  rmSync(apt, { recursive: true });
  writeLauncher(tree, chosen);
}

function writeLauncher(tree, binary) {
  const folders = libraryFolders(tree).map((folder) => `$here/${relative(ownFolder, folder)}`);
  writeFileSync(
    join(ownFolder, "fonts.conf"),
    `<?xml version="1.0"?>
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">root/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`,
  );
  const launcher = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="${folders.join(":")}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/root/usr/lib/chromium/${binary}" "$@"
`;
  writeFileSync(ownChromium, launcher, { mode: 0o755 });
}

function libraryFolders(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const inside = entries
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => libraryFolders(join(folder, entry.name)));
  return entries.some((entry) => /^lib.*\.so(\.|$)/.test(entry.name))
    ? [folder, ...inside]
    : inside;
}
