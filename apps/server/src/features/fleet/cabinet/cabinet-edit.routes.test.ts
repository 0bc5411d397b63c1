// Editing and retiring cabinets over HTTP on a real PostgreSQL: saved whole, with optimistic
// locking.
import {
  type CabinetEdit,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
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
let cabinet: MadeCabinet;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
  cabinet = await makeCabinet(testServer, { tenantId });
});

const rule = {
  freeMinutes: 30,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 150,
  capFen: null,
  overdueAfterMinutes: 1440,
};
const first: CabinetEdit = {
  editVersion: 1,
  desiredConfigVersion: 1,
  name: "东门 1 号柜",
  storeId: null,
  servicePhone: "0571-88886666",
  place: "东门收银台旁",
  longitude: 120.15,
  latitude: 30.28,
  openingHours: "08:00-22:00",
  config: { volume: 40, temperatureTargetC: 4, temperatureHighC: 10 },
  pricing: rule,
};

const get = async (as = operator) =>
  (await testServer.call(cabinetContract.get, as, { params: { id: cabinet.id } })).data;
const save = (change: Partial<CabinetEdit> = {}, as = operator) =>
  testServer.call(cabinetContract.update, as, {
    params: { id: cabinet.id },
    body: { ...first, ...change },
  });

describe("cabinet edit page", () => {
  it("saves all fields in one request, with one audit entry that has the previous values", async () => {
    const storeId = await makeStore(testServer, tenantId);
    const heard: unknown[] = [];
    const stop = testServer.listener.on("config", (payload) => heard.push(payload));
    const { data, errMsg } = await save({ storeId, name: "  东门 1 号柜 " });
    expect([errMsg, data]).toEqual(["", { isConfigChanged: true, isConnected: true }]);
    const after = await get();
    const { config, ...basics } = first;
    expect(after).toMatchObject({
      ...basics,
      storeId,
      editVersion: 2,
      desiredConfigVersion: 2,
      desiredConfig: config,
      editedBy: operator.username,
      pricing: { cabinet: { ...rule, version: 1 }, store: null, tenant: null },
    });
    expect(after.desiredConfigAt).not.toBeNull();
    await expect.poll(() => heard).toEqual([{ tenantId, cabinetId: cabinet.id }]);
    stop();
    const [entry, ...more] = await findAudit(testServer, tenantId);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      target: `设备 ${cabinet.sn}`,
      before: { name: `柜 ${cabinet.sn}`, config: {}, pricing: null },
      after: { name: "东门 1 号柜", config: first.config, pricing: rule },
    });
  });

  it("keeps the cabinet's own pricing rule when it moves to another store", async () => {
    const storeId = await makeStore(testServer, tenantId);
    expect((await save({ storeId })).code).toBe(0);
    const again = { storeId, editVersion: 2, desiredConfigVersion: 2 };
    const dearer = await save({ ...again, pricing: { ...rule, stepFen: 300 } });
    expect(dearer.errMsg).toBe("");
    expect((await get()).pricing).toMatchObject({ cabinet: { stepFen: 300 }, store: null });
  });

  it("clears empty fields, keeps absent settings, and does not raise the version of an equal config", async () => {
    await save();
    const reply = await save({
      editVersion: 2,
      desiredConfigVersion: 2,
      servicePhone: "",
      place: "",
      longitude: null,
      latitude: null,
      openingHours: "",
      pricing: null,
    });
    expect(reply.data).toEqual({ isConfigChanged: false, isConnected: true });
    expect(await get()).toMatchObject({
      servicePhone: "",
      longitude: null,
      desiredConfigVersion: 2,
      pricing: { cabinet: null },
    });
    const { desiredConfig } = await get();
    await save({ editVersion: 3, desiredConfigVersion: 2, config: {} });
    expect(await get()).toMatchObject({ desiredConfigVersion: 2, desiredConfig });
    const cleared = Object.fromEntries(Object.keys(desiredConfig).map((name) => [name, null]));
    await save({ editVersion: 4, desiredConfigVersion: 2, config: cleared });
    expect(await get()).toMatchObject({ desiredConfigVersion: 3, desiredConfig: {} });
  });

  it("refuses to overwrite a newer change, whatever call made it", async () => {
    expect((await save()).code).toBe(0);
    const stale = await save({ name: "晚到的名字" });
    expect(stale.errMsg).toBe(
      `${operator.username}已在您打开页面之后修改过，为免覆盖未作保存；您填写的内容仍在，请先查看最新内容`,
    );
    const storeId = await makeStore(testServer, tenantId);
    await testServer.call(cabinetContract.assignStore, operator, {
      body: { cabinetIds: [cabinet.id], storeId },
    });
    expect((await save({ editVersion: 2, desiredConfigVersion: 2 })).errMsg).toContain("修改过");
    await testServer.call(cabinetContract.pushConfig, operator, {
      body: { cabinetIds: [cabinet.id], config: { volume: 41 } },
    });
    expect((await save({ editVersion: 3, desiredConfigVersion: 2 })).errMsg).toContain(
      "设备参数已在您打开页面之后修改过",
    );
    expect(await get()).toMatchObject({ name: first.name, storeId, desiredConfigVersion: 3 });
  });

  it("two concurrent saves: one wins", async () => {
    const replies = await Promise.all([save({ name: "甲的名字" }), save({ name: "乙的名字" })]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect((await get()).editVersion).toBe(2);
  });

  it.each<[string, Partial<CabinetEdit>]>([
    ["还缺纬度", { latitude: null }],
    ["“经度”不能小于 73", { longitude: 30, latitude: 120 }],
    ["开始和结束时间不能相同", { openingHours: "08:00-08:00" }],
    ["开灯时间与关灯时间", { config: { lightOnAt: "18:00" } }],
    ["控温目标须低于高温报警", { config: { temperatureTargetC: 20, temperatureHighC: 10 } }],
    ["客服电话", { servicePhone: "打给老王" }],
    ["设备名称", { name: "柜" }],
    ["计费单位时长", { pricing: { ...rule, stepMinutes: 0 } }],
    ["不认识的字段", { config: { disco: true } as object }],
    ["每单位价格", { pricing: { ...rule, stepFen: 1.5 } }],
  ])("refuses invalid input with a text: %s", async (words, change) => {
    const reply = await save(change);
    expect([reply.status, reply.code]).toEqual([expect.any(Number), 1]);
    expect(reply.errMsg).toContain(words);
    expect((await get()).editVersion).toBe(1);
  });

  it("moves a cabinet only to a store of its own tenant", async () => {
    const other = await testServer.makeTenant();
    const foreign = await makeStore(testServer, other.id);
    expect((await save({ storeId: foreign })).errMsg).toContain("门店");
    expect((await save({ storeId: 999_999_999 })).errMsg).toContain("门店");
    expect((await save({}, other.people[1])).errMsg).toContain("设备不存在");
    expect((await save({}, people[2])).status).toBe(403);
  });

  it("shows the reported config, including unknown settings", async () => {
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update cabinet set reported_config = '{"volume": 30, "disco": true}',
          reported_config_version = 1, reported_config_at = now() where id = ${cabinet.id}`),
    );
    expect(await get()).toMatchObject({
      reportedConfig: { volume: 30, disco: true },
      reportedConfigAt: expect.any(String),
    });
  });
});

describe("parameters for several cabinets", () => {
  it("are refused where they contradict another setting of one cabinet", async () => {
    await save();
    const reply = await testServer.call(cabinetContract.pushConfig, operator, {
      body: { cabinetIds: [cabinet.id], config: { temperatureHighC: 3 } },
    });
    expect(reply.errMsg).toBe(`控温目标须低于高温报警（设备 ${cabinet.sn}）`);
  });
});

describe("retiring a cabinet", () => {
  const retire = (id: number, as = operator) =>
    testServer.call(cabinetContract.retire, as, { params: { id }, body: { reason: "设备撤场" } });

  it("is final, with the reason in the audit log", async () => {
    expect((await retire(cabinet.id)).code).toBe(0);
    expect((await get()).lifecycle).toBe("RETIRED");
    expect((await findAudit(testServer, tenantId))[0]).toMatchObject({
      reason: "设备撤场",
      before: { lifecycle: "ACTIVE" },
      after: { lifecycle: "RETIRED" },
    });
    expect((await retire(cabinet.id)).errMsg).toContain("当前状态为“已停用”，不能停用");
    const resumed = await testServer.call(cabinetContract.resume, operator, {
      params: { id: cabinet.id },
      body: { reason: "又要用了" },
    });
    expect(resumed.code).toBe(1);
  });

  it("is refused while goods are inside, by records or sensor, and names the compartments", async () => {
    const held = await makeCabinet(testServer, {
      tenantId,
      lifecycle: "PAUSED",
      cells: [
        {},
        { occupancy: "OCCUPIED", item: "EMPTY" },
        { item: "PRESENT" },
        { occupancy: "RESERVED" },
      ],
    });
    expect((await retire(held.id)).errMsg).toBe(
      "设备内还有物品或预约（2、3、4 号格口），不能停用：请先取出物品并清柜",
    );
  });
});
