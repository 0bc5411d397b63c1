// Tests jobs: added in a transaction, run after it commits, and not lost with a killed worker.
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
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

test("J1: a running job is locked by a worker that is reported alive", async () => {
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
  const worker = await startJobs(clone.url, [long], { database, log });
  await database.transaction({ tenantId: 1 }, (db) => addJob(db, "test.long", {}));
  await begun.promise;
  const isAlive = () =>
    withClient(clone.url, async (client) => {
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

test("half-dead connections: workers continue after a job that ends during one", async () => {
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

test("J1: a cron tick fires once, however many processes run", async () => {
  const ticks: string[] = [];
  const everyMinute: JobSet = {
    tasks: {
      "test.tick": async (payload) => {
        ticks.push((payload as { _cron: { ts: string } })._cron.ts);
      },
    },
    cron: [{ task: "test.tick", pattern: "* * * * *" }],
  };
  // A time in the past: a tick due by this clock is due by the database's too, and the next tick is always near.
  const endOf = (minute: number) => Date.parse("2026-01-05T08:00:59.950Z") + minute * 60_000;
  vi.useFakeTimers({ toFake: ["Date"], now: endOf(0) });
  onTestFinished(() => void vi.useRealTimers());
  const workers = await Promise.all(
    [1, 2, 3].map(() => startJobs(clone.url, [everyMinute], { database, log })),
  );
  // The first ticks may pass before a worker listens.
  for (let n = 1; ticks.length < 5; n++) {
    vi.setSystemTime(endOf(n));
    // Gives every worker time to check the clock; one takes the tick.
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await Promise.all(workers.map((worker) => worker.stop()));
  const first = Date.parse(ticks[0] ?? "");
  expect(ticks).toEqual(ticks.map((_, n) => new Date(first + n * 60_000).toISOString()));
});
