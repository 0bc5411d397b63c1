// Tests list paging and full passes on a real PostgreSQL.
import { describe, expect, it, vi } from "vitest";
import { useTestServer } from "../../../../../tests/support/test-server.ts";
import type { Db } from "./db.ts";
import { findPage, pageLimits, pagesOf } from "./page.ts";
import { type Sql, sql } from "./sql.ts";

const testServer = useTestServer();

const list = (page: number, pageSize: number) => ({
  rows: sql`select n from generate_series(1, 25) n order by n desc ${pageLimits({ page, pageSize })}`,
  matching: sql`from generate_series(1, 25)`,
});

/** Reads a list of at most `max` rows in batches of `size`, until one is empty. */
const pass = (max: number, size: number) =>
  testServer.database.snapshot("platform", async (db) => {
    const reading = { ...db, pages: pagesOf(db, { max, size }) };
    const turns: { list: { n: number }[]; total: number }[] = [];
    do turns.push(await findPage<{ n: number }>(reading, list(1, max)));
    while (turns.at(-1)?.list.length);
    return turns;
  });

it("page: gives the requested page", async () => {
  const page = await testServer.database.read("platform", (db) => findPage(db, list(2, 10)));
  expect(page).toEqual({ list: [...Array(10).keys()].map((at) => ({ n: 15 - at })), total: 25 });
});

/** Executes the statement often enough for PostgreSQL to choose, and returns how often it was planned with its values. */
const timesPlanned = (rows: Sql) =>
  testServer.database.read("platform", async (db) => {
    for (let time = 0; time < 20; time++) await db.many(rows);
    const { customPlans } = await db.one<{ customPlans: number }>(sql`
      select custom_plans from pg_prepared_statements where statement = ${rows.text}`);
    return customPlans;
  });

it("page: the unfiltered first page is planned once, a filtered one by its values", async () => {
  const functions = (query: Parameters<typeof pageLimits>[0] & { name?: string }) =>
    sql`select proname from pg_proc where pronargs >= ${0} order by proname ${pageLimits(query)}`;
  // PostgreSQL compares the plans of the first five executions with the one that it would keep.
  expect(await timesPlanned(functions({ page: 1, pageSize: 10 }))).toBe(5);
  expect(await timesPlanned(functions({ page: 1, pageSize: 10, name: "a" }))).toBe(20);
});

describe("page: a list with more rows than are counted", () => {
  /** A list of `count` of the tenant's rows, and how often it was counted. */
  const read = async (count: number, scope: Parameters<typeof testServer.database.read>[0]) => {
    let counted = 0;
    const page = await testServer.database.read(scope, (db) => {
      const one: Db["one"] = (query) => {
        counted++;
        return db.one(query);
      };
      const matching = sql`from generate_series(1, ${count}::int)`;
      return findPage({ ...db, one }, { rows: sql`select 1 as n limit 1`, matching });
    });
    return { ...page, counted };
  };
  const long = { list: [{ n: 1 }], total: 10_000, isTotalCapped: true };

  it("is counted once, in each scope and with each filter", async () => {
    expect(await read(10_001, { tenantId: 1 })).toEqual({ ...long, counted: 1 });
    expect(await read(10_001, { tenantId: 1 })).toEqual({ ...long, counted: 0 });
    expect(await read(10_001, { tenantId: 2 })).toEqual({ ...long, counted: 1 });
    expect(await read(10_001, "platform")).toEqual({ ...long, counted: 1 });
    expect(await read(10_002, { tenantId: 1 })).toEqual({ ...long, counted: 1 });
  });

  it("is counted again after ten seconds", async () => {
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now);
    try {
      await read(10_003, { tenantId: 1 });
      clock.mockReturnValue(now + 9_999);
      expect(await read(10_003, { tenantId: 1 })).toEqual({ ...long, counted: 0 });
      clock.mockReturnValue(now + 10_000);
      expect(await read(10_003, { tenantId: 1 })).toEqual({ ...long, counted: 1 });
    } finally {
      clock.mockRestore();
    }
  });

  it("a shorter one is counted each time", async () => {
    const short = { list: [{ n: 1 }], total: 10_000, counted: 1 };
    expect(await read(10_000, { tenantId: 1 })).toEqual(short);
    expect(await read(10_000, { tenantId: 1 })).toEqual(short);
  });
});

it("page: a pass gives all rows in batches, each once and in order, then none", async () => {
  const turns = await pass(100, 10);
  expect(turns.map(({ list: rows }) => rows.length)).toEqual([10, 10, 5, 0]);
  expect(turns.flatMap(({ list: rows }) => rows.map(({ n }) => n))).toEqual(
    [...Array(25).keys()].map((at) => 25 - at),
  );
  expect(new Set(turns.map(({ total }) => total))).toEqual(new Set([25]));
});

it("page: a pass over more rows than the maximum reads none and reports the total", async () => {
  expect(await pass(24, 10)).toEqual([{ list: [], total: 25 }]);
  expect((await pass(25, 10)).flatMap(({ list: rows }) => rows)).toHaveLength(25);
});

it("page: a snapshot is read-only and has a longer statement timeout than a request", async () => {
  const facts = await testServer.database.snapshot("platform", (db) =>
    db.one(sql`select current_setting('transaction_isolation') as isolation,
      current_setting('transaction_read_only') as is_read_only,
      current_setting('statement_timeout') as timeout`),
  );
  expect(facts).toEqual({ isolation: "repeatable read", isReadOnly: "on", timeout: "1min" });
  const after = await testServer.database.read("platform", (db) =>
    db.one(sql`select current_setting('statement_timeout') as timeout`),
  );
  expect(after).toEqual({ timeout: "5s" });
});
