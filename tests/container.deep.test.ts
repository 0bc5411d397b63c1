// Container image of a release: built, started without rights on a read-only root, ready, stopped.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../e2e/support/free-port.ts";
import { type ContainerTools, findContainerTools } from "./support/container-tools.ts";
import { lacks } from "./support/lacks.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 900_000 });

const root = path.join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const { gitState, releaseName } = await import(path.join(root, "scripts/release-name.mjs"));
const release = releaseName(version, gitState());
const image = `localhost/smart-storage-test:${randomBytes(4).toString("hex")}`;
const tools = findContainerTools();
lacks("容器镜像", typeof tools === "string" && tools);
// On the file system of dist/, so that the archive is linked and not copied.
mkdirSync(path.join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(path.join(root, ".cache/container-"));

const podman = (given: ContainerTools, ...args: string[]) =>
  execFileSync("podman", [...given.global, ...args], { encoding: "utf8" });

beforeAll(() => {
  if (typeof tools === "string") return;
  const quiet = { cwd: root, stdio: ["ignore", "ignore", "inherit"] as const };
  execFileSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/build-release.mjs"],
    { ...quiet, stdio: [...quiet.stdio] },
  );
  // The context has the archive alone: the whole of dist/ would be copied otherwise.
  linkSync(path.join(root, "dist", `${release}.tar.gz`), path.join(folder, `${release}.tar.gz`));
  execFileSync(
    "buildah",
    [
      ...["bud", "--isolation=chroot", "--network=host", "--quiet", `--tag=${image}`],
      ...[`--build-arg=BASE=${tools.base}`, `--build-arg=RELEASE=${release}`],
      ...["--file=deploy/container/Containerfile", folder],
    ],
    { ...quiet, stdio: [...quiet.stdio] },
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  if (typeof tools !== "string") spawnSync("podman", [...tools.global, "rmi", "--force", image]);
});

test("image: starts as a user without rights on a read-only root, becomes ready, stops in order", async (context) => {
  if (typeof tools === "string") return context.skip(tools);
  const [port, mqttPort] = [await freePort(), await freePort()];
  const name = `storage-test-${randomBytes(4).toString("hex")}`;
  const server = spawn("podman", [
    ...[...tools.global, "run", "--rm", `--name=${name}`, ...tools.limits],
    ...["--read-only", "--tmpfs=/tmp", "--volume=/data", "--cap-drop=all"],
    ...["--security-opt=no-new-privileges", `--env=PORT=${port}`, `--env=MQTT_PORT=${mqttPort}`],
    ...["--env=HOST=127.0.0.1", `--env=SECRET_KEY=${randomBytes(32).toString("base64")}`, image],
  ]);
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<number | null>((resolve) => server.once("exit", resolve));
  try {
    await expect
      .poll(() => output, { timeout: 180_000, interval: 200 })
      .toMatch(/按 Ctrl-C 停止|启动失败|Error/);
    expect(output).toContain("已就绪");
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(await ready.json()).toMatchObject({ version });
    expect(ready.status).toBe(200);
    expect(podman(tools, "exec", name, "id", "--user", "--name").trim()).toBe("storage");
    expect(podman(tools, "exec", name, "ls", "/data")).not.toContain("secret.key");
    const asRoot = spawnSync("podman", [...tools.global, "exec", name, "touch", "/opt/written"]);
    expect(asRoot.status).not.toBe(0);
  } finally {
    spawnSync("podman", [...tools.global, "stop", "--time=40", name], { stdio: "ignore" });
  }
  expect(await exited).toBe(0);
  expect(output).toContain("已停止");
});

test("image: a build without its release is refused", (context) => {
  if (typeof tools === "string") return context.skip(tools);
  const empty = mkdtempSync(path.join(os.tmpdir(), "container-empty-"));
  const args = ["bud", "--isolation=chroot", "--network=host", `--build-arg=BASE=${tools.base}`];
  const file = "--file=deploy/container/Containerfile";
  const { status } = spawnSync("buildah", [...args, file, empty], { cwd: root, stdio: "ignore" });
  rmSync(empty, { recursive: true });
  expect(status).not.toBe(0);
});
