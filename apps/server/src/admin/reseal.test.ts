// Sealing again after a rotation: every sealed column, in batches, repeatable, and nothing that cannot be opened is lost.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { makeWorld } from "../../../../tests/support/tenant-world.ts";
import { useTestServer } from "../../../../tests/support/test-server.ts";
import { raw, sql } from "../platform/db/sql.ts";
import { readSettings } from "../platform/env.ts";
import { Vault } from "../platform/secrets.ts";
import { asOwner } from "./owner.ts";
import { resealAll, sealedColumns } from "./reseal.ts";

const [root, middle, newest] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const beforeRotation = new Vault(root);
const afterFirst = new Vault(Buffer.concat([middle, root]));
const afterSecond = new Vault(Buffer.concat([newest, middle, root]));
/** Opens what the newest key sealed, and nothing else. */
const newestOnly = new Vault(Buffer.concat([newest, randomBytes(32)]));

const testServer = useTestServer({ vault: beforeRotation });
const silent = { info() {}, warn() {}, error() {} };
const owned = <Result>(work: (client: pg.Client) => Promise<Result>) =>
  asOwner(readSettings({ DATABASE_URL: testServer.url }), silent, work);

type Columns = Record<string, string | number>;
/** Owner texts as they are stored since the first release. */
const owners: Record<string, (row: Columns) => string> = {
  "cabinet_secret.sealed_secret": ({ sn, kid }) => `cabinet_secret/${sn}/${kid}`,
  "callback_secret.sealed": (row) => `callback:${row.tenant_id}:${row.endpoint_id}`,
  "mini_program_setting.sealed_secret": (row) => `mini-program secret ${row.tenant_id}`,
  "mini_program_setting.sealed_push_token": (row) => `mini-program push token ${row.tenant_id}`,
  "mini_program_setting.sealed_push_key": (row) => `mini-program push key ${row.tenant_id}`,
  "open_app_key.sealed_secret": (row) => `open-app-key:${row.tenant_id}:${row.app_id}:${row.kid}`,
  "payment_setting.sealed_private_key": (row) => `payment private key ${row.tenant_id}`,
  "payment_setting.sealed_api_v3_key": (row) => `payment APIv3 key ${row.tenant_id}`,
  "sms_channel.sealed_secret": () => "sms channel secret",
  "sms_message.sealed_text": (row) => `sms:${row.tenant_id}:${row.phone}`,
  "sms_message.sealed_carrier": (row) => `sms:${row.tenant_id}:${row.phone}`,
  "subscribe_message.sealed_content": (row) =>
    `subscribe message ${row.tenant_id}/${row.end_user_id}`,
  "tenant_setting.sealed_map_code": (row) => `map code ${row.tenant_id}`,
  "totp.sealed_secret": (row) => `totp ${row.tenant_id}/${row.operator_id}`,
};

interface Stored {
  place: string;
  row: Columns;
  sealed: Buffer;
}

async function findStored(name: string): Promise<Stored[]> {
  const [table = "", column = ""] = name.split(".");
  return testServer.database.read("platform", async (db) => {
    const rows = await db.many<{ place: string; row: Columns; sealed: Buffer }>(sql`
      select sealed_row.ctid::text as place, ${raw(column)} as sealed,
        to_jsonb(sealed_row) || coalesce((select jsonb_build_object('sn', sn) from cabinet
          where ${raw(table === "cabinet_secret" ? "cabinet.id = sealed_row.cabinet_id" : "false")}), '{}')
          as row
      from ${raw(table)} sealed_row`);
    return rows;
  });
}

beforeAll(async () => {
  await testServer.makeTenant(1);
  const { id, people } = await testServer.makeTenant();
  await makeWorld(testServer, id, people[1]);
  await testServer.database.transaction("platform", async (db) => {
    await db.run(sql`update tenant_setting set map_key = 'k', sealed_map_code = '\\x00'`);
    // More than two batches.
    await db.run(sql`
      insert into sms_message (tenant_id, phone, scene, sealed_text, template_code, state, segments)
      select tenant_id, phone, scene, sealed_text, template_code, state, segments
      from (select * from sms_message limit 1) one, generate_series(1, 450)`);
  });
  for (const [name, ownerOf] of Object.entries(owners)) {
    const [table = "", column = ""] = name.split(".");
    const stored = await findStored(name);
    expect(stored.length, name).toBeGreaterThan(0);
    await testServer.database.transaction("platform", async (db) => {
      for (const [at, { place, row }] of stored.entries()) {
        const vault = at % 2 === 0 ? beforeRotation : afterFirst;
        const sealed = vault.seal(`plain of ${name}`, ownerOf(row));
        await db.run(sql`
          update ${raw(table)} set ${raw(column)} = ${sealed} where ctid = ${place}::tid`);
      }
    });
  }
});

test("the list of sealed columns is that of the database", async () => {
  const found = await testServer.database.read("platform", (db) =>
    db.many<{ name: string }>(sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name ~ '^sealed' and data_type = 'bytea' order by 1`),
  );
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(listed.sort()).toEqual(found.map(({ name }) => name).sort());
  expect(Object.keys(owners).sort()).toEqual(listed);
});

test("all values: sealed by the newest key afterwards; a repeated run finds nothing", async () => {
  const counts = await owned((client) => resealAll(client, afterSecond));
  for (const { column, resealed, failed } of counts) {
    const stored = await findStored(column);
    expect({ column, resealed, failed }).toEqual({ column, resealed: stored.length, failed: 0 });
    for (const { row, sealed } of stored) {
      const owner = owners[column]?.(row) ?? "";
      expect(newestOnly.open(sealed, owner)).toBe(`plain of ${column}`);
    }
  }
  const texts = counts.find(({ column }) => column === "sms_message.sealed_text");
  expect(texts?.resealed).toBeGreaterThan(450);
  const again = await owned((client) => resealAll(client, afterSecond));
  expect(again.filter(({ resealed, failed }) => resealed + failed > 0)).toEqual([]);
});

test("values that no key opens are counted and left alone; erased ones are not touched", async () => {
  const run = (statement: ReturnType<typeof sql>) =>
    testServer.database.transaction("platform", (db) => db.run(statement));
  const strange = new Vault(randomBytes(32)).seal("strange", "nobody");
  await run(sql`update totp set sealed_secret = ${strange}`);
  await run(sql`update subscribe_message set sealed_content = ''`);
  const counts = await owned((client) => resealAll(client, afterSecond));
  const [totp] = await findStored("totp.sealed_secret");
  expect(counts.filter(({ resealed, failed }) => resealed + failed > 0)).toEqual([
    {
      column: "totp.sealed_secret",
      resealed: 0,
      failed: (await findStored("totp.sealed_secret")).length,
    },
  ]);
  expect(totp?.sealed.equals(strange)).toBe(true);
});

test("the command: says what it did, and fails when something cannot be opened", async () => {
  const file = path.join(testServer.dataDir, "secret.key");
  const reseal = () =>
    promisify(execFile)(
      process.execPath,
      [path.join(import.meta.dirname, "main.ts"), "key", "reseal"],
      { env: { ...process.env, DATABASE_URL: testServer.url, DATA_DIR: testServer.dataDir } },
    );
  await writeFile(file, root);
  expect((await reseal()).stdout).toContain("主密钥没有轮换过");
  await writeFile(file, Buffer.concat([randomBytes(32), newest, middle, root]));
  const failed: { stdout?: string; stderr?: string } = await reseal().catch((error) => error);
  expect(failed.stdout).toMatch(/sms_message\.sealed_text：45\d 项/);
  expect(failed.stdout).toMatch(/已用当前的主密钥重新加密 \d+ 项/);
  expect(failed.stderr).toMatch(/totp\.sealed_secret：\d+ 项打不开/);
});
