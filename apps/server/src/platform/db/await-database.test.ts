// Tests the wait for an outside database and the sentences about one that cannot be used.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { freePort } from "../../../../../e2e/support/free-port.ts";
import { lacks } from "../../../../../tests/support/lacks.ts";
import { awaitDatabase, versionProblem } from "./await-database.ts";

/** The reasons that were told, and the sentence of the end; undefined if the database answered. */
async function attempt(url: string, waitMs = 0) {
  const reasons: string[] = [];
  const onWait = (reason: string) => void reasons.push(reason);
  const sentence = await awaitDatabase(url, { waitMs, onWait }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { reasons, sentence };
}

function changed(change: (url: URL) => void): string {
  const url = new URL(inject("postgresUrl"));
  change(url);
  return url.href;
}

test("database: one that answers is used at once", async () => {
  expect(await attempt(inject("postgresUrl"))).toEqual({ reasons: [], sentence: undefined });
});

test("database: a wrong address is named, the password never", async () => {
  const port = await freePort();
  const secret = "do-not-tell";
  const refused = await attempt(`postgres://storage:${secret}@127.0.0.1:${port}/storage`);
  expect(refused.sentence).toBe(
    `DATABASE_URL：127.0.0.1:${port} 上没有数据库，请启动它，或检查主机和端口`,
  );
  const unknown = await attempt(`postgres://storage:${secret}@nowhere.invalid/storage`);
  expect(unknown.sentence).toBe("DATABASE_URL：找不到主机 nowhere.invalid，请检查名称和 DNS");
});

test("database: a wrong account or name is refused without waiting", async () => {
  const password = changed((url) => {
    url.username = "stranger";
    url.password = "do-not-tell";
  });
  expect(await attempt(password, 60_000)).toEqual({
    reasons: [],
    sentence: "DATABASE_URL：数据库拒绝账号“stranger”登录，请检查用户名、密码和 pg_hba.conf",
  });
  const name = changed((url) => {
    url.pathname = "/no_such_database";
  });
  expect(await attempt(name, 60_000)).toEqual({
    reasons: [],
    sentence:
      "DATABASE_URL：没有名为“no_such_database”的数据库，请先创建：createdb no_such_database",
  });
});

test("database: a certificate file that is missing is named, without waiting", async () => {
  const url = "postgres://storage@127.0.0.1/storage?sslmode=verify-full&sslrootcert=/no/such.crt";
  expect(await attempt(url, 60_000)).toEqual({
    reasons: [],
    sentence: "DATABASE_URL：读不到文件 /no/such.crt，请检查 sslrootcert、sslcert 和 sslkey",
  });
});

/** The test database at a port of its own: its socket is for its own account only. */
async function listenAt(port: number): Promise<void> {
  const url = new URL(inject("postgresUrl"));
  const socketFile = `${url.searchParams.get("host")}/.s.PGSQL.${url.port}`;
  const proxy = net.createServer((socket) => {
    const upstream = net.connect(socketFile);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on("error", () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
}

test("database: one that comes later is awaited; the wait is told once", async () => {
  const late = await freePort();
  const waiting = attempt(
    changed((url) => {
      url.searchParams.delete("host");
      url.host = `127.0.0.1:${late}`;
    }),
    30_000,
  );
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await listenAt(late);
  expect(await waiting).toEqual({
    reasons: [expect.stringContaining(`127.0.0.1:${late} 上没有数据库`)],
    sentence: undefined,
  });
});

const PGBOUNCER = "/usr/sbin/pgbouncer";
/** PgBouncer refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A pooler before the test database, by transaction, with these further settings. */
async function startPooler(settings: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "pooler-"));
  const { username } = new URL(inject("postgresUrl"));
  const port = await freePort();
  await listenAt(port);
  const file = path.join(folder, "pooler.ini");
  const listen = await freePort();
  await writeFile(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
${settings}
`,
  );
  await chmod(folder, 0o755);
  const pooler = spawn(PGBOUNCER, ["-q", file], { stdio: "ignore", ...NOBODY });
  onTestFinished(async () => {
    if (pooler.exitCode === null && pooler.kill()) await once(pooler, "exit");
    await rm(folder, { recursive: true });
  });
  return `postgres://${username}@127.0.0.1:${listen}/postgres`;
}

const lacksPooler = lacks("事务级连接池", !existsSync(PGBOUNCER) && "没有安装 pgbouncer");

test.skipIf(lacksPooler).each(["", "ignore_startup_parameters = options"])(
  "database: a pooler by transaction is refused in a sentence (%s)",
  async (settings) => {
    const { sentence } = await attempt(await startPooler(settings), 20_000);
    expect(sentence).toMatch(/^DATABASE_URL：前面是事务级连接池/);
  },
);

test.each([
  ["18.1", null],
  ["16.0 (Debian 16.0-1)", null],
  ["17beta2", null],
  ["15.18 (Debian 15.18-0)", "PostgreSQL 15.18 (Debian 15.18-0)：需要 16 以上"],
  ["9.6.24", "PostgreSQL 9.6.24：需要 16 以上"],
])("database version %s: %s", (version, problem) => {
  if (problem === null) expect(versionProblem(version)).toBeNull();
  else expect(versionProblem(version)).toContain(problem);
});
