// The kernel for due work on a queue of its own: nobody waits for others' rows, a row that fails stops nothing, and neither
// kills nor several processes do a row twice.
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { mendWaitingTimes } from "../../apps/server/src/platform/jobs/set-back-clock.ts";
import { registry } from "../../apps/server/src/platform/metrics.ts";
import { measureWork, workJobs } from "../../apps/server/src/platform/work/work.jobs.ts";
import { recordFailure } from "../../apps/server/src/platform/work/work.sql.ts";
import type { WorkKey } from "../../apps/server/src/platform/work/work.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { amount } from "../support/deep.ts";
import { cloneDatabase, type TestDatabase, withClient } from "../support/postgres.ts";
import { actWork, effectWork, TABLES } from "./queue.ts";

const KILLS = amount("WORK_KILLS", { sample: 6, deep: 40 });
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const TENANTS = 12;

let clone: TestDatabase;
let database: Database;
let tenants: number[];
const log = pino({ level: "silent" });
const tools = () => ({ database, log });

beforeAll(async () => {
  clone = await cloneDatabase();
  await withClient(clone.url, (client) => client.query(TABLES));
  database = openDatabase(clone.url, { max: 10 });
  tenants = await database.transaction("platform", async (db) => {
    const rows = await db.many<{ id: number }>(sql`
      insert into tenant (name) select 'tenant ' || n from generate_series(1, ${TENANTS}::int) n
      returning id`);
    return rows.map(({ id }) => id);
  });
});
afterAll(() => database.close());
afterEach(() => run(sql`truncate item, effect`).then(() => run(sql`delete from work_failure`)));

const run = (statement: ReturnType<typeof sql>) =>
  withClient(clone.url, (client) => client.query(statement.text, statement.values));

const add = (tenantId: number, count: number, kind: "act" | "effect", secondsAgo = 0) =>
  run(sql`
    insert into item (tenant_id, kind, due_at)
    select ${tenantId}, ${kind}, now() - make_interval(secs => ${secondsAgo})
    from generate_series(1, ${count}::int)`);

const items = async (condition = sql`true`) =>
  (
    await run(sql`select tenant_id, id, state, effects, due_at from item where ${condition}
    order by tenant_id, id`)
  ).rows as { tenant_id: number; id: number; state: string; effects: number }[];
const left = async () => (await items(sql`state = 'QUEUED'`)).length;
const tenant = (nth: number): number => tenants[nth] as number;

/** A hook that notes the rows in the order in which they begin. */
function noted(order: number[], failsFor: (row: WorkKey) => boolean = () => false) {
  return (row: WorkKey) => {
    order.push(row.tenantId);
    if (failsFor(row)) throw new Error("poison");
  };
}

describe("fair shares", () => {
  it("a tenant with thousands of older rows delays nobody by more than a round", async () => {
    const [flooder, ...quiet] = tenants as [number, ...number[]];
    await add(flooder, 2_000, "act", 600);
    for (const tenantId of quiet) await add(tenantId, 3, "act");
    const order: number[] = [];
    await actWork(noted(order)).drain(tools());
    expect(order).toHaveLength(2_000 + 3 * quiet.length);
    // Three rows of each tenant, and at most one found list ahead of them.
    const last = Math.max(...quiet.map((tenantId) => order.lastIndexOf(tenantId)));
    expect(last).toBeLessThan(3 * tenants.length + 2 * 4 * 2);
  });

  it("more tenants with old rows than are found at once: none starves", async () => {
    for (const tenantId of tenants) await add(tenantId, 50, "act", 600);
    const late = tenant(TENANTS - 1);
    await run(sql`update item set due_at = now() where tenant_id = ${late}`);
    const order: number[] = [];
    await actWork(noted(order)).drain(tools());
    expect(order.indexOf(late)).toBeLessThan(2 * TENANTS);
  });

  it("a row that is added during a run is done by that run, before the others' backlog", async () => {
    await add(tenant(0), 300, "act", 600);
    const order: number[] = [];
    await actWork(async (row) => {
      order.push(row.tenantId);
      if (order.length === 100) await add(tenant(1), 1, "act");
    }).drain(tools());
    expect(order.indexOf(tenant(1))).toBeGreaterThan(99);
    expect(order.indexOf(tenant(1))).toBeLessThan(150);
  });

  it("rows of one tenant that hang leave room for the others", async () => {
    await add(tenant(0), 40, "effect", 600);
    for (const tenantId of tenants.slice(1)) await add(tenantId, 1, "effect");
    let [running, most] = [0, 0];
    let release = () => {};
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    const others: number[] = [];
    const draining = effectWork(
      database,
      async ({ tenantId }) => {
        if (tenantId !== tenant(0)) return void others.push(tenantId);
        most = Math.max(most, ++running);
        await hanging;
        running--;
      },
      { perTenant: 2 },
    ).drain(tools());
    await expect.poll(() => [others.length, most]).toEqual([TENANTS - 1, 2]);
    release();
    await draining;
    expect(await left()).toBe(0);
    expect(most).toBe(2);
  });
});

it("a row that is added while another hangs does not wait for it", async () => {
  await add(tenant(0), 1, "effect");
  let release = () => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const order: number[] = [];
  const work = effectWork(database, async ({ tenantId }) => {
    order.push(tenantId);
    if (tenantId === tenant(0)) await hanging;
  });
  const draining = work.drain(tools());
  await expect.poll(() => order).toEqual([tenant(0)]);
  // Long enough for the run to find that nothing else is due.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await add(tenant(1), 1, "effect");
  await work.drain(tools());
  await expect.poll(() => order).toEqual([tenant(0), tenant(1)]);
  release();
  await draining;
  expect(await items(sql`state <> 'DONE'`)).toEqual([]);
});

describe("rows that fail or wait", () => {
  it("hundreds of rows that always throw stop nothing, stand behind the others, and are shown", async () => {
    await add(tenant(0), 300, "act", 600);
    const poison = new Set((await items()).map(({ id }) => String(id)));
    for (const tenantId of tenants) await add(tenantId, 2, "act");
    const order: number[] = [];
    const work = actWork(noted(order, ({ key }) => poison.has(key)));
    await work.drain(tools());
    expect(await left()).toBe(300);
    expect(order).toHaveLength(300 + 2 * TENANTS);
    await run(sql`update work_failure set retry_at = now() + interval '1 hour'`);
    await work.drain(tools());
    expect(order).toHaveLength(300 + 2 * TENANTS);

    await run(sql`update work_failure set retry_at = now()`);
    await add(tenant(0), 1, "act");
    order.length = 0;
    await work.drain(tools());
    expect(order).toHaveLength(301);
    const { rows } = await run(sql`select distinct attempts from work_failure`);
    expect(rows).toEqual([{ attempts: 2 }]);
    await measureWork(database);
    expect(await registry.metrics()).toContain('work_failing{work="test.act"} 300');

    await run(sql`update work_failure set retry_at = now()`);
    await actWork().drain(tools());
    expect(await left()).toBe(0);
    expect((await run(sql`select from work_failure`)).rowCount).toBe(0);
  });

  it("a row that fails again and again waits longer each time, at most an hour", async () => {
    const seconds = await database.transaction({ tenantId: tenant(0) }, async (db) => {
      const found: number[] = [];
      for (let attempt = 1; attempt <= 14; attempt++) {
        await recordFailure(db, { tenantId: tenant(0), key: "1" }, "test.act");
        // In one transaction, now() is the same.
        const row = await db.one<{ seconds: number }>(sql`
          select extract(epoch from retry_at - now())::float8 as seconds from work_failure`);
        found.push(row.seconds);
      }
      return found;
    });
    expect(seconds.slice(0, 11)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]);
    expect(seconds.slice(11)).toEqual([3600, 3600, 3600]);
  });

  it("a row that waits for something else stays due, is looked at once a run, and holds up none", async () => {
    await add(tenant(0), 100, "act", 600);
    const waiting = new Set((await items()).map(({ id }) => String(id)));
    await add(tenant(0), 5, "act");
    const order: string[] = [];
    await actWork(({ key }) => {
      order.push(key);
      return waiting.has(key) ? "WAIT" : undefined;
    }).drain(tools());
    expect(await left()).toBe(100);
    expect(order).toHaveLength(105);
  });

  it("a tenant whose effects find a service unavailable waits for the next round, the others do not", async () => {
    await add(tenant(0), 60, "effect", 600);
    await add(tenant(1), 20, "effect");
    const order: number[] = [];
    await effectWork(database, ({ tenantId }) => {
      order.push(tenantId);
      return tenantId === tenant(0) ? "PAUSE" : undefined;
    }).drain(tools());
    expect(order.filter((tenantId) => tenantId === tenant(1))).toHaveLength(20);
    expect(order.filter((tenantId) => tenantId === tenant(0)).length).toBeLessThanOrEqual(4);
  });

  it("an effect whose result could not be stored is not repeated", async () => {
    await add(tenant(0), 1, "effect");
    const work = effectWork(database, () => {
      throw new Error("after the effect");
    });
    await work.drain(tools());
    await work.drain(tools());
    expect(await items()).toMatchObject([{ state: "CLAIMED", effects: 1 }]);
    expect((await run(sql`select from effect`)).rowCount).toBe(1);
  });

  it("a failure stored while the clock was ahead does not wait until then", async () => {
    await add(tenant(0), 1, "act");
    await actWork(() => {
      throw new Error("poison");
    }).drain(tools());
    await run(sql`update work_failure set retry_at = now() + interval '30 days'`);
    await mendWaitingTimes(tools(), workJobs.waitingTimes ?? []);
    await actWork().drain(tools());
    expect(await left()).toBe(0);
  });
});

it("stop: no further row is begun, and those under way are finished", async () => {
  await add(tenant(0), 100, "effect");
  const stopping = new AbortController();
  let begun = 0;
  await effectWork(database, async () => {
    if (++begun === 10) stopping.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }).drain({ ...tools(), stopping: stopping.signal });
  expect(begun).toBeLessThan(10 + 4);
  expect((await items(sql`state = 'DONE'`)).length).toBe(begun);
  expect((await items(sql`state = 'CLAIMED'`)).length).toBe(0);
});

it(`several processes, ${KILLS} kills, a restored backup: each row is done at most once (SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  const start = async (): Promise<ChildProcess> => {
    const child = fork(path.join(import.meta.dirname, "worker-process.ts"), {
      env: { ...process.env, DATABASE_URL: clone.url },
    });
    await new Promise((resolve) => child.once("message", resolve));
    return child;
  };
  const children = await Promise.all([start(), start()]);
  let added = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    for (const kind of ["act", "effect"] as const) {
      const count = 20 + Math.floor(random() * 60);
      added += count;
      await add(tenant(Math.floor(random() * TENANTS)), count, kind, random() * 60);
    }
    await new Promise((resolve) => setTimeout(resolve, random() * 150));
    const victim = Math.floor(random() * children.length);
    children[victim]?.kill("SIGKILL");
    children[victim] = await start();
  }
  await expect.poll(left).toBe(0);
  for (const child of children) child.kill("SIGKILL");

  const rows = await items();
  expect(rows).toHaveLength(added);
  expect(rows.every(({ effects }) => effects === 1)).toBe(true);
  const { rows: doubled } = await run(sql`
      select tenant_id, id from effect group by tenant_id, id having count(*) > 1`);
  expect(doubled).toEqual([]);
  // Rows of killed processes, as a backup contains them: the kernel leaves them to their queue's rule.
  const orphans = await items(sql`state = 'CLAIMED'`);
  await Promise.all([actWork().drain(tools()), effectWork(database).drain(tools())]);
  expect(await items(sql`state = 'CLAIMED'`)).toEqual(orphans);
  console.log(`SEED=${SEED}: ${added} rows, ${KILLS} kills, ${orphans.length} orphans, 0 twice`);
});
