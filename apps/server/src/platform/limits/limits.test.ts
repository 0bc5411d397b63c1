// Tests rate limits in the database: exact under concurrency, ending in time, safe when the clock is set back.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase } from "../../../../../tests/support/postgres.ts";
import { type Database, openDatabase } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { countAsk } from "./rate-limit.sql.ts";
import { blockedSeconds, recordFailure } from "./throttle.sql.ts";

let database: Database;
beforeAll(async () => {
  database = openDatabase((await cloneDatabase()).url, { max: 8 });
});
afterAll(() => database.close());

const LIMITS = [{ max: 3, seconds: 60 }];
const ask = (key: string) => database.transaction("platform", (db) => countAsk(db, key, LIMITS));
const set = (statement: ReturnType<typeof sql>) =>
  database.transaction("platform", (db) => db.run(statement));

test("rate limit: concurrent requests beyond the limit wait", async () => {
  const waits = await Promise.all(Array.from({ length: 12 }, () => ask("at once")));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(3);
  await set(sql`update ask_count set began_at = began_at - interval '61 seconds'`);
  expect(await ask("at once")).toBe(0);
});

test("rate limit: a window of a transaction that began later lasts no longer than it is", async () => {
  for (let n = 0; n < 3; n++) await ask("later");
  await set(sql`update ask_count set began_at = now() + interval '2 seconds'`);
  expect(await ask("later")).toBe(60);
});

test("rate limit: a clock set back by an hour blocks nobody for an hour", async () => {
  for (let n = 0; n < 4; n++) await ask("set back");
  expect(await ask("set back")).toBeGreaterThan(0);
  await set(sql`update ask_count set began_at = began_at + interval '1 hour'`);
  expect(await ask("set back")).toBe(0);

  const blocked = () => database.read("platform", (db) => blockedSeconds(db, ["set back"]));
  await database.transaction("platform", (db) => recordFailure(db, ["set back"], 1));
  expect(await blocked()).toBeGreaterThan(0);
  await set(sql`update sign_in_throttle set blocked_until = blocked_until + interval '1 hour'`);
  expect(await blocked()).toBe(0);
});

test("backoff: the longest block also holds for an attempt whose transaction began before the failures", async () => {
  const seconds = await database.transaction("platform", async (db) => {
    // Starts the transaction: now() is fixed by this statement.
    await db.one(sql`select now()`);
    await database.transaction("platform", async (other) => {
      for (let n = 0; n < 12; n++) await recordFailure(other, ["longest"]);
    });
    return blockedSeconds(db, ["longest"]);
  });
  expect(seconds).toBeGreaterThan(800);
});
