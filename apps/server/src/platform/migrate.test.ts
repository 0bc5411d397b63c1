// Migrations: each once, whole or not at all, and never altered afterwards.
import { expect, test } from "vitest";
import { cloneDatabase, withClient } from "../../../../tests/support/postgres.ts";
import { migrate } from "./migrate.ts";

test("a database that is up to date is left alone, by many at the same moment", async () => {
  const clone = await cloneDatabase();
  const rounds = await Promise.all([migrate(clone.url), migrate(clone.url), migrate(clone.url)]);
  expect(rounds).toEqual([[], [], []]);
});

test("a migration that was altered after it ran is refused by name", async () => {
  const clone = await cloneDatabase();
  await withClient(clone.url, (client) =>
    client.query("update migration set sha256 = 'other' where name like '0001%'"),
  );
  await expect(migrate(clone.url)).rejects.toThrow(/0001_create_platform\.sql 在执行后被修改过/);
});
