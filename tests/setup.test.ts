// Setup without a network and without stored packages: fails at once and says that it needs the network.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../e2e/support/free-port.ts";

const root = path.join(import.meta.dirname, "..");

test.each([
  ["linux-x64", "20.20.0", null],
  ["linux-arm64", "24.21.0", null],
  ["linux-arm64", "20.20.0", "这台机器是 linux-arm64，当前的 Node 20.20.0 不能运行本系统"],
])("setup: on %s with Node %s", async (platform, version, problem) => {
  const { requireMachine } = await import(path.join(root, "scripts/ensure-node.mjs"));
  if (problem === null) requireMachine(platform, version);
  else expect(() => requireMachine(platform, version)).toThrow(problem);
});

test("setup: an unreachable registry and an empty cache are named", {
  timeout: 300_000,
}, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "storage-setup-"));
  const files = ["package.json", "package-lock.json", "scripts"];
  for (const file of [...files, ...globSync("{apps,packages}/*/package.json", { cwd: root })]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
  }
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${await freePort()}/`,
    npm_config_cache: path.join(folder, "cache"),
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/setup.mjs"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  await rm(folder, { recursive: true, force: true });
  expect(stdout).toMatch(/^连不上 npm 的软件源：/);
  expect(stderr).toContain("第一次安装需要网络");
  expect(status).toBe(1);
});
