// Tests that the embedded PostgreSQL survives kills, locks its data folder and rejects other accounts.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacks } from "../../../../../tests/support/lacks.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

const silent = { info() {}, warn() {}, error() {} };

/** A data folder whose path has spaces, Chinese and more characters than a socket path allows. */
function makeDataDir(): { root: string; dataDir: string } {
  const root = mkdtempSync(join(tmpdir(), "cabinet test 数据 "));
  return { root, dataDir: join(root, "很长的文件夹名".repeat(6)) };
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

describe("a running database", () => {
  const { root, dataDir } = makeDataDir();
  let database: EmbeddedPostgres;
  let refusal: Promise<string>;

  beforeAll(async () => {
    database = await startEmbeddedPostgres({ dataDir, log: silent });
    refusal = startEmbeddedPostgres({ dataDir, log: silent }).then(
      () => "started",
      (error: Error) => error.message,
    );
  });

  afterAll(async () => {
    await database.stop();
    rmSync(root, { recursive: true });
  });

  it("is durable, uses Unicode and listens on no network", async () => {
    const [row] = await query(
      database.url,
      `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
        current_setting('listen_addresses') as addresses, upper('é') as upper,
        pg_encoding_to_char(encoding) as encoding
      from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({
      fsync: "on",
      checksums: "on",
      addresses: "",
      upper: "É",
      encoding: "UTF8",
    });
  });

  it("gives the application a role that is no superuser and creates roles and databases", async () => {
    const [row] = await query(
      database.url,
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb
      from pg_roles where rolname = current_user`,
    );
    expect(row).toEqual({
      rolname: "cabinet",
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: true,
      rolcreatedb: true,
    });
  });

  it("has its socket in a folder that is closed to other accounts", () => {
    const socketFolder = new URL(database.url).searchParams.get("host") ?? "";
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
  });

  it("restarts after a kill", async () => {
    await query(database.url, "create table kept as select 42 as answer");
    const pidPath = join(dataDir, "postgres/postmaster.pid");
    const pid = Number(readFileSync(pidPath, "utf8").split("\n")[0]);
    process.kill(pid, "SIGKILL");
    let rows: object[] = [];
    for (let attempt = 0; attempt < 100 && rows.length === 0; attempt++) {
      await sleep(50);
      rows = await query(database.url, "select answer from kept").catch(() => []);
    }
    expect(rows).toEqual([{ answer: 42 }]);
  });

  it("refuses a second process on the same data folder", async () => {
    expect(await refusal).toContain(`仍被另一个进程（进程号 ${process.pid}）使用`);
  });
});

describe("a killed server", () => {
  const { root, dataDir } = makeDataDir();
  afterAll(() => rmSync(root, { recursive: true }));

  /** Starts a server that inserts rows for ever and prints their number after each. */
  function startWriter(): ChildProcess & { stdout: NodeJS.ReadableStream } {
    const module = new URL("./embedded-postgres.ts", import.meta.url).href;
    const script = `
      import { startEmbeddedPostgres } from ${JSON.stringify(module)};
      import pg from "pg";
      const log = { info() {}, warn() {}, error() {} };
      const { url } = await startEmbeddedPostgres({ dataDir: process.argv[1], log });
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("create table if not exists line (n int)");
      for (;;) {
        await client.query("insert into line values (1)");
        console.log((await client.query("select count(*)::int as n from line")).rows[0].n);
      }`;
    return spawn(process.execPath, ["--input-type=module", "-e", script, dataDir], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
  }

  it("loses no acknowledged row and restarts, five times in a row", async () => {
    let acknowledged = 0;
    for (let round = 0; round < 5; round++) {
      const writer = startWriter();
      const before = acknowledged;
      for await (const line of createInterface({ input: writer.stdout })) {
        if (acknowledged === before) expect(Number(line)).toBeGreaterThan(before);
        acknowledged = Number(line);
        if (acknowledged >= before + 50) writer.kill("SIGKILL");
      }
      expect(acknowledged).toBeGreaterThanOrEqual(before + 50);
    }
    const database = await startEmbeddedPostgres({ dataDir, log: silent });
    const [row] = await query<{ n: number }>(database.url, "select count(*)::int as n from line");
    await database.stop();
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged);
  });

  it("may leave a pid file whose pid now belongs to another program", async () => {
    const stranger = spawn("sleep", ["60"]);
    await once(stranger, "spawn");
    const lines = [stranger.pid, "/proc/self/fd/3", 1, 5432, "/run/x", "", "1 2", "ready   ", ""];
    writeFileSync(join(dataDir, "postgres/postmaster.pid"), lines.join("\n"), { mode: 0o600 });
    const database = await startEmbeddedPostgres({ dataDir, log: silent });
    await database.stop();
    expect(stranger.kill()).toBe(true);
  });
});

it("embedded PostgreSQL: starts without fsync and autovacuum for tests, which discard the data", async () => {
  const { root, dataDir } = makeDataDir();
  const database = await startEmbeddedPostgres({ dataDir, log: silent, durable: false });
  const rows = await query(
    database.url,
    `select name, setting from pg_settings where name in ('autovacuum', 'fsync') order by name`,
  );
  await database.stop();
  rmSync(root, { recursive: true });
  expect(rows).toEqual([
    { name: "autovacuum", setting: "off" },
    { name: "fsync", setting: "off" },
  ]);
});

/** Ends where the disk does. */
function fill(file: string): void {
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) appendFileSync(file, block);
  } catch {
    // Full.
  }
}

const MOUNTED = mkdtempSync(join(tmpdir(), "full-disk-"));
const mayMount =
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=200m", "tmpfs", MOUNTED]).status === 0;
if (!mayMount) rmSync(MOUNTED, { recursive: true });

describe("a full disk", () => {
  afterAll(() => {
    if (!mayMount) return;
    spawnSync("umount", ["-l", MOUNTED]);
    rmSync(MOUNTED, { recursive: true });
  });

  it("is named when the database cannot start, and what to do", async (context) => {
    context.skip(lacks("磁盘写满时的启动", !mayMount && "这个账户不能挂载磁盘"));
    const dataDir = join(MOUNTED, "data");
    const options = { dataDir, log: silent, durable: false };
    await (await startEmbeddedPostgres(options)).stop();
    fill(join(MOUNTED, "ballast"));
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(/所在磁盘已写满：请腾出空间/);
    rmSync(join(MOUNTED, "ballast"));
    await (await startEmbeddedPostgres(options)).stop();
  });
});
