// Export and erasure of one tenant: complete by the catalogue of the database, and nothing of other tenants.
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../../../../tests/support/postgres.ts";
import { runStorage } from "../../../../tests/support/storage-command.ts";
import { fingerprint, makeWorld, type World } from "../../../../tests/support/tenant-world.ts";
import { useTestServer } from "../../../../tests/support/test-server.ts";
import { raw, type Sql, sql } from "../platform/db/sql.ts";
import { readSettings } from "../platform/env.ts";
import { asOwner } from "./owner.ts";
import { requireErasable } from "./tenant-erase.ts";
import type { Manifest } from "./tenant-export.ts";
import { findTenantTables } from "./tenant-tables.ts";

const testServer = useTestServer();
const FILE = Buffer.from("uploaded by the tenant");
const fileKey = randomUUID();
let folder: string;
let tenantId: number;
let otherId: number;
let world: World;
let other: World;

const settings = () => readSettings({ DATABASE_URL: testServer.url, DATA_DIR: testServer.dataDir });
const silent = { info() {}, warn() {}, error() {} };
const owned = <Result>(work: (client: pg.Client) => Promise<Result>) =>
  asOwner(settings(), silent, work);
const change = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));
const rowsOf = <Row>(statement: Sql) =>
  testServer.database.read("platform", (db) => db.many<Row>(statement));

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenant-data-"));
  await testServer.makeTenant(1);
  ({ id: tenantId } = await testServer.makeTenant());
  ({ id: otherId } = await testServer.makeTenant());
  world = await makeWorld(testServer, tenantId, null);
  other = await makeWorld(testServer, otherId, null);
  const stored = await testServer.files.put(fileKey, Readable.from([FILE]));
  await testServer.database.transaction("platform", async (db) => {
    await db.run(sql`insert into stored_object (key) values (${fileKey})`);
    await db.run(sql`
      insert into file (tenant_id, purpose, kind, media_type, name, size_bytes, sha256, storage_key)
      select ${tenantId}, purpose, kind, media_type, 'own.png', ${stored.sizeBytes},
        ${stored.sha256}, ${fileKey}
      from file limit 1`);
    await db.run(sql`
      insert into audit_seal (tenant_id, day, seq, hash, signature)
      values (${tenantId}, '2026-05-31', 1, '\\x01', '\\x02')`);
  });
  // A table that no code names: only the catalogue has it.
  await withClient(testServer.url, async (client) => {
    await client.query(`
      create table later_table (tenant_id int not null references tenant, id int, note text,
        primary key (tenant_id, id));
      select protect_tenant_table('later_table', 'select, insert');
      set role cabinet_platform;
      insert into later_table values (${tenantId}, 1, 'later note'), (${otherId}, 1, 'other')`);
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (args: string[], input = "") => runStorage(testServer, args, { input, folder });

const SECRET =
  /secret|passw|token|code|hash|sealed|key|digest|fingerprint|openid|challenge|signature|claim|cookie|pin$/;

test("export: secrets are left out, and each column that may be one was looked at", () =>
  owned(async (client) => {
    const tables = (await findTenantTables(client)).filter(({ isExported }) => isExported);
    const suspicious = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => SECRET.test(column)).map((column) => `${name}.${column}`),
    );
    expect(suspicious.sort()).toEqual([
      "audit_base.hash",
      "audit_base.signature",
      "audit_head.hash",
      "audit_link.hash",
      "audit_seal.hash",
      "audit_seal.sealed_at",
      "audit_seal.signature",
      "callback_attempt.signature", // of a delivery that was sent
      "callback_event.key", // deduplicates
      "file.storage_key",
      "message_template.sms_code", // the carrier's name of a template
      "message_template.subscribe_keywords",
      "mini_program_user.openid",
      "open_app.code", // the application's public name
      "open_call.idempotency_key",
      "operator.first_password_until",
      "operator.must_change_password",
      "payment_setting.public_key",
      "payment_setting.public_key_id",
      "sms_message.claimed_at",
      "sms_message.result_code",
      "sms_message.send_key", // deduplicates
      "sms_message.template_code",
      "store.code",
      "subscribe_message.claimed_at",
      "subscribe_message.error_code",
      "tenant_setting.codes_per_hour",
      "tenant_setting.map_key", // every browser has it
      "top_up.openid",
      "work_failure.key", // of a row
    ]);
  }));

test("tenants: columns beside `tenant_id` that name one were looked at", async () => {
  const rows = await rowsOf<{ name: string }>(sql`
    select relname || '.' || attname as name from pg_attribute join pg_class on oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attname like '%tenant%' and attname <> 'tenant_id' order by 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    "announcement.tenant_ids", // of the platform's announcements: numbers alone
    "audit_log.actor_tenant_id", // in other tenants' logs only the platform acts
    "device_stock.owner_tenant_id", // its devices go back in stock
    "money_review.requester_tenant_id", // in other tenants' requests only the platform acts
    "session.visited_tenant_id", // ends within hours
  ]);
});

test("export: all rows and files of the tenant, none of another, in one archive with its schema", async () => {
  expect(await run(["tenant", "export", String(tenantId), "own.tar.gz"])).toMatchObject({
    code: 0,
    text: expect.stringContaining(`已导出租户 ${tenantId}`),
  });
  const archive = path.join(folder, "own.tar.gz");
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  const unpacked = path.join(folder, "own");
  execFileSync("mkdir", [unpacked]);
  execFileSync("tar", ["--extract", "--gzip", `--file=${archive}`, `--directory=${unpacked}`]);
  const read = (name: string) => readFile(path.join(unpacked, name));
  const manifest: Manifest = JSON.parse(String(await read("manifest.json")));
  for (const [name, sha256] of Object.entries(manifest.sha256)) {
    expect(
      createHash("sha256")
        .update(await read(name))
        .digest("hex"),
      name,
    ).toBe(sha256);
  }
  const tables = await owned(findTenantTables);
  let all = "";
  for (const { name, isExported } of tables) {
    const [{ rows } = { rows: -1 }] = await rowsOf<{ rows: number }>(
      sql`select count(*) as rows from ${raw(name)} where tenant_id = ${tenantId}`,
    );
    expect(manifest.tables[name]?.rows, name).toBe(isExported ? rows : undefined);
    if (!isExported || rows === 0) continue;
    const parts = await readdir(path.join(unpacked, "tables", name));
    const texts = await Promise.all(parts.map((part) => read(`tables/${name}/${part}`)));
    expect(String(Buffer.concat(texts)).trim().split("\n").length, name).toBe(rows);
    all += texts.join("");
  }
  expect(manifest.tables.later_table).toEqual({ rows: 1, withheld: [] });
  expect(all).toContain("later note");
  const [mark = "", ...cabinets] = world.marks;
  // Without `toContain`, which prints the whole text.
  for (const each of [mark, ...cabinets]) expect(all.includes(each), each).toBe(true);
  for (const each of other.marks) expect(all.includes(each), each).toBe(false);
  expect(/"(password_hash|sealed_(secret|text|key)|code_hash|token_hash)":/.exec(all)).toBe(null);
  expect(manifest.tables.open_app_key?.withheld).toEqual(["sealed_secret"]);
  const [own = { id: "" }] = await rowsOf<{ id: string }>(
    sql`select id from file where storage_key = ${fileKey}`,
  );
  expect(await read(`files/${own.id}`)).toEqual(FILE);
  expect(String(await read("schema.sql"))).toContain("create table cabinet (");
  expect(JSON.parse(String(await read("tenant.json")))).toMatchObject({ id: tenantId });
});

test("export: an unknown tenant and a wrong command leave no file", async () => {
  expect(await run(["tenant", "export", "999999999", "none.tar.gz"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("没有编号为 999999999 的租户"),
  });
  expect(await run(["tenant", "export", "x", "none.tar.gz"])).toMatchObject({ code: 1 });
  expect((await readdir(folder)).filter((name) => name.startsWith("none"))).toEqual([]);
});

test("erasure: refused before the grace has passed, and for the platform", async () => {
  const refused = () => owned((client) => requireErasable(client, tenantId));
  await expect(refused()).rejects.toThrow(/正常，不能清除：请先停用它，30 天后再清除/);
  await change(sql`
    update tenant set state = 'SUSPENDED', suspend_reason = '-', suspended_at = now() - interval '29 days'
    where id = ${tenantId}`);
  await expect(refused()).rejects.toThrow(/已停用只有 29 天：满 30 天才能清除/);
  await expect(owned((client) => requireErasable(client, 1))).rejects.toThrow("平台自己的数据");
  await change(sql`
    update tenant set state = 'ACTIVE', suspended_at = null, expires_at = now() - interval '31 days'
    where id = ${tenantId}`);
  expect(await refused()).toMatchObject({ tenantId, isBegun: false });
});

test("erasure: wants the name typed, and a flag while money or cabinets remain", async () => {
  const before = await fingerprint(testServer, tenantId);
  const remaining = await run(["tenant", "erase", String(tenantId)], `租户 ${tenantId}`);
  expect(remaining).toMatchObject({ code: 1, text: expect.stringContaining("--despite-remains") });
  const misspelt = await run(["tenant", "erase", String(tenantId), "--despite-remains"], "租户");
  expect(misspelt).toMatchObject({ code: 1, text: expect.stringContaining("名称不一致") });
  expect(await fingerprint(testServer, tenantId)).toEqual(before);
});

test("erasure: takes every row and file of the tenant, none of another, and leaves the signed heads", async () => {
  const privileges = sql`
    select string_agg(relname || relacl::text, ' ' order by relname) as acl from pg_class
    where relnamespace = 'public'::regnamespace`;
  const aclBefore = await rowsOf(privileges);
  const otherBefore = await fingerprint(testServer, otherId);
  const place = path.join(testServer.dataDir, "files", fileKey.slice(0, 2), fileKey);
  expect(existsSync(place)).toBe(true);
  const args = ["tenant", "erase", String(tenantId), "--despite-remains"];
  expect(await run(args, `租户 ${tenantId}`)).toMatchObject({
    code: 0,
    text: expect.stringContaining(`已清除租户 ${tenantId}`),
  });
  for (const { name } of await owned(findTenantTables)) {
    const left = await rowsOf(sql`select 1 from ${raw(name)} where tenant_id = ${tenantId}`);
    expect(left.length, name).toBe(name === "audit_seal" ? 1 : 0);
  }
  expect(existsSync(place)).toBe(false);
  expect(await rowsOf(sql`select from stored_object where key = ${fileKey}`)).toEqual([]);
  expect(
    await rowsOf(sql`select name, contact_phone, state from tenant where id = ${tenantId}`),
  ).toEqual([{ name: `已清除 ${tenantId}`, contactPhone: "", state: "DELETED" }]);
  expect(
    await rowsOf(sql`
      select state, owner_tenant_id from device_stock where id = ${world.ids.assignedStockId}`),
  ).toEqual([{ state: "IN_STOCK", ownerTenantId: null }]);
  expect(
    await rowsOf(sql`
      select target from audit_log where tenant_id = 1 and call = 'storage tenant erase'`),
  ).toEqual([{ target: `租户 租户 ${tenantId}` }]);
  expect(await fingerprint(testServer, otherId)).toEqual(otherBefore);
  expect(await rowsOf(privileges)).toEqual(aclBefore);
  expect(await run(args, "-")).toMatchObject({
    code: 1,
    text: expect.stringContaining("已经清除"),
  });
});

test("erasure: one that was interrupted goes on without another grace", async () => {
  const { id } = await testServer.makeTenant();
  await change(sql`
    update tenant set state = 'DELETED', deleted_at = now(), erase_began_at = now() where id = ${id}`);
  const again = await run(["tenant", "erase", String(id)], `租户 ${id}`);
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining(`已清除租户 ${id}`) });
  expect(await rowsOf(sql`select from operator where tenant_id = ${id}`)).toEqual([]);
});

test("commands: refuse a schema that is too old", async () => {
  await withClient(testServer.url, (client) =>
    client.query("delete from migration where name like '0066%'"),
  );
  expect(await run(["tenant", "export", String(otherId), "none.tar.gz"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("数据库结构过旧"),
  });
});
