// Cabinet event log over HTTP on a real PostgreSQL: filters, payloads, online time.
import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import {
  isProblem,
  knownKinds,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type MadeCabinet,
  makeCabinet,
  makeStore,
} from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let cabinet: MadeCabinet;
const NOW = Date.now();

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  cabinet = await makeCabinet(testServer, { tenantId, name: "东门柜" });
});

interface EventFixture {
  kind: string;
  minutesAgo: number;
  no?: number;
  payload?: object;
  deviceMinutesAgo?: number;
}

let n = 0;
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString();
function log(events: EventFixture[], of: MadeCabinet = cabinet) {
  return testServer.database.transaction("platform", async (db) => {
    for (const { kind, minutesAgo, no = null, payload = null, deviceMinutesAgo } of events) {
      const deviceAt = deviceMinutesAgo === undefined ? null : at(deviceMinutesAgo);
      await db.run(sql`
        insert into cabinet_event (tenant_id, cabinet_id, boot_no, n, kind, compartment_no,
          device_at, received_at, payload)
        values (${of.tenantId}, ${of.id}, 1, ${++n}, ${kind}, ${no}, ${deviceAt},
          ${at(minutesAgo)}, ${payload && JSON.stringify(payload)})`);
    }
  });
}
const list = async (query: object = {}, as = people[1]) =>
  testServer.call(cabinetEventContract.list, as, { query: { pageSize: 100, ...query } });
const kinds = async (query: object, as = people[1]) =>
  (await list(query, as)).data.list.map(({ kind }) => kind);

describe("event log", () => {
  it("lists newest first, each event with its text and payload", async () => {
    await log([
      { kind: "DOOR_OPENED", minutesAgo: 3, no: 2, payload: { type: "DOOR_OPENED", n: 7 } },
      {
        kind: "TEMPERATURE_HIGH",
        minutesAgo: 1,
        deviceMinutesAgo: 9,
        payload: { active: true, value: 41.5 },
      },
    ]);
    const { data } = await list();
    expect(data.total).toBe(2);
    expect(data.list[0]).toMatchObject({
      kind: "TEMPERATURE_HIGH",
      text: "温度过高（41.5 ℃）",
      isProblem: true,
      cabinetName: "东门柜",
      cabinetSn: cabinet.sn,
      deviceAt: at(9),
      receivedAt: at(1),
      bootNo: 1,
    });
    expect(JSON.parse(data.list[0]?.payload ?? "")).toEqual({ active: true, value: 41.5 });
    expect(data.list[1]).toMatchObject({ text: "箱门打开", no: 2, isProblem: false });
  });

  it("filters by cabinet, kind, group, compartment, time and problems", async () => {
    const other = await makeCabinet(testServer, { tenantId, name: "西门柜" });
    await log([
      { kind: "ONLINE", minutesAgo: 60 },
      { kind: "DOOR_OPENED", minutesAgo: 50, no: 1 },
      { kind: "DOOR_CLOSED", minutesAgo: 49, no: 1 },
      { kind: "POWER_LOW", minutesAgo: 40, payload: { active: true } },
      { kind: "POWER_LOW", minutesAgo: 30, payload: { active: false } },
      { kind: "LID_LIFTED", minutesAgo: 20 },
    ]);
    await log([{ kind: "TAMPER", minutesAgo: 10, no: 1 }], other);
    expect(await kinds({ cabinetId: other.id })).toEqual(["TAMPER"]);
    expect(await kinds({ keyword: "西门" })).toEqual(["TAMPER"]);
    expect(await kinds({ kind: "ONLINE" })).toEqual(["ONLINE"]);
    expect(await kinds({ group: "DOOR" })).toEqual(["DOOR_CLOSED", "DOOR_OPENED"]);
    expect(await kinds({ group: "OTHER" })).toEqual(["LID_LIFTED"]);
    expect(await kinds({ no: 1, cabinetId: cabinet.id })).toEqual(["DOOR_CLOSED", "DOOR_OPENED"]);
    expect(await kinds({ isProblem: true })).toEqual(["TAMPER", "POWER_LOW"]);
    expect(await kinds({ isProblem: false, group: "SENSOR" })).toEqual(["POWER_LOW"]);
    expect(await kinds({ from: at(45), to: at(15) })).toEqual([
      "LID_LIFTED",
      "POWER_LOW",
      "POWER_LOW",
    ]);
    expect((await list({ from: at(0), to: at(5) })).errMsg).toContain("开始时间不能晚于结束时间");
  });

  it("the SQL condition for problems agrees with the rules", async () => {
    const payloads = [
      null,
      { active: true },
      { active: false },
      { job: { jobId: "12345678", status: "FAILED" } },
      { job: { jobId: "12345678", status: "INSTALLED" } },
    ];
    await log(
      [...knownKinds, "LID_LIFTED"].flatMap((kind) =>
        payloads.map((payload) => ({ kind, minutesAgo: 1, ...(payload && { payload }) })),
      ),
    );
    const all = [];
    for (const page of [1, 2]) all.push(...(await list({ page })).data.list);
    const problems = [];
    for (const page of [1, 2]) problems.push(...(await list({ page, isProblem: true })).data.list);
    const ids = (events: { id: number }[]) => events.map(({ id }) => id).sort();
    expect(all.length).toBe((knownKinds.length + 1) * payloads.length);
    expect(problems.every((event) => event.isProblem)).toBe(true);
    expect(ids(problems)).toEqual(
      ids(all.filter(({ kind, payload }) => isProblem(kind, payload ? JSON.parse(payload) : null))),
    );
  });

  it("shows an account its own tenant, maintenance staff their stores, the platform everything", async () => {
    const storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
    const looked = await makeCabinet(testServer, { tenantId, storeId });
    const other = await testServer.makeTenant();
    const foreign = await makeCabinet(testServer, { tenantId: other.id });
    await log([{ kind: "ONLINE", minutesAgo: 1 }]);
    await log([{ kind: "TAMPER", minutesAgo: 1 }], looked);
    await log([{ kind: "VIBRATION", minutesAgo: 1 }], foreign);
    expect((await kinds({})).sort()).toEqual(["ONLINE", "TAMPER"]);
    expect(await kinds({}, people[2])).toEqual(["TAMPER"]);
    expect(await kinds({ tenantId: other.id })).toEqual([]);
    const { people: platform } = await testServer.makeTenant(1);
    expect(await kinds({ tenantId: other.id }, platform[0])).toEqual(["VIBRATION"]);
  });
});

describe("page of the event log", () => {
  it("is read by an index for every filter", async () => {
    await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`
        insert into cabinet_event (tenant_id, cabinet_id, boot_no, n, kind, received_at)
        select ${tenantId}, ${cabinet.id}, 2, i, case when i % 1000 = 0 then 'TAMPER'
          else 'DOOR_OPENED' end, now() - make_interval(secs => i)
        from generate_series(1, 30000) i`);
    });
    const { data } = await list({ pageSize: 10 });
    expect([data.total, data.isTotalCapped, data.list.length]).toEqual([10_000, true, 10]);
    expect((await list({ kind: "TAMPER", pageSize: 10 })).data.total).toBe(30);
    const plan = await testServer.database.read("platform", (db) =>
      db.many<{ "QUERY PLAN": string }>(sql`
        explain select id from cabinet_event where cabinet_event.tenant_id = ${tenantId}
        order by cabinet_event.received_at desc, cabinet_event.id desc limit 10`),
    );
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toMatch(/Index.*cabinet_event_/);
  });
});

describe("online time", () => {
  it("has no gaps; an outage starts when the cabinet was last seen", async () => {
    await log([
      { kind: "ONLINE", minutesAgo: 3_000 },
      { kind: "OFFLINE", minutesAgo: 100, payload: { lastSeenAt: at(102) } },
      { kind: "ONLINE", minutesAgo: 80 },
    ]);
    const reply = await testServer.call(cabinetEventContract.presence, people[1], {
      params: { id: cabinet.id },
      query: { hours: 24 },
    });
    const { spans, onlineShare, from, to } = reply.data;
    expect(spans.map(({ state }) => state)).toEqual(["ONLINE", "OFFLINE", "ONLINE"]);
    expect([spans[0]?.from, spans[2]?.to]).toEqual([from, to]);
    expect([spans[1]?.from, spans[1]?.to]).toEqual([at(102), at(80)]);
    expect(onlineShare).toBeCloseTo(1 - 22 / 1440, 4);
  });

  it("is NEVER before the first connection, and hidden from other tenants", async () => {
    const ask = (as: Person) =>
      testServer.call(cabinetEventContract.presence, as, { params: { id: cabinet.id }, query: {} });
    const { data } = await ask(people[1]);
    expect([data.spans.map(({ state }) => state), data.onlineShare]).toEqual([["NEVER"], null]);
    expect((await ask((await testServer.makeTenant()).people[1])).errMsg).toContain("设备不存在");
  });
});
