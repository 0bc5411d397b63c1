// `./storage status`, `doctor` and `psql` on a real database.
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../../../../tests/support/postgres.ts";
import { runStorage } from "../../../../tests/support/storage-command.ts";
import { useTestServer } from "../../../../tests/support/test-server.ts";
import { sql } from "../platform/db/sql.ts";
import { Vault } from "../platform/secrets.ts";

const key = randomBytes(32);
const vault = new Vault(key);
const testServer = useTestServer({ vault });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "doctor-"));
  const { id, people } = await testServer.makeTenant(1);
  const { operatorId } = people[0];
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into totp (tenant_id, operator_id, sealed_secret, confirmed_at)
      values (${id}, ${operatorId}, ${vault.seal("secret", `totp ${id}/${operatorId}`)}, now())`),
  );
});
afterAll(() => rm(folder, { recursive: true }));

const SECRET_KEY = key.toString("base64");
const run = (args: string[], env: Record<string, string> = {}) =>
  runStorage(testServer, args, { env: { SECRET_KEY, ...env } });

test("doctor: says of each part how it is, and what to do; nothing is broken here", async () => {
  const { code, text } = await run(["doctor"]);
  expect(code, text).toBe(0);
  const subjects = [...text.matchAll(/^(?:正常|注意) {2}([^：]+)：\S/gm)].map(([, name]) => name);
  expect(subjects).toEqual([
    ...["版本", "磁盘", "证书", "数据库", "时钟", "主密钥", "复制"],
    ...["慢语句", "死行", "文件上限", "备份"],
  ]);
  expect(text).toMatch(/^正常 {2}主密钥：/m);
  expect(text).toMatch(/^注意 {2}备份：没有记录/m);
});

test("doctor: a statement that runs for long is shown, and a backup of yesterday counts", async () => {
  const stamp = path.join(testServer.dataDir, "last-backup");
  await writeFile(stamp, "");
  const yesterday = Date.now() / 1000 - 86_400;
  await utimes(stamp, yesterday, yesterday);
  await withClient(testServer.url, async (client) => {
    const long = client.query("select pg_sleep(60) /* slow one */").catch(() => {});
    await sleep(5_500);
    const { code, text } = await run(["doctor"]);
    expect(code, text).toBe(0);
    expect(text).toMatch(/^注意 {2}慢语句：1 个.*slow one/m);
    expect(text).toMatch(/^正常 {2}备份：最近一次在 1 天前/m);
    await withClient(testServer.url, (other) =>
      other.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where query like '%slow one%' and pid <> pg_backend_pid()",
      ),
    );
    await long;
  });
});

test("doctor: another installation's key ends it with code 1", async () => {
  const { code, text } = await run(["doctor"], { SECRET_KEY: randomBytes(32).toString("base64") });
  expect(code).toBe(1);
  expect(text).toMatch(/^不行 {2}主密钥：打不开 totp\.sealed_secret 中的内容/m);
});

test("doctor: a database that does not answer is one line among the others", async () => {
  const { code, text } = await run(["doctor"], { DATABASE_URL: "postgres://x@127.0.0.1:9/x" });
  expect(code).toBe(1);
  expect(text).toMatch(/^不行 {2}数据库：/m);
  expect(text).toMatch(/^正常 {2}磁盘：/m);
  expect(text).not.toContain("    at ");
});

test("status: version, database and cabinets, and an API that does not answer here", async () => {
  const { code, text } = await run(["status"], { PORT: "9" });
  expect(code, text).toBe(0);
  expect(text).toMatch(/^版本 \d+\.\d+\.\d+/);
  expect(text).toMatch(/^数据库 PostgreSQL \d+.*（外部），\d+ MB$/m);
  expect(text).toContain("在 http://127.0.0.1:9/readyz 没有应答");
});

test("psql: is given the address without its password, and only reads unless it may write", async () => {
  const program = path.join(folder, "psql");
  await writeFile(program, '#!/bin/sh\necho "$PGOPTIONS|$PGPASSWORD|$*"\nexit 3\n');
  await chmod(program, 0o755);
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    DATABASE_URL: "postgres://me:s%40cret@db.example/storage?sslmode=require",
  };
  expect(await run(["psql", "--", "-c", "select 1"], env)).toEqual({
    code: 3,
    text: "-c role=cabinet_platform -c default_transaction_read_only=on|s@cret|postgres://me@db.example/storage?sslmode=require -c select 1\n",
  });
  expect((await run(["psql", "--write"], env)).text).not.toContain("read_only");
  const none = await run(["psql"], { ...env, PATH: folder.slice(0, -1) });
  expect(none).toMatchObject({ code: 1, text: expect.stringContaining("postgresql-client") });
});
