// Tests transactions: row-level security, retries and atomicity.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabaseLine } from "../../../../../tests/support/database-line.ts";
import { cloneDatabase, type TestDatabase } from "../../../../../tests/support/postgres.ts";
import { type Database, type Db, openDatabase, STALLED_MS } from "./db.ts";
import { openPool, PING_MS } from "./postgres-client.ts";
import { sql } from "./sql.ts";

let clone: TestDatabase;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase(clone.url, { max: 4 });
  await database.transaction("platform", async (db) => {
    for (const id of [1, 2]) {
      await db.run(sql`insert into tenant (id, name) values (${id}, ${`tenant ${id}`})`);
      await db.run(sql`insert into role (tenant_id, name) values (${id}, 'one')`);
    }
  });
});
afterAll(async () => {
  await database.close();
});

const tenantsSeen = (rows: { tenantId: number }[]) => rows.map((row) => row.tenantId);

test("T2: requests run as roles that own no table, are no superuser and cannot bypass RLS", async () => {
  for (const scope of [{ tenantId: 1 }, "platform"] as const) {
    const role = await database.read(scope, (db) =>
      db.one<{ rolsuper: boolean; rolbypassrls: boolean; tables: number }>(sql`
        select rolsuper, rolbypassrls,
          (select count(*)::int from pg_class where relowner = r.oid) as tables
        from pg_roles r where rolname = current_user`),
    );
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, tables: 0 });
  }
});

test("T2: a narrowed transaction sees and writes the rows of one tenant, and the next one all", async () => {
  const ids = (db: Db) => db.many<{ tenantId: number }>(sql`select tenant_id from role`);
  const [all, narrowed] = await database.transaction("platform", async (db) => {
    const before = tenantsSeen(await ids(db));
    await db.narrow(2);
    expect(await db.run(sql`update role set name = 'two' where tenant_id = 1`)).toBe(0);
    return [before, tenantsSeen(await ids(db))];
  });
  expect(all).toEqual(expect.arrayContaining([1, 2]));
  expect(new Set(narrowed)).toEqual(new Set([2]));
  expect(tenantsSeen(await database.read("platform", ids))).toEqual(all);
});

test("T2: every table with a tenant forces row-level security", async () => {
  const open = await database.read("platform", (db) =>
    db.many<{ name: string }>(sql`
      select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
        and not (c.relrowsecurity and c.relforcerowsecurity)`),
  );
  expect(open).toEqual([]);
});

test("T2: a tenant sees its own rows, none without a scope, and cannot write another's", async () => {
  const all = sql`select tenant_id from role order by tenant_id`;
  expect(tenantsSeen(await database.read({ tenantId: 2 }, (db) => db.many(all)))).toEqual([2]);
  expect(tenantsSeen(await database.read("platform", (db) => db.many(all)))).toEqual([1, 2]);
  expect(await database.unscoped(all)).toEqual([]);
  const foreign = database.transaction({ tenantId: 2 }, (db) =>
    db.run(sql`insert into role (tenant_id, name) values (1, 'planted')`),
  );
  await expect(foreign).rejects.toThrow(/row-level security/);
  const changed = await database.transaction({ tenantId: 2 }, (db) =>
    db.run(sql`update role set name = 'taken' where tenant_id = 1`),
  );
  expect(changed).toBe(0);
});

test("database: rows have camelCase keys, on every connection and through a cursor", async () => {
  const query = sql`
    select 1 as tenant_id, 2 as sealed_api_v3_key, 3 as "QUEUED", 4 as "dueMs",
      '{"in_json": 5}'::jsonb as facts`;
  const row = { tenantId: 1, sealedApiV3Key: 2, QUEUED: 3, dueMs: 4, facts: { in_json: 5 } };
  const seen = await Promise.all(
    Array.from({ length: 12 }, () => database.read("platform", (db) => db.many(query))),
  );
  expect(new Set(seen.map((rows) => JSON.stringify(rows)))).toEqual(
    new Set([JSON.stringify([row])]),
  );
  expect(await database.unscoped(query)).toEqual([row]);
  const fetched = await database.snapshot("platform", async (db) => {
    await db.run(sql`declare some_rows no scroll cursor for ${query}`);
    return db.many(sql`fetch 2 from some_rows`);
  });
  expect(fetched).toEqual([row]);
});

test("database: the scope ends with its transaction, on every connection of the pool", async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      database.read(index % 2 ? "platform" : { tenantId: 1 }, (db) => db.many(sql`select 1`)),
    ),
  );
  const seen = await Promise.all(
    Array.from({ length: 12 }, () => database.unscoped(sql`select tenant_id from role`)),
  );
  expect(seen.flat()).toEqual([]);
});

test("O3: a transaction that misses its deadline is rolled back", async () => {
  const plant = (untilMs: number) =>
    database.transaction(
      { tenantId: 1 },
      (db) => db.run(sql`insert into role (tenant_id, name) values (1, 'late')`),
      untilMs,
    );
  await expect(plant(performance.now() - 1)).rejects.toMatchObject({ code: "TOO_LATE" });
  const late = sql`select tenant_id from role where name = 'late'`;
  expect(await database.read("platform", (db) => db.many(late))).toEqual([]);
});

test("database: no free connection in time fails with NO_CONNECTION", async () => {
  const narrow = openDatabase(clone.url, { max: 1, patienceMs: 1_000 });
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = narrow.transaction({ tenantId: 1 }, () => {
    begun.resolve();
    return held.promise;
  });
  await begun.promise;
  await expect(narrow.read("platform", async () => 1)).rejects.toMatchObject({
    code: "NO_CONNECTION",
  });
  held.resolve();
  await holding;
  await narrow.close();
});

test("outage: no free connection is NO_CONNECTION for a statement outside a transaction, too", async () => {
  const narrow = openDatabase(clone.url, { max: 1, patienceMs: 1_000 });
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = narrow.transaction({ tenantId: 1 }, () => {
    begun.resolve();
    return held.promise;
  });
  await begun.promise;
  await expect(narrow.unscoped(sql`select 1`)).rejects.toMatchObject({ code: "NO_CONNECTION" });
  held.resolve();
  await holding;
  await narrow.close();
});

test("outage: a refused connection is NO_CONNECTION for every kind of call", async () => {
  const line = await startDatabaseLine(clone.url);
  const cutOff = openDatabase(line.url, { max: 2 });
  const one = sql`select 1`;
  await cutOff.unscoped(one);
  line.breakDown();
  const refused = { code: "NO_CONNECTION" };
  for (let n = 0; n < 3; n++) {
    await expect(cutOff.unscoped(one)).rejects.toMatchObject(refused);
    await expect(cutOff.read("platform", (db) => db.one(one))).rejects.toMatchObject(refused);
    await expect(cutOff.transaction("platform", (db) => db.run(one))).rejects.toMatchObject(
      refused,
    );
    await expect(cutOff.snapshot("platform", (db) => db.one(one))).rejects.toMatchObject(refused);
  }
  await line.restore();
  await cutOff.unscoped(one);
  await cutOff.close();
  line.stop();
});

test("outage: a connection that the server terminates midway is NO_CONNECTION", async () => {
  const ended = database.transaction("platform", async (db) => {
    const { pid } = await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const owner = new pg.Client(clone.url);
    await owner.connect();
    await owner.query("select pg_terminate_backend($1)", [pid]);
    await owner.end();
    await db.one(sql`select 1`);
  });
  await expect(ended).rejects.toMatchObject({ code: "NO_CONNECTION" });
});

test("stalled process: its locks end before the lock timeout, it fails with NO_CONNECTION and has no effect", async () => {
  const lockAs = (name: string) => (db: Db) =>
    db.run(sql`update role set name = ${name} where tenant_id = 1`);
  const stalled = openDatabase(clone.url, { max: 1 });
  const [locked, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stalling = stalled.transaction({ tenantId: 1 }, async (db) => {
    await lockAs("late")(db);
    locked.resolve();
    await woken.promise;
    await db.one(sql`select 1`);
  });
  stalling.catch(() => {});
  await locked.promise;
  const began = performance.now();
  // Not refused: a lock timeout would throw here.
  await database.transaction({ tenantId: 1 }, lockAs("one"));
  expect(performance.now() - began).toBeLessThan(3_000);
  woken.resolve();
  await expect(stalling).rejects.toMatchObject({ code: "NO_CONNECTION" });
  const name = sql`select name from role where tenant_id = 1`;
  expect(await stalled.read({ tenantId: 1 }, (db) => db.many(name))).toEqual([{ name: "one" }]);
  await stalled.close();
});

test("stalled process: a snapshot may wait longer, it locks no row", async () => {
  const timeout = sql`select current_setting('idle_in_transaction_session_timeout') as timeout`;
  const of = (db: Db) => db.one<{ timeout: string }>(timeout);
  expect(await database.snapshot("platform", of)).toEqual({ timeout: "15s" });
  expect(await database.transaction("platform", of)).toEqual({ timeout: `${STALLED_MS}ms` });
});

test("half-dead connections: detected by their silence and destroyed together with idle ones", async () => {
  const line = await startDatabaseLine(clone.url);
  const halfDead = openDatabase(line.url, { max: 4, answerWithinMs: 500 });
  const one = sql`select 1`;
  const useAll = () =>
    Promise.all(Array.from({ length: 4 }, () => halfDead.read("platform", (db) => db.one(one))));
  await useAll();
  expect(halfDead.pool.totalCount).toBe(4);
  line.cut();
  await expect(halfDead.unscoped(one)).rejects.toMatchObject({ code: "NO_CONNECTION" });
  await useAll();
  await halfDead.close();
  line.stop();
});

test("half-dead connections: one that goes silent during a transaction is not reused", async () => {
  const line = await startDatabaseLine(clone.url);
  const halfDead = openDatabase(line.url, { max: 1, answerWithinMs: 500 });
  const cut = halfDead.transaction("platform", async (db) => {
    await db.one(sql`select 1`);
    line.cut();
    await db.one(sql`select 1`);
  });
  await expect(cut).rejects.toMatchObject({ code: "NO_CONNECTION" });
  await halfDead.transaction("platform", (db) => db.one(sql`select 1`));
  await halfDead.close();
  line.stop();
});

test("half-dead connections: a live server may stay silent up to the statement timeout of a snapshot", async () => {
  const patient = openDatabase(clone.url, { max: 1, answerWithinMs: 200 });
  await patient.snapshot("platform", (db) => db.one(sql`select pg_sleep(0.6)`));
  // Ends with the silence; the rest of the sleep is room for a busy machine.
  const slow = patient.read("platform", (db) => db.one(sql`select pg_sleep(4)`));
  await expect(slow).rejects.toMatchObject({
    code: "NO_CONNECTION",
  });
  await patient.close();
});

test("half-dead connections: the server ends their sessions within half a minute, two pings at the earliest", async () => {
  const [row] = await database.unscoped<{ endedMs: number }>(
    sql`select extract(epoch from current_setting('idle_session_timeout')::interval) * 1000 as ended_ms`,
  );
  const endedMs = Number(row?.endedMs);
  expect(endedMs).toBeGreaterThanOrEqual(2 * PING_MS);
  expect(endedMs).toBeLessThanOrEqual(30_000);
});

test("idle connections: their pings keep them, with all that they have planned", async () => {
  const errors: Error[] = [];
  const pool = openPool({
    url: clone.url,
    purpose: "pings",
    max: 1,
    // Ten pings: room for a busy machine.
    settings: "-c idle_session_timeout=2000",
    pingMs: 200,
    onError: (error) => errors.push(error),
  });
  const pid = async () => (await pool.query("select pg_backend_pid() as pid")).rows[0].pid;
  const before = await pid();
  await sleep(3_000);
  expect(await pid()).toBe(before);
  expect(errors).toEqual([]);
  await pool.end();
});

test("database: connections show their purpose in pg_stat_activity", async () => {
  const [row] = await database.unscoped<{ name: string }>(
    sql`select application_name as name from pg_stat_activity where pid = pg_backend_pid()`,
  );
  expect(row?.name).toBe("smart-storage requests");
});

test("database: a read by key keeps one plan for all values, the next read has a plan for each", async () => {
  const single = openDatabase(clone.url, { max: 1 });
  const byName = (name: string) => sql`select id from role where name = ${name} /* by key */`;
  const plans = sql`
    select generic_plans, custom_plans from pg_prepared_statements where statement like '%by key%'
      and statement not like '%pg_prepared_statements%'`;
  const readThrice = async (options?: { keepsPlan: boolean }) => {
    for (const name of ["one", "two", "three"]) {
      await single.read({ tenantId: 1 }, (db) => db.many(byName(name)), options);
    }
    return single.unscoped(plans);
  };
  expect(await readThrice({ keepsPlan: true })).toEqual([{ genericPlans: 3, customPlans: 0 }]);
  expect(await readThrice()).toEqual([{ genericPlans: 3, customPlans: 3 }]);
  await single.close();
});

test("database: of pipelined statements the first failure is reported, not those that it causes", async () => {
  const deep = async <Result>(levels: number, work: () => Promise<Result>): Promise<Result> =>
    levels === 0 ? await work() : await deep(levels - 1, work);
  await expect(
    database.transaction({ tenantId: 1 }, (db) =>
      Promise.all([
        deep(20, () => db.run(sql`select 1 / 0`)),
        db.run(sql`select 'sent behind it'`),
      ]),
    ),
  ).rejects.toMatchObject({ code: "22012" });
});

test("database: statements sent after the end of their transaction reach no connection", async () => {
  const handles: Db[] = [];
  const failing = database.transaction({ tenantId: 1 }, async (db) => {
    handles.push(db);
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  await database.transaction({ tenantId: 1 }, async (db) => {
    handles.push(db);
  });
  for (const db of handles) {
    await expect(db.run(sql`select 1`)).rejects.toThrow("the transaction is over");
  }
});

test("database: a failure rolls everything back, even one that the caller swallowed", async () => {
  const insert = sql`insert into role (tenant_id, name) values (1, 'half')`;
  await expect(
    database.transaction({ tenantId: 1 }, async (db) => {
      await db.run(insert);
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  await expect(
    database.transaction({ tenantId: 1 }, async (db) => {
      await db.run(insert);
      await db.run(sql`select 1 / 0`).catch(() => {});
    }),
  ).rejects.toThrow("transaction aborted");
  const found = await database.read("platform", (db) =>
    db.maybe(sql`select 1 from role where name = 'half'`),
  );
  expect(found).toBeNull();
});

test("database: a read cannot write", async () => {
  const write = database.read({ tenantId: 1 }, (db) => db.run(sql`delete from role`));
  await expect(write).rejects.toThrow(/read-only transaction/);
});

test("database: deadlocks are retried and never surface", async () => {
  await database.transaction("platform", (db) =>
    db.run(sql`insert into role (tenant_id, name) values (1, 'a'), (1, 'b')`),
  );
  const lock = (name: string) =>
    sql`update role set name = name where tenant_id = 1 and name = ${name}`;
  let arrived = 0;
  const crossing = (first: string, second: string) =>
    database.transaction({ tenantId: 1 }, async (db) => {
      await db.run(lock(first));
      arrived++;
      while (arrived < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await db.run(lock(second));
    });
  await expect(Promise.all([crossing("a", "b"), crossing("b", "a")])).resolves.toHaveLength(2);
});

test("timestamps that JavaScript cannot represent are null, and the other rows are read", async () => {
  const rows = await database.read("platform", (db) =>
    db.many<{ time: string | null }>(sql`
      select time from unnest(array['2026-01-02 03:04:05.678+00', '275760-09-13 00:00:00.001+00', 'infinity',
        '-infinity', '4713-01-01 00:00:00+00 BC']::timestamptz[]) time`),
  );
  expect(rows[0]).toEqual({ time: "2026-01-02T03:04:05.678Z" });
  expect(rows.slice(1).map(({ time }) => time)).toEqual([null, null, null, null]);
});
