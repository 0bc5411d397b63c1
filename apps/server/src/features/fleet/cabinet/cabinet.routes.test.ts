// Cabinets over HTTP on a real PostgreSQL: results, refusals and audit entries.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  findAudit,
  type MadeCabinet,
  makeCabinet,
  makeStore,
} from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
});

const sns = (reply: { data: { list: { sn: string }[] } }) => reply.data.list.map(({ sn }) => sn);
const list = (query: object = {}, as = operator) =>
  testServer.call(cabinetContract.list, as, { query });

/** Collects the notifications on a channel to consoles and gateways. */
function listenTo(channel: "live" | "config"): unknown[] {
  const heard: unknown[] = [];
  stops.push(testServer.listener.on(channel, (payload) => heard.push(payload)));
  return heard;
}
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe("cabinet list", () => {
  it("returns each row with its compartment counts", async () => {
    const storeId = await makeStore(testServer, tenantId);
    const { sn, id } = await makeCabinet(testServer, {
      tenantId,
      storeId,
      cells: [
        {},
        { doorFront: "OPEN" },
        { occupancy: "OCCUPIED", item: "PRESENT" },
        { occupancy: "OCCUPIED", item: "EMPTY" },
        { occupancy: "RESERVED" },
        { adminState: "FAULT" },
        { adminState: "DISABLED", occupancy: "OCCUPIED", item: "PRESENT" },
      ],
    });
    const { code, data } = await list();
    expect(code).toBe(0);
    expect(data.total).toBe(1);
    expect(data.list[0]).toMatchObject({
      id,
      sn,
      tenantId,
      tenantName: `租户 ${tenantId}`,
      storeId,
      side: "SINGLE",
      lifecycle: "ACTIVE",
      connectivity: "ONLINE",
      compartments: { total: 7, free: 1, occupied: 1, faulty: 3 },
      desiredConfig: {},
      desiredConfigVersion: 1,
      reportedConfig: null,
      reportedConfigVersion: null,
    });
  });

  it("filters by each field", async () => {
    const storeId = await makeStore(testServer, tenantId);
    const plain = await makeCabinet(testServer, { tenantId, name: "普通柜" });
    const stored = await makeCabinet(testServer, { tenantId, storeId, name: "门店柜" });
    const double = await makeCabinet(testServer, { tenantId, side: "DOUBLE", name: "双面柜" });
    const paused = await makeCabinet(testServer, { tenantId, lifecycle: "PAUSED" });
    const offline = await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE" });
    const never = await makeCabinet(testServer, { tenantId, connectivity: "NEVER" });
    const faulty = await makeCabinet(testServer, { tenantId, cells: [{ adminState: "FAULT" }] });
    const all = [plain, stored, double, paused, offline, never, faulty];
    const only = async (query: object, wanted: MadeCabinet[]) =>
      expect(sns(await list(query)).sort()).toEqual(wanted.map(({ sn }) => sn).sort());
    await only({}, all);
    await only({ keyword: plain.sn.slice(4).toLowerCase() }, [plain]);
    await only({ keyword: " 门店柜 " }, [stored]);
    await only({ storeId }, [stored]);
    await only({ side: "DOUBLE" }, [double]);
    await only({ lifecycle: "PAUSED" }, [paused]);
    await only({ connectivity: "OFFLINE" }, [offline]);
    await only({ connectivity: "NEVER" }, [never]);
    await only({ hasFault: true }, [faulty]);
    await only(
      { hasFault: false },
      all.filter((cabinet) => cabinet !== faulty),
    );
    await only({ lifecycle: "RETIRED" }, []);
  });

  it("matches a keyword literally, not as a pattern", async () => {
    await makeCabinet(testServer, { tenantId, name: "甲" });
    const odd = await makeCabinet(testServer, { tenantId, name: "乙_100%" });
    expect(sns(await list({ keyword: "_" }))).toEqual([odd.sn]);
    expect(sns(await list({ keyword: "100%" }))).toEqual([odd.sn]);
    expect(sns(await list({ keyword: "\\" }))).toEqual([]);
  });

  it("pages in a stable order and keeps the total past the last page", async () => {
    for (let n = 0; n < 13; n++) await makeCabinet(testServer, { tenantId, name: `柜${n % 3}` });
    for (const query of [{}, { sort: "name", order: "desc" }, { sort: "lastSeenAt" }]) {
      const pages = [1, 2, 3].map((page) => list({ ...query, page, pageSize: 5 }));
      const rows = (await Promise.all(pages)).flatMap(sns);
      expect(new Set(rows).size).toBe(13);
    }
    const past = await list({ page: 9, pageSize: 5 });
    expect(past.data).toMatchObject({ list: [], total: 13 });
    const byNumber = sns(await list({ pageSize: 50 }));
    expect(byNumber).toEqual([...byNumber].sort());
    expect(sns(await list({ pageSize: 50, order: "desc" }))).toEqual(byNumber.reverse());
  });

  it("refuses to sort by an unknown column", async () => {
    const { code, errMsg } = await list({ sort: "tenant_id; drop table cabinet" });
    expect({ code, errMsg }).toMatchObject({ code: 1, errMsg: expect.stringContaining("排序") });
  });
});

describe("visibility of cabinets", () => {
  it("never shows cabinets of another tenant", async () => {
    const other = await testServer.makeTenant();
    const mine = await makeCabinet(testServer, { tenantId });
    const theirs = await makeCabinet(testServer, { tenantId: other.id });
    expect(sns(await list())).toEqual([mine.sn]);
    expect(sns(await list({ tenantId: other.id }))).toEqual([]);
    expect(sns(await list({}, people[0]))).toEqual([mine.sn]);
    const foreign = await testServer.call(cabinetContract.get, operator, {
      params: { id: theirs.id },
    });
    const missing = await testServer.call(cabinetContract.get, operator, {
      params: { id: 999_999 },
    });
    expect(foreign.errMsg).toBe("设备不存在，或不在您的管理范围内");
    expect(foreign).toEqual({ ...missing, requestId: expect.any(String) });
  });

  it("platform staff see all, or the tenant they name", async () => {
    const platform = await testServer.makeTenant(1);
    const other = await testServer.makeTenant();
    const mine = await makeCabinet(testServer, { tenantId });
    const theirs = await makeCabinet(testServer, { tenantId: other.id });
    const all = sns(await list({ pageSize: 100 }, platform.people[0]));
    expect(all).toEqual(expect.arrayContaining([mine.sn, theirs.sn]));
    expect(sns(await list({ tenantId }, platform.people[0]))).toEqual([mine.sn]);
    // An account of tenant 1 without userType 0 has no special rights.
    expect(sns(await list({ tenantId }, platform.people[1]))).toEqual([]);
  });

  it("maintenance staff see the stores they look after", async () => {
    const maintenance = people[2];
    const theirStore = await makeStore(testServer, tenantId, [maintenance.operatorId]);
    const otherStore = await makeStore(testServer, tenantId);
    const theirs = await makeCabinet(testServer, { tenantId, storeId: theirStore });
    const elsewhere = await makeCabinet(testServer, { tenantId, storeId: otherStore });
    await makeCabinet(testServer, { tenantId });
    expect(sns(await list({}, maintenance))).toEqual([theirs.sn]);
    const statistics = await testServer.call(cabinetContract.statistics, maintenance);
    expect(statistics.data.total).toBe(1);
    const get = (id: number) =>
      testServer.call(cabinetContract.get, maintenance, { params: { id } });
    expect((await get(theirs.id)).code).toBe(0);
    expect((await get(elsewhere.id)).code).toBe(1);
  });
});

describe("statistics and detail", () => {
  it("counts by connectivity and side", async () => {
    await makeCabinet(testServer, { tenantId });
    await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE" });
    await makeCabinet(testServer, { tenantId, connectivity: "NEVER", side: "DOUBLE" });
    const count = async (query: object) =>
      (await testServer.call(cabinetContract.statistics, operator, { query })).data;
    expect(await count({})).toEqual({ total: 3, online: 1, offline: 1, never: 1, retired: 0 });
    const double = await count({ side: "DOUBLE" });
    expect(double).toEqual({ total: 1, online: 0, offline: 0, never: 1, retired: 0 });
  });

  it("leaves out retired cabinets from connectivity counts", async () => {
    const { id } = await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE" });
    await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE", lifecycle: "RETIRED" });
    const { data } = await testServer.call(cabinetContract.statistics, operator, { query: {} });
    expect(data).toEqual({ total: 1, online: 0, offline: 1, never: 0, retired: 1 });
    const offline = async (query: object) => {
      const list = { page: 1, pageSize: 10, connectivity: "OFFLINE" as const, ...query };
      const reply = await testServer.call(cabinetContract.list, operator, { query: list });
      return reply.data.list.map((cabinet) => cabinet.id);
    };
    expect(await offline({})).toEqual([id]);
    expect(await offline({ lifecycle: "RETIRED" })).toHaveLength(1);
  });

  it("returns one cabinet in detail", async () => {
    const storeId = await makeStore(testServer, tenantId);
    const { id, sn } = await makeCabinet(testServer, { tenantId, storeId });
    const { data } = await testServer.call(cabinetContract.get, operator, { params: { id } });
    expect(data).toMatchObject({
      sn,
      storeAddress: "学林街 16 号",
      desiredConfig: {},
      reportedConfig: null,
      compartments: { total: 3, free: 3 },
    });
  });
});

describe("pausing and resuming", () => {
  const change = (action: "pause" | "resume", id: number, as = operator) =>
    testServer.call(cabinetContract[action], as, { params: { id }, body: { reason: "门店装修" } });

  it("changes between ACTIVE and PAUSED, with audit entries and live events", async () => {
    const live = listenTo("live");
    const { id, sn } = await makeCabinet(testServer, { tenantId });
    expect((await change("pause", id)).code).toBe(0);
    expect((await list()).data.list[0]?.lifecycle).toBe("PAUSED");
    expect((await change("resume", id)).code).toBe(0);
    expect(await findAudit(testServer, tenantId)).toMatchObject([
      {
        call: "PUT /admin/v1/locker/pause/{id}",
        target: `设备 ${sn}`,
        reason: "门店装修",
        before: { lifecycle: "ACTIVE" },
        after: { lifecycle: "PAUSED" },
        actorName: operator.username,
      },
      { before: { lifecycle: "PAUSED" }, after: { lifecycle: "ACTIVE" } },
    ]);
    await expect.poll(() => live).toHaveLength(2);
    expect(live[0]).toMatchObject({ tenantId, topic: "cabinet", cabinetId: id });
  });

  it.each([
    ["pause", "INACTIVE", "当前状态为“未启用”，不能暂停运营"],
    ["pause", "PAUSED", "当前状态为“已暂停”，不能暂停运营"],
    ["resume", "ACTIVE", "当前状态为“运营中”，不能恢复运营"],
    ["resume", "RETIRED", "当前状态为“已停用”，不能恢复运营"],
  ] as const)("refuses to %s a cabinet that is %s", async (action, lifecycle, why) => {
    const { id } = await makeCabinet(testServer, { tenantId, lifecycle });
    const { code, errMsg } = await change(action, id);
    expect({ code, errMsg }).toMatchObject({ code: 1, errMsg: expect.stringContaining(why) });
    expect((await list()).data.list[0]?.lifecycle).toBe(lifecycle);
    expect(await findAudit(testServer, tenantId)).toEqual([]);
  });

  it("requires a reason, and a permission that maintenance staff do not have", async () => {
    const storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
    const { id } = await makeCabinet(testServer, { tenantId, storeId });
    const params = { id };
    for (const reason of ["", " ", "  "]) {
      const refused = await testServer.call(cabinetContract.pause, operator, {
        params,
        body: { reason },
      });
      expect(refused).toMatchObject({ code: 1, errMsg: expect.stringContaining("原因") });
    }
    expect((await change("pause", id, people[2])).status).toBe(403);
  });

  it("is logged in the audit log of the cabinet's tenant", async () => {
    const platform = await testServer.makeTenant(1);
    const { id } = await makeCabinet(testServer, { tenantId });
    expect((await change("pause", id, platform.people[0])).code).toBe(0);
    expect(await findAudit(testServer, tenantId)).toMatchObject([
      { actorName: platform.people[0].username },
    ]);
  });
});

describe("assigning a store", () => {
  const assign = (cabinetIds: number[], storeId: number | null, as = operator) =>
    testServer.call(cabinetContract.assignStore, as, { body: { cabinetIds, storeId } });

  it("moves several cabinets and counts the changed ones", async () => {
    const storeId = await makeStore(testServer, tenantId);
    const one = await makeCabinet(testServer, { tenantId });
    const two = await makeCabinet(testServer, { tenantId, storeId });
    expect((await assign([one.id, two.id], storeId)).data).toEqual({ changed: 1 });
    expect(sns(await list({ storeId })).sort()).toEqual([one.sn, two.sn].sort());
    expect((await assign([two.id], null)).data).toEqual({ changed: 1 });
    const [entry] = await findAudit(testServer, tenantId);
    expect(entry).toMatchObject({
      before: [
        { sn: one.sn, storeId: null },
        { sn: two.sn, storeId },
      ],
    });
  });

  it("changes none when one is foreign or missing, and answers both alike", async () => {
    const other = await testServer.makeTenant();
    const theirs = await makeCabinet(testServer, { tenantId: other.id });
    const mine = await makeCabinet(testServer, { tenantId });
    const storeId = await makeStore(testServer, tenantId);
    const foreign = await assign([mine.id, theirs.id], storeId);
    const missing = await assign([mine.id, 999_999], storeId);
    expect(foreign.code).toBe(1);
    expect(foreign).toEqual({ ...missing, requestId: expect.any(String) });
    expect(sns(await list({ storeId }))).toEqual([]);
    const theirStore = await makeStore(testServer, other.id);
    const toForeign = await assign([mine.id], theirStore);
    expect(toForeign.errMsg).toBe("门店不存在，或不在您的管理范围内");
    expect(toForeign).toEqual({
      ...(await assign([mine.id], 999_999)),
      requestId: expect.any(String),
    });
  });

  it("refuses a store of another tenant, even for platform staff", async () => {
    const platform = await testServer.makeTenant(1);
    const other = await testServer.makeTenant();
    const mine = await makeCabinet(testServer, { tenantId });
    const theirStore = await makeStore(testServer, other.id);
    const { errMsg } = await assign([mine.id], theirStore, platform.people[0]);
    expect(errMsg).toBe("所选门店与设备不属于同一租户");
  });
});

describe("pushing parameters", () => {
  const push = (cabinetIds: number[], config: object, as = operator) =>
    testServer.call(cabinetContract.pushConfig, as, { body: { cabinetIds, config } });
  const wished = async (id: number) =>
    (await testServer.call(cabinetContract.get, operator, { params: { id } })).data;

  it("merges them into the desired config, raises the version and notifies the gateways", async () => {
    const config = listenTo("config");
    const { id } = await makeCabinet(testServer, { tenantId });
    const offline = await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE" });
    await push([id], { volume: 30, lightOnAt: "18:00", lightOffAt: "06:00" });
    expect((await push([id, offline.id], { volume: 55 })).data).toEqual({ changed: 2 });
    expect(await wished(id)).toMatchObject({
      desiredConfig: { volume: 55, lightOnAt: "18:00", lightOffAt: "06:00" },
      desiredConfigVersion: 3,
    });
    expect(await wished(offline.id)).toMatchObject({ desiredConfig: { volume: 55 } });
    await expect.poll(() => config).toHaveLength(3);
    expect(config[0]).toEqual({ tenantId, cabinetId: id });
  });

  it("changes nothing when the values are already desired", async () => {
    const config = listenTo("config");
    const { id } = await makeCabinet(testServer, { tenantId });
    await push([id], { volume: 30 });
    expect((await push([id], { volume: 30 })).data).toEqual({ changed: 0 });
    expect((await wished(id)).desiredConfigVersion).toBe(2);
    await expect.poll(() => config).toHaveLength(1);
  });

  it.each([
    [{}, "请至少设置一项参数"],
    [{ volume: 101 }, "音量"],
    [{ lightOnAt: "25:00" }, "开灯时间"],
    [{ brightness: 3 }, "brightness"],
  ])("refuses %j", async (config, why) => {
    const { id } = await makeCabinet(testServer, { tenantId });
    const { code, errMsg } = await push([id], config);
    expect({ code, errMsg }).toMatchObject({ code: 1, errMsg: expect.stringContaining(why) });
  });

  it("sync: resends on request, and is refused while the cabinet is offline", async () => {
    const config = listenTo("config");
    const online = await makeCabinet(testServer, { tenantId });
    const away = await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE" });
    const retired = await makeCabinet(testServer, { tenantId, lifecycle: "RETIRED" });
    const sync = (id: number) =>
      testServer.call(cabinetContract.syncConfig, operator, { params: { id } });
    expect((await sync(online.id)).code).toBe(0);
    expect((await sync(away.id)).errMsg).toContain("下次上线时自动同步");
    expect((await sync(retired.id)).errMsg).toContain("已停用");
    await expect.poll(() => config).toEqual([{ tenantId, cabinetId: online.id }]);
  });

  it("sync: raises the version only if the cabinet reports other values at this version", async () => {
    const { id } = await makeCabinet(testServer, { tenantId });
    await push([id], { volume: 34 });
    const report = (volume: number) =>
      testServer.database.transaction("platform", (db) =>
        db.run(sql`
          update cabinet set reported_config = jsonb_build_object('volume', ${volume}::int),
            reported_config_version = desired_config_version where id = ${id}`),
      );
    const sync = () => testServer.call(cabinetContract.syncConfig, operator, { params: { id } });
    await report(34);
    expect((await sync()).code).toBe(0);
    expect((await wished(id)).desiredConfigVersion).toBe(2);
    await report(99);
    expect((await sync()).code).toBe(0);
    expect((await wished(id)).desiredConfigVersion).toBe(3);
    expect((await sync()).code).toBe(0);
    expect((await wished(id)).desiredConfigVersion).toBe(3);
  });
});
