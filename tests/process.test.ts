// Server as a process: output, refused settings, kills, graceful shutdown, files left behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { freePort } from "../e2e/support/free-port.ts";
import { type Server, startServer } from "../e2e/support/server.ts";
import { withClient } from "./support/postgres.ts";

const root = path.join(import.meta.dirname, "..");
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "storage-process-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs the server until it exits and resolves to its exit code and output. */
function refusal(
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, ["apps/server/src/main.ts", ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: path.join(dataDir, "refused"), ...env },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, text })));
}

// Each is refused by another step of the start.
test.concurrent.each([
  [{ ADMIN_PASSWORD: "admin" }, [], "ADMIN_PASSWORD 过于简单，须满足："],
  [{ ADMIN_USERNAME: "a b" }, [], "ADMIN_USERNAME=a b 不是有效的账号："],
  [{ TLS_CERT_FILE: "/no.pem", TLS_KEY_FILE: "/no.key" }, [], "TLS_CERT_FILE=/no.pem 读不到"],
  [{ HOST: "203.0.113.9" }, [], "HOST=203.0.113.9 不是本机的地址"],
  [{}, ["--services=api,cook"], "“cook”不认识：可选 api、gateway、worker"],
  [{}, ["--deno"], "不认识的选项 --deno\n用法：npm start -- [选项]"],
  [{}, ["demo"], "不认识的选项 demo\n用法："],
])(
  "wrong setting: exits with one sentence and creates no files (%#)",
  async (env, args, sentence) => {
    const [port, mqttPort] = [await freePort(), await freePort()];
    const { code, text } = await refusal(
      { PORT: String(port), MQTT_PORT: String(mqttPort), ...env },
      args,
    );
    expect(code).toBe(1);
    expect(text).toContain(sentence);
    expect(text).not.toMatch(/\n\s+at /);
    expect(existsSync(path.join(dataDir, "refused"))).toBe(false);
  },
);

test.concurrent.each([
  ["PORT", []],
  ["MQTT_PORT", []],
  ["METRICS_PORT", ["--services=worker"]],
])("%s already in use: names the setting and creates no database", async (name, args) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const ports = { PORT: String(await freePort()), MQTT_PORT: String(await freePort()) };
  const { code, text } = await refusal({ ...ports, [name]: String(port) }, args);
  taken.close();
  expect({ code, text }).toEqual({
    code: 1,
    text: expect.stringContaining(`端口 ${port}（${name}）已被占用`),
  });
  expect(text).not.toMatch(/\n\s+at |Unhandled/);
  expect(existsSync(path.join(dataDir, "refused"))).toBe(false);
});

test("first run: prints the password once; SIGKILL: the next start succeeds", async () => {
  const folder = path.join(dataDir, "first");
  const first = await startServer({ dataDir: folder });
  const password = /首次登录密码：(\S+)/.exec(first.output())?.[1];
  expect(password).toMatch(/^[\w-]{20}$/);
  expect(first.output()).toContain(first.origin);
  expect((await stat(path.join(folder, "secret.key"))).mode & 0o777).toBe(0o600);
  first.process.kill("SIGKILL");
  await new Promise((resolve) => first.process.once("exit", resolve));

  const second = await startServer({ dataDir: folder });
  expect(second.output()).not.toContain("首次登录密码");
  expect((await fetch(`${second.origin}/readyz`)).status).toBe(200);
  await stopsCleanly(second);

  const third = await startServer({ dataDir: folder });
  await stopsCleanly(third);
  expect(third.output()).toContain("已停止");
});

async function stopsCleanly(server: Server): Promise<void> {
  const exit = new Promise<number | null>((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGINT");
  expect(await exit).toBe(0);
}

test("worker without the API: serves health and metrics at METRICS_PORT", async () => {
  const port = await freePort();
  const worker = await startServer({
    args: ["--services=worker"],
    dataDir: path.join(dataDir, "first"),
    env: { METRICS_PORT: String(port) },
  });
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(ready.status).toBe(200);
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(await metrics.text()).toContain("process_cpu_seconds_total");
  expect((await fetch(`http://127.0.0.1:${port}/api/openapi.json`)).status).toBe(404);
  await stopsCleanly(worker);
});

test("METRICS_LISTEN: metrics and the whole API document are there and not at PORT", async () => {
  const port = await freePort();
  const server = await startServer({
    dataDir: path.join(dataDir, "first"),
    env: { METRICS_LISTEN: `127.0.0.1:${port}` },
  });
  const status = async (url: string) => (await fetch(url)).status;
  for (const file of ["/metrics", "/api/openapi.json", "/api/openapi/console.json"]) {
    expect(await status(`http://127.0.0.1:${port}${file}`), file).toBe(200);
    expect(await status(`${server.origin}${file}`), file).toBe(404);
  }
  expect(await status(`${server.origin}/api/openapi/partner.json`)).toBe(200);
  expect(await status(`${server.origin}/readyz`)).toBe(200);
  await stopsCleanly(server);
});

test("closed stdout and stderr: still serves and shuts down gracefully", async () => {
  const server = await startServer({
    dataDir: path.join(dataDir, "first"),
    env: { LOG_LEVEL: "trace" },
  });
  for (const stream of [server.process.stdout, server.process.stderr]) stream?.destroy();
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  await stopsCleanly(server);
});

test("second server: refused for a used port or the same data folder", async () => {
  const folder = path.join(dataDir, "first");
  const server = await startServer({ dataDir: folder });
  const ports = [server.port, await freePort()];
  for (const [port, ownFolder, sentence] of [
    [ports[0], path.join(dataDir, "taken"), `端口 ${ports[0]}（PORT）已被占用`],
    [ports[1], folder, folder],
  ] as const) {
    const env = { PORT: String(port), MQTT_PORT: String(await freePort()), DATA_DIR: ownFolder };
    // A refused server also stops its own database; otherwise it would never exit.
    expect(await refusal(env)).toEqual({ code: 1, text: expect.stringContaining(sentence) });
  }
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  await stopsCleanly(server);
});

test("DATABASE_URL: another server's database is used, migrated and seeded", async () => {
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(dataDir, "outer"),
    log: pino({ level: "silent" }),
    durable: false,
  });
  const server = await startServer({
    dataDir: path.join(dataDir, "inner"),
    env: {
      DATABASE_URL: postgres.url,
      ADMIN_USERNAME: "he.chuan",
      ADMIN_PASSWORD: "沿河 3 号-Kite",
    },
  });
  const accounts = await withClient(postgres.url, (client) =>
    client.query("select username from operator"),
  );
  expect(accounts.rows).toEqual([{ username: "he.chuan" }]);
  expect(server.output()).not.toContain("首次登录密码");
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  // A second machine without a copy of the master key must not create its own.
  const other = path.join(dataDir, "other");
  const { code, text } = await refusal({ DATABASE_URL: postgres.url, DATA_DIR: other });
  expect(code).toBe(1);
  expect(text).toContain(`${other} 里没有主密钥 secret.key：请从已经在运行的机器复制过来`);
  expect(existsSync(path.join(other, "secret.key"))).toBe(false);
  await stopsCleanly(server);
  await postgres.stop();
});
