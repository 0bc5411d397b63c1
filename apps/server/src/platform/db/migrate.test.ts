// Tests migrations: each runs once, waits for locks without stopping requests, and refuses foreign schemas.
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cloneDatabase, withClient } from "../../../../../tests/support/postgres.ts";
import { SettingsError } from "../env.ts";
import { type MigrateOptions, migrate, requireSchema as requireSchemaOn } from "./migrate.ts";
import { compareReleases, MIGRATIONS } from "./migration-files.ts";

let folder: string;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "migrations-"));
  await cp(MIGRATIONS, folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  url = (await cloneDatabase()).url;
});

/** Adds a migration to the release for the duration of `work`. */
async function withMigration(text: string, work: () => Promise<void>): Promise<void> {
  const file = path.join(folder, "9999_test.sql");
  await writeFile(file, text);
  await work().finally(() => rm(file));
}

const query = (text: string) => withClient(url, async (client) => (await client.query(text)).rows);

const requireSchema = (options: MigrateOptions = {}) =>
  withClient(url, (client) => requireSchemaOn(client, options));

test("migrations: several concurrent runs leave an up-to-date database alone", async () => {
  const rounds = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(rounds).toEqual([[], [], []]);
});

test("migrations: one that was altered after it ran is refused by name", async () => {
  await query("update migration set sha256 = 'other' where name like '0001%'");
  const refused = migrate(url);
  await expect(refused).rejects.toThrow(/0001_create_platform\.sql 在执行后被修改过/);
  await expect(refused).rejects.toBeInstanceOf(SettingsError);
});

test("migrations: a failing one leaves nothing behind", () =>
  withMigration("create table half (); select 1 / 0;", async () => {
    await expect(migrate(url, { folder })).rejects.toThrow("division by zero");
    expect(await query("select to_regclass('half') as half")).toEqual([{ half: null }]);
  }));

test("schema: an expanding migration lets the earlier release start", () =>
  withMigration("alter table store add column later text;", async () => {
    expect(await migrate(url, { folder, release: "1.1.0" })).toEqual(["9999_test.sql"]);
    expect(await migrate(url, { release: "1.0.0" })).toEqual([]);
    await requireSchema({ release: "1.0.0" });
  }));

test("schema: a contracting migration refuses releases before the one it names", () =>
  withMigration("-- oldest release: 1.10.0\nalter table store add column later text;", async () => {
    await migrate(url, { folder, release: "1.11.0" });
    const sentence = /^数据库结构过新：它至少要 1\.10\.0 版本的程序，这个程序是 1\.9\.3/;
    await expect(migrate(url, { release: "1.9.3" })).rejects.toThrow(sentence);
    await expect(requireSchema({ release: "1.9.3" })).rejects.toThrow(sentence);
    await requireSchema({ release: "1.10.0" });
  }));

test("schema: one that is too old is refused where the server does not migrate", () =>
  withMigration("alter table store add column later text;", async () => {
    await expect(requireSchema({ folder })).rejects.toThrow(
      /^数据库结构过旧，缺少 1 个迁移（从 9999_test\.sql 起）/,
    );
    await query("drop table migration");
    await expect(requireSchema()).rejects.toThrow(/^数据库结构过旧/);
  }));

test("migrations: one that waits for a table gives way to requests, and gives up in the end", () =>
  withMigration("alter table store add column later text;", async () => {
    const waiting: string[] = [];
    const onWait = (name: string) => waiting.push(name);
    await withClient(url, async (reader) => {
      await reader.query("begin; select from store");
      await expect(migrate(url, { folder, onWait, lockAttempts: 1 })).rejects.toThrow(
        /9999_test\.sql 等不到表锁/,
      );
      const migrated = migrate(url, { folder, onWait });
      await expect.poll(() => waiting.length).toBe(2);
      // Between two attempts nobody queues for the table.
      await query("set lock_timeout = 900; select from store");
      await reader.query("commit");
      expect(await migrated).toEqual(["9999_test.sql"]);
    });
  }));

test("migrations: one that changes two tables ends no request that reads both in the other order", () =>
  withMigration(
    "alter table store add column later text; alter table cabinet add column later text;",
    () =>
      withClient(url, async (reader) => {
        await reader.query("begin; select from cabinet");
        const waiting: string[] = [];
        const migrated = migrate(url, { folder, onWait: (name) => waiting.push(name) });
        await expect
          .poll(
            () =>
              query("select from pg_locks where not granted and relation = 'cabinet'::regclass"),
            { interval: 5 },
          )
          .toHaveLength(1);
        await reader.query("select from store");
        await reader.query("commit");
        expect(await migrated).toEqual(["9999_test.sql"]);
        expect(waiting).toHaveLength(1);
      }),
  ));

test("migrations: an index is built concurrently, while others wait to migrate", () =>
  withMigration(
    "-- Found by name.\n\ndrop index concurrently if exists store_later;\ncreate index concurrently store_later on store (name);\n",
    async () => {
      const rounds = await Promise.all([migrate(url, { folder }), migrate(url, { folder })]);
      expect(rounds.flat()).toEqual(["9999_test.sql"]);
      expect(
        await query("select indisvalid from pg_index where indexrelid = 'store_later'::regclass"),
      ).toEqual([{ indisvalid: true }]);
    },
  ));

test.each([
  ["1.9.3", "1.10.0", -1],
  ["1.10.0-rc.1", "1.10.0", 0],
  ["2.0.0", "1.99.99", 1],
])("releases: %s against %s", (a, b, sign) => {
  expect(Math.sign(compareReleases(a, b))).toBe(sign);
});
