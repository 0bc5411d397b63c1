// Tests migrations: each runs once, whole or not at all, and is never altered afterwards.
import { expect, test } from "vitest";
import { cloneDatabase, withClient } from "../../../../../tests/support/postgres.ts";
import { migrate } from "./migrate.ts";

test("migrations: several concurrent runs leave an up-to-date database alone", async () => {
  const clone = await cloneDatabase();
  const rounds = await Promise.all([migrate(clone.url), migrate(clone.url), migrate(clone.url)]);
  expect(rounds).toEqual([[], [], []]);
});

test("migrations: one that was altered after it ran is refused by name", async () => {
  const clone = await cloneDatabase();
  await withClient(clone.url, (client) =>
    client.query("update migration set sha256 = 'other' where name like '0001%'"),
  );
  await expect(migrate(clone.url)).rejects.toThrow(/0001_create_platform\.sql 在执行后被修改过/);
});
