// Tests how callers share the connections: refusals, and callers who give up.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cloneDatabase, withClient } from "../../../../../tests/support/postgres.ts";
import { MAY_WAIT, type Share } from "./admission.rules.ts";
import { type Database, openDatabase } from "./db.ts";
import { asOutage, isOutage, openPool } from "./postgres-client.ts";
import { sql } from "./sql.ts";

const CONNECTIONS = 12;
const TENANT_PLACES = 6;

let url: string;
let database: Database;
beforeAll(async () => {
  url = (await cloneDatabase()).url;
  database = openDatabase(url, { max: CONNECTIONS });
});
afterAll(() => database.close());

const shareOf = (share: Partial<Share> = {}): Share => ({
  ...{ load: "critical", tenant: "one", account: 1, isBounded: true },
  ...share,
});

/** Occupies connections from one share until released. */
async function hold(count: number, share = shareOf()) {
  const released = Promise.withResolvers<void>();
  const begun = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const done = begun.map(({ resolve }) =>
    database.for({ share }).read("platform", () => {
      resolve();
      return released.promise;
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  return async () => {
    released.resolve();
    await Promise.all(done);
  };
}

/** Connections that execute `pg_sleep`, as their owner sees them. */
function sleepers(): Promise<{ pid: number }[]> {
  return withClient(url, async (owner) => {
    const { rows } = await owner.query(
      "select pid from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'",
    );
    return rows;
  });
}

test("N1: a tenant that holds its half of the connections delays no other tenant", async () => {
  const release = await hold(TENANT_PLACES);
  const own = database.for({ share: shareOf() }).read("platform", async () => "own");
  const other = database.for({ share: shareOf({ tenant: "two" }) });
  const first = await Promise.race([own, other.read("platform", async () => "other")]);
  expect(first).toBe("other");
  await release();
  expect(await own).toBe("own");
});

test("N1: beyond its queue an account is refused with 429 and Retry-After, and not at once", async () => {
  const release = await hold(TENANT_PLACES);
  const caller = database.for({ share: shareOf() });
  const waiting = Array.from({ length: MAY_WAIT.account }, () =>
    caller.read("platform", async () => 1),
  );
  const beganAt = performance.now();
  await expect(caller.read("platform", async () => 1)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    seconds: 1,
  });
  expect(performance.now() - beganAt).toBeGreaterThan(400);
  await release();
  expect(await Promise.all(waiting)).toHaveLength(MAY_WAIT.account);
});

test("N1: after three seconds a waiting call is refused: 429 by its own share, 503 by the others'", async () => {
  const releases = [
    await hold(TENANT_PLACES),
    await hold(TENANT_PLACES, shareOf({ tenant: "two" })),
  ];
  const refused = [shareOf(), shareOf({ tenant: "three" })].map((share) =>
    database
      .for({ share })
      .read("platform", async () => 1)
      .catch(({ code }) => code),
  );
  expect(await Promise.all(refused)).toEqual(["RATE_LIMITED", "NO_CONNECTION"]);
  for (const release of releases) await release();
});

test("gone: a caller who gives up leaves the queue", async () => {
  const release = await hold(TENANT_PLACES);
  const gone = new AbortController();
  let isCalled = false;
  const waiting = database
    .for({ share: shareOf(), signal: gone.signal })
    .read("platform", async () => {
      isCalled = true;
    });
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: "CALLER_GONE" });
  await release();
  expect(isCalled).toBe(false);
});

test("gone: the query of a reading call is cancelled, and its connection serves on", async () => {
  const narrow = openDatabase(url, { max: 1 });
  const gone = new AbortController();
  const reading = narrow
    .for({ share: shareOf(), signal: gone.signal })
    .read("platform", (db) => db.one(sql`select pg_sleep(4)`));
  await expect.poll(sleepers).toHaveLength(1);
  const [{ pid } = { pid: 0 }] = await sleepers();
  gone.abort();
  await expect(reading).rejects.toMatchObject({ code: "CALLER_GONE" });
  const [row] = await narrow.unscoped<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  expect(row?.pid).toBe(pid);
  await narrow.close();
});

test("gone: calls that are cancelled in turn never end the next call's query", async () => {
  const narrow = openDatabase(url, { max: 1 });
  for (let round = 0; round < 20; round++) {
    const gone = new AbortController();
    const reading = narrow
      .for({ share: shareOf(), signal: gone.signal })
      .read("platform", (db) => db.one(sql`select pg_sleep(${round / 5_000})`))
      .catch(({ code }) => code);
    setTimeout(() => gone.abort(), round / 5);
    const next = narrow.for({ share: shareOf({ tenant: "two" }) }).read("platform", (db) =>
      db.one<{ isDone: boolean }>(sql`
        select pg_sleep(0.002) is not null as is_done`),
    );
    expect((await next).isDone).toBe(true);
    await reading;
  }
  await narrow.close();
});

test("gone: a write that has begun is finished", async () => {
  const gone = new AbortController();
  const written = await database
    .for({ share: shareOf(), signal: gone.signal })
    .transaction("platform", async (db) => {
      await db.run(sql`insert into tenant (id, name) values (77, '写到底')`);
      gone.abort();
      return db.one<{ name: string }>(sql`select name from tenant where id = 77`);
    });
  expect(written.name).toBe("写到底");
});

test("pool: no connection within its time is an outage, after which a worker of jobs tries again", async () => {
  const options = { max: 1, settings: "", connectWithinMs: 50, onError: () => {} };
  const pool = openPool({ ...options, url, purpose: "test" });
  const holder = await vi.waitFor(() => pool.connect(), 30_000);
  const error = await pool.connect().catch((reason: unknown) => reason);
  expect(isOutage(asOutage(error))).toBe(true);
  holder.release();
  await pool.end();
});
