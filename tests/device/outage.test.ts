// Offline malfunctions: opened after a grace period, one per store outage, resolved automatically.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { pino } from "pino";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { sweepPresence } from "../../apps/server/src/features/link/device/presence/presence.sql.ts";
import { maintenanceMessageJobs } from "../../apps/server/src/features/messaging/maintenance-message/index.ts";
import { absenceReports } from "../../apps/server/src/features/operations/malfunction/index.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { type MadeCabinet, makeCabinet, makeStore } from "../support/cabinets.ts";
import { unreadNotices } from "../support/notifications.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
let people: Record<0 | 1 | 2, Person>;
let storeId: number;

beforeAll(async () => {
  // The first sweep after a gap excuses every cabinet; end that excuse.
  await sweep();
  await endExcuse();
});
beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  people = tenant.people;
  storeId = await makeStore(testServer, tenant.id, [people[2].operatorId]);
});

const tenantId = () => people[1].tenantId;
const platform = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction("platform", work);

function make(count: number, more: { storeId?: number | null; lifecycle?: "INACTIVE" } = {}) {
  return Promise.all(
    Array.from({ length: count }, () =>
      makeCabinet(testServer, { tenantId: tenantId(), storeId, ...more }),
    ),
  );
}

/** One tick of the gateway's presence sweep. */
async function sweep(): Promise<void> {
  await platform(async (db) => {
    if (await sweepPresence(db)) await absenceReports.sweep(db);
  });
}

const endExcuse = () =>
  platform((db) => db.run(sql`update presence_sweep set excused_until = now()`));

/** Moves the last report and the offline time of these cabinets into the past. */
async function fallSilent(cabinets: MadeCabinet[], secondsAgo: number): Promise<void> {
  const ids = cabinets.map(({ id }) => id);
  await platform((db) =>
    db.run(sql`
      update cabinet set last_seen_at = now() - make_interval(secs => ${secondsAgo + 90}),
        offline_at = now() - make_interval(secs => ${secondsAgo})
      where id = any(${ids}::bigint[])`),
  );
}

async function comeBack(cabinets: MadeCabinet[]): Promise<void> {
  const ids = cabinets.map(({ id }) => id);
  await platform((db) =>
    db.run(sql`
      update cabinet set last_seen_at = now(), offline_at = now() + interval '90 seconds',
        announced_connectivity = 'ONLINE' where id = any(${ids}::bigint[])`),
  );
}

interface Row {
  cabinetId: number | null;
  storeId: number | null;
  state: string;
  description: string;
  mergedIntoId: number | null;
}

const findMalfunctions = () =>
  platform((db) =>
    db.many<Row>(sql`
      select cabinet_id, store_id, state, description, merged_into_id
      from malfunction where tenant_id = ${tenantId()} and kind = 'OFFLINE' order by id`),
  );

const findOpen = async () => (await findMalfunctions()).filter(({ state }) => state === "CREATED");

const findKinds = (cabinet: MadeCabinet) =>
  platform(async (db) => {
    const events = await db.many<{ kind: string }>(sql`
      select kind from cabinet_event where cabinet_id = ${cabinet.id} order by id`);
    return events.map(({ kind }) => kind);
  });

async function badge(person: Person): Promise<number> {
  const query = { status: "CREATED" };
  return (await testServer.call(malfunctionContract.size, person, { query })).data;
}

async function find(cabinet: MadeCabinet) {
  const reply = await testServer.call(cabinetContract.get, people[1], {
    params: { id: cabinet.id },
  });
  return reply.data;
}

const id = ({ id }: MadeCabinet) => id;

it("gap within the grace period: no malfunction", async () => {
  const [cabinet] = (await make(3)) as [MadeCabinet];
  await fallSilent([cabinet], 30);
  await sweep();
  expect(await findKinds(cabinet)).toEqual(["OFFLINE"]);
  await comeBack([cabinet]);
  await sweep();
  expect(await findMalfunctions()).toEqual([]);
});

it("one cabinet offline: one malfunction, resolved when it is back", async () => {
  const [cabinet] = (await make(3)) as [MadeCabinet];
  await fallSilent([cabinet], 61);
  await sweep();
  await sweep();
  expect(await findOpen()).toMatchObject([{ cabinetId: cabinet.id, description: "设备离线" }]);
  expect((await find(cabinet)).storeOutage).toBeNull();
  await comeBack([cabinet]);
  await sweep();
  expect(await findMalfunctions()).toMatchObject([{ state: "RESOLVED" }]);
});

it("cabinet not in service, or malfunction ignored: no new one", async () => {
  const idle = await make(2, { lifecycle: "INACTIVE" });
  const [cabinet] = (await make(2)) as [MadeCabinet];
  await fallSilent([...idle, cabinet], 61);
  await sweep();
  await platform((db) =>
    db.run(sql`update malfunction set state = 'IGNORED' where tenant_id = ${tenantId()}`),
  );
  await sweep();
  expect(await findMalfunctions()).toMatchObject([{ cabinetId: cabinet.id, state: "IGNORED" }]);
});

it("store offline: one malfunction for all its cabinets, counted once", async () => {
  const cabinets = await make(6);
  const elsewhere = await makeStore(testServer, tenantId());
  const [other] = (await make(2, { storeId: elsewhere })) as [MadeCabinet];
  const gone = cabinets.slice(0, 4);
  await fallSilent([...gone, other], 61);
  await sweep();
  await sweep();
  const total = 4;
  expect(await findOpen()).toMatchObject([
    { cabinetId: null, storeId, description: `门店断网或断电：${total} 台设备同时离线` },
    { cabinetId: other.id, storeId: null },
  ]);
  expect(await badge(people[1])).toBe(2);
  // Maintenance staff are responsible for the first store only.
  expect(await badge(people[2])).toBe(1);
  expect((await find(gone[0] as MadeCabinet)).storeOutage).toEqual({ total, back: 0 });
  expect((await find(cabinets[5] as MadeCabinet)).storeOutage).toBeNull();
  expect(await findKinds(gone[0] as MadeCabinet)).toEqual(["OFFLINE", "STORE_OUTAGE"]);
  const { data } = await testServer.call(cabinetContract.list, people[1], {
    query: { hasFault: true, storeId },
  });
  expect(data.list.map(({ id }) => id).sort()).toEqual(gone.map(id).sort());
});

it("store outage: merges the malfunctions of single cabinets and later ones", async () => {
  const [first, ...rest] = (await make(4)) as [MadeCabinet, ...MadeCabinet[]];
  await fallSilent([first], 65);
  await sweep();
  expect(await findOpen()).toMatchObject([{ cabinetId: first.id }]);
  await fallSilent(rest.slice(0, 2), 61);
  await sweep();
  const [single, outage] = await findMalfunctions();
  expect(single).toMatchObject({ cabinetId: first.id, state: "RESOLVED" });
  expect(single?.mergedIntoId).not.toBeNull();
  expect(outage).toMatchObject({ storeId, state: "CREATED" });
  await fallSilent(rest.slice(2), 61);
  await sweep();
  await sweep();
  expect(await findOpen()).toMatchObject([{ description: "门店断网或断电：4 台设备同时离线" }]);
});

it("store outage: counts cabinets that are back, resolved by the last one", async () => {
  const cabinets = await make(3);
  await fallSilent(cabinets, 61);
  await sweep();
  await comeBack(cabinets.slice(0, 2));
  await sweep();
  await sweep();
  expect(await findOpen()).toMatchObject([
    { description: "门店断网或断电：3 台设备离线，已恢复 2/3 台" },
  ]);
  expect((await find(cabinets[2] as MadeCabinet)).storeOutage).toEqual({ total: 3, back: 2 });
  expect((await find(cabinets[0] as MadeCabinet)).storeOutage).toBeNull();
  await comeBack(cabinets.slice(2));
  await sweep();
  expect(await findMalfunctions()).toMatchObject([{ storeId, state: "RESOLVED" }]);
  expect(await badge(people[1])).toBe(0);
  expect(await findKinds(cabinets[2] as MadeCabinet)).toEqual([
    "OFFLINE",
    "STORE_OUTAGE",
    "STORE_OUTAGE_ENDED",
  ]);
});

it("cabinet offline a second time: counted again in the outage", async () => {
  const cabinets = await make(3);
  await fallSilent(cabinets, 61);
  await sweep();
  await comeBack(cabinets.slice(0, 1));
  await sweep();
  await fallSilent(cabinets.slice(0, 1), 61);
  await sweep();
  await sweep();
  expect(await findOpen()).toMatchObject([{ description: "门店断网或断电：3 台设备同时离线" }]);
});

it("cabinets still offline after the line is back: own malfunctions", async () => {
  const cabinets = await make(3);
  const last = cabinets[2] as MadeCabinet;
  await fallSilent(cabinets, 61);
  await sweep();
  await comeBack(cabinets.slice(0, 2));
  await sweep();
  await platform((db) =>
    db.run(sql`
      update malfunction set line_back_at = line_back_at - interval '6 minutes'
      where tenant_id = ${tenantId()}`),
  );
  await sweep();
  await sweep();
  expect(await findMalfunctions()).toMatchObject([
    { storeId, state: "RESOLVED" },
    { cabinetId: last.id, state: "CREATED", description: "门店网络恢复后仍未上线" },
  ]);
  await comeBack([last]);
  await sweep();
  expect(await findOpen()).toEqual([]);
});

it("missed sweeps: cabinets get a new grace period before a malfunction", async () => {
  const cabinets = await make(4);
  const [gone, ...online] = cabinets as [MadeCabinet, ...MadeCabinet[]];
  await fallSilent([gone], 10);
  await sweep();
  // Simulate a minute without sweeps: a stalled database, a suspended machine.
  await fallSilent([gone], 70);
  await fallSilent(online, 40);
  await platform((db) =>
    db.run(sql`update presence_sweep set swept_at = swept_at - interval '60 seconds'`),
  );
  await sweep();
  await sweep();
  expect(await findMalfunctions()).toEqual([]);
  expect(await findKinds(online[0] as MadeCabinet)).toEqual([]);
  await endExcuse();
  await sweep();
  expect(await findOpen()).toMatchObject([{ cabinetId: gone.id }]);
});

it("store outage: one notice per caretaker, however many cabinets it covers", async () => {
  const cabinets = await make(5);
  const [alone] = await make(1, { storeId: null });
  await fallSilent([...cabinets, ...(alone ? [alone] : [])], 70);
  await sweep();
  await sweep();
  const tools = { database: testServer.database, log: pino({ level: "silent" }) };
  await maintenanceMessageJobs.tasks["maintenance.tell"]?.({}, tools);
  const caretakers = people[2];
  expect(await unreadNotices(testServer, caretakers)).toMatchObject([
    { cabinetId: null, storeId, detail: expect.stringContaining("5 台设备") },
  ]);
  // A cabinet without a store has no caretaker: accounts that may change the rules are notified.
  expect(await unreadNotices(testServer, people[1])).toMatchObject([{ cabinetId: alone?.id }]);
});
