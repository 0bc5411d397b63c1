// Tests jobs: added in a transaction, run after it commits, and not lost with a killed worker.
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, type TestContext, test, vi } from "vitest";
import { startDatabaseLine } from "../../../../../tests/support/database-line.ts";
import {
  cloneDatabase,
  type TestDatabase,
  withClient,
} from "../../../../../tests/support/postgres.ts";
import { type Database, openDatabase } from "../db/db.ts";
import { addJob, type JobSet, startJobs } from "./jobs.ts";

let clone: TestDatabase;
let database: Database;
const log = pino({ level: "silent" });
const done: unknown[] = [];
const jobs: JobSet = {
  tasks: { "test.note": async (payload) => void done.push(payload) },
  cron: [],
};
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase(clone.url, { max: 4 });
});
afterAll(async () => {
  await database.close();
});

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("jobs: a job runs once its transaction commits, and never if it rolls back", async () => {
  const worker = await startJobs(clone.url, [jobs], { database, log });
  const undone = database.transaction({ tenantId: 1 }, async (db) => {
    await addJob(db, "test.note", { n: 1 });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await database.transaction({ tenantId: 1 }, (db) => addJob(db, "test.note", { n: 2 }));
  await until(() => done.length > 0);
  expect(done).toEqual([{ n: 2 }]);
  await worker.stop();
});

test("jobs: urgent ones do not wait while others keep every worker busy", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const seen: string[] = [];
  const set: JobSet = {
    tasks: {
      "test.long": async () => {
        seen.push("long");
        await held;
      },
      "test.urgent": async () => void seen.push("urgent"),
    },
    cron: [],
    urgent: ["test.urgent"],
  };
  const worker = await startJobs(clone.url, [set], { database, log });
  await database.transaction({ tenantId: 1 }, async (db) => {
    for (let nth = 0; nth < 8; nth++) await addJob(db, "test.long", { nth });
  });
  await until(() => seen.length === 4);
  await database.transaction({ tenantId: 1 }, (db) => addJob(db, "test.urgent", {}));
  await until(() => seen.includes("urgent"));
  expect(seen.filter((name) => name === "long")).toHaveLength(4);
  release();
  await until(() => seen.length === 9);
  await worker.stop();
});

test("J1: the job of a killed worker is resumed by another at its next sweep", async () => {
  await database.transaction({ tenantId: 1 }, (db) => addJob(db, "test.note", { n: 3 }));
  // State left by a killed worker: locked half a minute ago by a worker that is not alive.
  const owner = openDatabase(clone.url, { max: 1 });
  await owner.pool.query("set role none");
  await owner.pool.query(
    "update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now() - interval '31 seconds', attempts = 1",
  );
  await owner.close();
  const worker = await startJobs(clone.url, [jobs], { database, log });
  await until(() => done.length > 1);
  expect(done[1]).toEqual({ n: 3 });
  await worker.stop();
});

// From here on each test has a database or jobs of its own: they wait for periods of the product, side by side.
test.concurrent("J1: a running job is locked by a worker that is reported alive", async () => {
  const { url } = await cloneDatabase();
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const long: JobSet = {
    tasks: {
      "test.long": () => {
        begun.resolve();
        return held.promise;
      },
    },
    cron: [],
  };
  const worker = await startJobs(url, [long], { database, log });
  await withClient(url, (client) => client.query("select graphile_worker.add_job('test.long')"));
  await begun.promise;
  const isAlive = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query(
        "select from graphile_worker.jobs job join job_worker worker on worker.id = job.locked_by",
      );
      return rows.length === 1;
    });
  // Workers report every ten seconds.
  await expect.poll(isAlive).toBe(true);
  held.resolve();
  await worker.stop();
});

test.concurrent("half-dead connections: workers continue after a job that ends during one", async () => {
  const line = await startDatabaseLine(clone.url);
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const jobSet: JobSet = {
    tasks: {
      ...jobs.tasks,
      "test.held": () => {
        begun.resolve();
        return held.promise;
      },
    },
    cron: [],
  };
  const worker = await startJobs(line.url, [jobSet], { database, log });
  const add = (task: string, payload: unknown) =>
    database.transaction({ tenantId: 1 }, (db) => addJob(db, task, payload));
  await add("test.held", {});
  await begun.promise;
  line.cut();
  held.resolve();
  const before = done.length;
  // Enough for each of the four workers: the runner must survive the jobs whose end could not be recorded.
  for (let n = 0; n < 8; n++) await add("test.note", { n: `after ${n}` });
  await until(() => done.length >= before + 8);
  await worker.stop();
  line.stop();
});

/** A database whose `now()` is moved by what `shift` is given. */
async function cloneWithClock({ onTestFinished }: TestContext) {
  const { url } = await cloneDatabase();
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  onTestFinished(() => owner.end());
  await owner.query(`
    create schema fake_clock;
    create table fake_clock.shift (by interval);
    insert into fake_clock.shift values ('0');
    create function fake_clock.now() returns timestamptz stable language sql
      as 'select pg_catalog.now() + by from fake_clock.shift';
    do $$ begin
      execute format('alter database %I set search_path = fake_clock, pg_catalog, public', current_database());
    end $$`);
  return {
    url,
    shift: (by: string) => owner.query("update fake_clock.shift set by = $1", [by]),
    run: (text: string) => owner.query(text),
  };
}

function collectTicks() {
  const ticks: string[] = [];
  const everyMinute: JobSet = {
    tasks: {
      "test.tick": async (payload) => {
        ticks.push((payload as { _cron: { ts: string } })._cron.ts);
      },
    },
    cron: [{ task: "test.tick", pattern: "* * * * *" }],
  };
  return { ticks, everyMinute };
}

const SOON = { timeout: 20_000, interval: 20 };

/** Moves the clock on, minute by minute, until a worker that has only begun to look adds a tick. */
async function untilTick(
  clock: { shift(by: string): Promise<unknown> },
  ticks: string[],
  from: string,
): Promise<void> {
  const before = ticks.length;
  for (let minutes = 1; ticks.length === before; minutes++) {
    if (minutes > 10) throw new Error("no tick");
    await clock.shift(`${from} ${minutes} minutes`);
    await vi.waitUntil(() => ticks.length > before, { timeout: 3_000 }).catch(() => {});
  }
}

test.concurrent("J1: a cron tick fires once, however many processes run", async (context) => {
  const clock = await cloneWithClock(context);
  const { ticks, everyMinute } = collectTicks();
  const workers = await Promise.all(
    [1, 2, 3].map(() => startJobs(clock.url, [everyMinute], { database, log })),
  );
  for (let hours = 0; hours < 4; hours++) await untilTick(clock, ticks, `${hours} hours`);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect([...new Set(ticks)].sort()).toEqual(ticks);
});

test.concurrent("ticks that were missed fire once, those of more than an hour ago not at all", async (context) => {
  const clock = await cloneWithClock(context);
  const { ticks, everyMinute } = collectTicks();
  const tools = { database, log };
  const hourly: JobSet = {
    tasks: { "test.hour": async (payload) => everyMinute.tasks["test.tick"]?.(payload, tools) },
    cron: [{ task: "test.hour", pattern: "0 * * * *" }],
  };
  const worker = await startJobs(clock.url, [everyMinute, hourly], tools);
  await untilTick(clock, ticks, "0 hours");
  ticks.length = 0;
  await clock.shift("3 days");
  await vi.waitUntil(() => ticks.length >= 2, SOON);
  await worker.stop();
  expect(ticks.length).toBe(2);
  expect(Math.abs(Date.parse(ticks[0] ?? "") - Date.parse(ticks[1] ?? ""))).toBeLessThan(3_600_000);
});

test.concurrent("a clock that was ahead: ticks go on once it is set back, and one line of the log says why", async (context) => {
  const clock = await cloneWithClock(context);
  const { ticks, everyMinute } = collectTicks();
  const lines: { level: number; mended?: object }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const worker = await startJobs(clock.url, [everyMinute], {
    database,
    log: pino({ level: "info" }, { write }),
  });
  await untilTick(clock, ticks, "32 days");
  expect(lines).toEqual([]);
  await clock.shift("0");
  await vi.waitUntil(() => lines.length > 0, SOON);
  expect(lines).toEqual([
    expect.objectContaining({ level: 50, mended: expect.objectContaining({ schedule: 1 }) }),
  ]);
  await untilTick(clock, ticks, "0 hours");
  await worker.stop();
  expect(Date.parse(ticks.at(-1) ?? "")).toBeLessThan(Date.now() + 3_600_000);
  expect(lines.length).toBe(1);
});

test.concurrent("a clock that was ahead: jobs that were added meanwhile keep their delay, a dead worker's run again", async ({
  onTestFinished,
}) => {
  const { url } = await cloneDatabase();
  const found: unknown[] = [];
  const set: JobSet = {
    tasks: { "test.found": async (payload) => void found.push(payload) },
    cron: [],
  };
  await withClient(url, async (client) => {
    await client.query(`
      select graphile_worker.add_job('test.found', '"at once"'),
        graphile_worker.add_job('test.found', '"later"', run_at => now() + interval '1 hour');
      update graphile_worker._private_jobs set run_at = run_at + interval '32 days',
        created_at = now() + interval '32 days', updated_at = now() + interval '32 days';
      select graphile_worker.add_job('test.found', '"locked"');
      insert into job_worker (id, seen_at) values ('dead', now() + interval '32 days');
      update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() + interval '32 days', attempts = 1
      where run_at <= now()`);
  });
  const worker = await startJobs(url, [set], { database, log });
  onTestFinished(() => worker.stop());
  await vi.waitUntil(() => found.length > 0, SOON);
  expect(found).toEqual(["at once"]);
  await withClient(url, async (client) => {
    const { rows } = await client.query(`
      select extract(epoch from max(run_at) - now())::int between 3500 and 3600 as is_later,
        max(locked_at) <= now() as is_locked_before,
        (select seen_at <= now() from job_worker where id = 'dead') as is_seen_before
      from graphile_worker._private_jobs`);
    expect(rows).toEqual([{ is_later: true, is_locked_before: true, is_seen_before: true }]);
    // Half a minute later.
    await client.query(`
      update job_worker set seen_at = now() - interval '31 seconds' where id = 'dead';
      update graphile_worker._private_jobs set locked_at = now() - interval '31 seconds'
      where locked_by = 'dead'`);
  });
  await vi.waitUntil(() => found.length > 1, SOON);
  expect(found).toEqual(["at once", "locked"]);
});
