// A server that reads lists, statistics and exports from a streaming replica of its database.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_AGE_MS } from "../apps/server/src/platform/db/replica.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import {
  findStandbys,
  measureStandbys,
  standbyWarning,
} from "../apps/server/src/platform/db/standbys.ts";
import type { EmbeddedPostgres } from "../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { pushLive } from "../apps/server/src/platform/http/live.ts";
import { replicaAge, replicaReads, standbys } from "../apps/server/src/platform/metrics.ts";
import { until } from "./device/device-fleet.ts";
import { startPair, withSuperuser } from "./support/standby.ts";
import { type Person, useTestServer } from "./support/test-server.ts";

let folder = "";
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
const testServer = useTestServer({
  through: async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "replica-"));
    ({ primary, standby } = await startPair(path.join(folder, "a"), path.join(folder, "b")));
    return primary.url;
  },
  replicaOf: async () => standby.url,
});
afterAll(async () => {
  await Promise.all([primary?.stop(), standby?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** Two accounts of one tenant, and one of another. */
let writer: Person;
let reader: Person;
let stranger: Person;
beforeAll(async () => {
  const { people } = await testServer.makeTenant();
  [writer, reader] = [people[0], people[1]];
  stranger = (await testServer.makeTenant()).people[1];
});

const draft = {
  ...{ region: "", address: "", longitude: null, latitude: null, openingHours: "" },
  ...{ contactName: "", contactPhone: "", managerId: null, remark: "" },
};
const create = (code: string, as = writer) =>
  testServer.call(storeContract.create, as, { body: { ...draft, name: code, code } });
/** As any process writes, without an event for consoles. */
const insert = (code: string, { tenantId } = reader) =>
  testServer.database.transaction("platform", (db) =>
    db.run(sql`insert into store (tenant_id, name, code) values (${tenantId}, ${code}, ${code})`),
  );
const codes = async (as: Person) =>
  (await testServer.call(storeContract.list, as)).data.list.map(({ code }) => code).sort();
const reads = async () => (await replicaReads.get()).values[0]?.value ?? 0;
const age = async () => (await replicaAge.get()).values[0]?.value ?? Number.POSITIVE_INFINITY;
const replay = (state: "pause" | "resume") =>
  withSuperuser(standby.url, async (run) => void (await run(`select pg_wal_replay_${state}()`)));

/** Until the replica has everything, and answers this account. */
async function settle(as: Person): Promise<void> {
  await until("an answer of the replica", async () => {
    const before = await reads();
    await codes(as);
    return (await reads()) > before;
  });
}

async function exportStores() {
  const body = { call: storeContract.list.path, query: {} };
  const { id } = (await testServer.call(exportContract.start, reader, { body })).data;
  return until("the export", async () => {
    const query = { page: 1, pageSize: 49 };
    const { code, data } = await testServer.call(exportContract.page, reader, {
      params: { id },
      query,
    });
    return code === 0 && data.state === "READY" ? data : null;
  });
}

it("replica: answers lists, statistics and exports, each tenant's own rows", async () => {
  await insert("A1");
  await insert("Z1", stranger);
  await settle(reader);
  await until("its rows", async () => (await codes(reader)).includes("A1"));
  expect(await codes(reader)).toEqual(["A1"]);
  expect(await codes(stranger)).toEqual(["Z1"]);
  let before = await reads();
  const period = { from: "2026-01-01", to: "2026-01-02" };
  await testServer.call(statisticsContract.singleIncome, reader, { query: period });
  expect(await reads()).toBe(before + 1);
  before = await reads();
  await exportStores();
  expect(await reads()).toBe(before + 1);
  // A detail is read for editing.
  const [store] = (await testServer.call(storeContract.list, reader)).data.list;
  before = await reads();
  await testServer.call(storeContract.get, reader, { params: { id: store?.id } });
  expect(await reads()).toBe(before);
});

it("replica: an answer is never older than the bound", async () => {
  await settle(reader);
  await replay("pause");
  await insert("A2");
  const insertedAt = performance.now();
  expect(await codes(reader)).toEqual(["A1"]);
  let lastStaleAt = insertedAt;
  await until("the new row", async () => {
    const requestedAt = performance.now();
    const isFresh = (await codes(reader)).includes("A2");
    if (!isFresh) lastStaleAt = requestedAt;
    return isFresh;
  });
  expect(lastStaleAt - insertedAt).toBeLessThan(MAX_AGE_MS + 1_000);
  expect(await age()).toBeGreaterThanOrEqual((MAX_AGE_MS - 1_000) / 1_000);
  await replay("resume");
});

it("replica: an account reads at once what it wrote, its colleagues what they are notified of", async () => {
  await settle(reader);
  await settle(writer);
  await replay("pause");
  await create("A3");
  expect(await codes(writer)).toContain("A3");
  await insert("A4");
  await testServer.database.transaction("platform", (db) =>
    pushLive(db, { tenantId: reader.tenantId, topic: "access", cabinetId: null }),
  );
  await until("the notified change", async () => (await codes(reader)).includes("A4"), 1_000);
  await replay("resume");
});

it("replica: a change that every tenant is notified of is read at once", async () => {
  await settle(stranger);
  await replay("pause");
  await insert("Z2", stranger);
  expect(await codes(stranger)).toEqual(["Z1"]);
  await testServer.database.transaction("platform", (db) =>
    pushLive(db, { tenantId: null, topic: "access", cabinetId: null }),
  );
  await until("a change for everybody", async () => (await codes(stranger)).includes("Z2"), 1_000);
  await replay("resume");
});

it("standbys: one that no commit waits for is warned of, until it is synchronous", async () => {
  const { database } = testServer;
  const configure = (name: string) =>
    withSuperuser(primary.url, async (run) => {
      await run(`alter system set synchronous_standby_names = '${name}'`);
      await run("select pg_reload_conf()");
    });
  const unseen = await findStandbys(database);
  expect(unseen).toEqual({ synchronous: 0, asynchronous: 0, unseen: 1 });
  expect(standbyWarning(unseen)).toContain("pg_monitor");
  await withSuperuser(primary.url, async (run) => void (await run("grant pg_monitor to cabinet")));
  const asynchronous = await findStandbys(database);
  expect(asynchronous).toEqual({ synchronous: 0, asynchronous: 1, unseen: 0 });
  expect(standbyWarning(asynchronous)).toContain("异步");
  await configure("standby");
  await until(
    "a synchronous standby",
    async () => (await findStandbys(database)).synchronous === 1,
  );
  expect(standbyWarning(await findStandbys(database))).toBeNull();
  await measureStandbys(database);
  expect((await standbys.synchronous.get()).values[0]?.value).toBe(1);
  await configure("");
});

it("replica: one that is gone costs no answer", async () => {
  await settle(reader);
  await standby.stop();
  expect(await codes(reader)).toEqual(["A1", "A2", "A3", "A4"]);
  expect((await exportStores()).total).toBe(4);
});
