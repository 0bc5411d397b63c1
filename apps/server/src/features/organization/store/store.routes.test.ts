// Store routes over HTTP on a real PostgreSQL: replies, refusals, audit entries.
import { randomUUID } from "node:crypto";
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let platform: Person;
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
});

const draft = {
  name: "学林街店",
  code: "XL-01",
  region: "浙江省 杭州市 钱塘区",
  address: "学林街 16 号",
  longitude: 120.3468,
  latitude: 30.3143,
  openingHours: "工作日 06:30-23:30，周末 全天",
  contactName: "王姐",
  contactPhone: "13812345678",
  managerId: null as number | null,
  remark: "",
};
const create = (more: object = {}, as = operator) =>
  testServer.call(storeContract.create, as, { body: { ...draft, ...more } });
const get = (id: number, as = operator) =>
  testServer.call(storeContract.get, as, { params: { id } });
const update = (id: number, body: object, as = operator) =>
  testServer.call(storeContract.update, as, { params: { id }, body: { ...draft, ...body } });
const remove = (id: number, as = operator) =>
  testServer.call(storeContract.delete, as, { params: { id } });
const list = async (query: object = {}, as = operator) =>
  (await testServer.call(storeContract.list, as, { query })).data;
const codes = async (query: object = {}, as = operator) =>
  (await list(query, as)).list.map(({ code }) => code);

async function made(more: object = {}): Promise<number> {
  const reply = await create(more);
  expect(reply.errMsg).toBe("");
  return reply.data.id;
}

it("store options: each account gets the stores it may see", async () => {
  const other = await testServer.makeTenant();
  const lookedAfter = await makeStore(testServer, tenantId, [people[2].operatorId]);
  const unattended = await makeStore(testServer, tenantId);
  const foreign = await makeStore(testServer, other.id);
  const options = async (as: Person, query: object = {}) =>
    (await testServer.call(storeContract.options, as, { query })).data.map(({ id }) => id).sort();
  expect(await options(operator)).toEqual([lookedAfter, unattended]);
  expect(await options(people[2])).toEqual([lookedAfter]);
  expect(await options(operator, { tenantId: other.id })).toEqual([]);
  expect(await options(platform)).toEqual(
    expect.arrayContaining([lookedAfter, unattended, foreign]),
  );
  expect(await options(platform, { tenantId: other.id })).toEqual([foreign]);
});

describe("creating a store", () => {
  it("saves the draft, masks the phone, and audits the operator", async () => {
    const id = await made({ name: "  学林街店 ", managerId: people[2].operatorId });
    expect((await get(id)).data).toMatchObject({
      ...draft,
      id,
      tenantId,
      contactPhone: "138****5678",
      managerId: people[2].operatorId,
      managerName: people[2].username,
      cabinets: 0,
      caretakers: [],
      editVersion: 1,
      editedBy: operator.username,
    });
    const [entry] = await findAudit(testServer, tenantId);
    expect(entry).toMatchObject({ target: "门店 学林街店（XL-01）", actorName: operator.username });
    expect(JSON.stringify(entry)).not.toContain("13812345678");
  });

  it.each([
    [{ name: "  " }, "门店名称"],
    [{ code: "学林" }, "门店编码"],
    [{ longitude: 30.3, latitude: 120.3 }, "经度"],
    [{ latitude: null }, "还缺纬度"],
    [{ openingHours: "8点到10点" }, "营业时间"],
    [{ openingHours: "08:00-08:00" }, "不能相同"],
    [{ openingHours: "工作日 休息，周末 休息" }, "不能都休息"],
    [{ contactPhone: "0571-88888888" }, "“联系电话”应为 11 位手机号"],
    [{ managerId: 999_999_999 }, "负责人不存在"],
  ])("refuses %j with a remedy", async (wrong, words) => {
    const reply = await create(wrong);
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    expect(await codes()).toEqual([]);
  });

  it("codes are unique in a tenant; a refusal names a free one", async () => {
    expect((await testServer.call(storeContract.nextCode, operator)).data).toBe("S001");
    await made({ code: "HZ-01" });
    await made({ code: "HZ-02", name: "二店" });
    expect((await testServer.call(storeContract.nextCode, operator)).data).toBe("HZ-03");
    expect((await create({ code: "HZ-01" })).errMsg).toBe(
      "编码 HZ-01 已被门店“学林街店”使用，请换一个，例如 HZ-03",
    );
    const other = await testServer.makeTenant();
    expect((await create({ code: "HZ-01" }, other.people[1])).code).toBe(0);
    const both = await Promise.all([create({ code: "HZ-09" }), create({ code: "HZ-09" })]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  });

  it("platform staff create it for a named tenant; others only for their own", async () => {
    const other = await testServer.makeTenant();
    expect((await create({ tenantId }, platform)).code).toBe(0);
    expect(await codes()).toEqual(["XL-01"]);
    expect((await create({ tenantId: other.id })).errMsg).toContain("租户不存在");
    const foreigner = { managerId: other.people[1].operatorId, code: "XL-02" };
    expect((await create(foreigner)).errMsg).toContain("负责人不存在");
    expect((await create({ tenantId: 999_999_999 }, platform)).errMsg).toContain("租户不存在");
  });
});

describe("an import of stores", () => {
  const cells = {
    name: "学林街店",
    code: "XL-01",
    region: "",
    address: "",
    longitude: "",
    latitude: "",
    openingHours: "",
    contactName: "",
    contactPhone: "",
    manager: "",
    remark: "",
  };
  const lineOf = (line: number, code: string, more: Partial<typeof cells> = {}) => {
    return { line, ...cells, code, ...more };
  };
  type Lines = ReturnType<typeof lineOf>[];
  const importAs = async (
    lines: Lines,
    { as = operator, mode = "VALID_ONLY" as const, headers = {}, ...more }: ImportOptions = {},
  ) => {
    const reply = await testServer.call(storeContract.importLines, as, {
      headers,
      body: { mode, lines, ...more },
    });
    expect(reply.errMsg).toBe("");
    return reply.data;
  };
  interface ImportOptions {
    as?: Person;
    mode?: "ALL_OR_NONE" | "VALID_ONLY";
    headers?: Record<string, string>;
    tenantId?: number;
  }

  it("judges every line by the rules of the form and saves the valid ones, cleaned", async () => {
    await made({ code: "HZ-01", name: "老店" });
    const manager = people[2];
    const reply = await importAs([
      lineOf(2, "ＸＬ－０１", {
        name: " 学林街店 ",
        longitude: "120.3468",
        latitude: "30.3143",
        openingHours: "08:00-22:00",
        contactPhone: "+86 138-1234-5678",
        manager: manager.username,
        remark: "一\u202e二",
      }),
      lineOf(3, "XL-01"),
      lineOf(4, "HZ-01"),
      lineOf(5, ""),
      lineOf(6, "学林"),
      lineOf(7, "A7", { name: "\u200b" }),
      lineOf(8, "A8", { longitude: "东经 120" }),
      lineOf(9, "A9", { longitude: "120.3" }),
      lineOf(10, "A10", { longitude: "30.3", latitude: "120.3" }),
      lineOf(11, "A11", { openingHours: "8 点到 22 点" }),
      lineOf(12, "A12", { contactPhone: "0571-88888888" }),
      lineOf(13, "A13", { manager: "没有此人" }),
      lineOf(14, "A14", { remark: "长".repeat(201) }),
    ]);
    expect(reply.imported).toBe(1);
    expect(reply.lines.map(({ line, result, message }) => [line, result, message])).toEqual([
      [2, "IMPORTED", "已导入"],
      [3, "DUPLICATE", "与第 2 行的门店编码重复"],
      [4, "EXISTS", "编码已用于门店“老店”"],
      [5, "INVALID", "门店编码为空"],
      [6, "INVALID", expect.stringContaining("门店编码的格式不正确")],
      [7, "INVALID", expect.stringContaining("门店名称")],
      [8, "INVALID", "经度应为数字"],
      [9, "INVALID", expect.stringContaining("还缺纬度")],
      [10, "INVALID", expect.stringContaining("经度不能小于 73")],
      [11, "INVALID", expect.stringContaining("营业时间的格式")],
      [12, "INVALID", expect.stringContaining("联系电话应为 11 位手机号")],
      [13, "INVALID", expect.stringContaining("没有叫“没有此人”的后台账号")],
      [14, "INVALID", "备注最多 200 个字"],
    ]);
    const { id = 0 } = (await list({ keyword: "XL-01" })).list[0] ?? {};
    expect((await get(id)).data).toMatchObject({
      name: "学林街店",
      code: "XL-01",
      longitude: 120.3468,
      latitude: 30.3143,
      contactPhone: "138****5678",
      managerId: manager.operatorId,
      remark: "一二",
    });
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: "导入 1 家门店",
      after: { imported: 1, refused: 12, names: ["门店 学林街店（XL-01）"] },
    });
  });

  it("ALL_OR_NONE: a bad line refuses all", async () => {
    const lines = [lineOf(2, "A2"), lineOf(3, "?")];
    expect(await importAs(lines, { mode: "ALL_OR_NONE" })).toMatchObject({
      imported: 0,
      lines: [{ result: "READY" }, { result: "INVALID" }],
    });
    expect(await codes()).toEqual([]);
  });

  it("repeated under its key returns the first answer; two at once save each code once", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const first = await importAs([lineOf(2, "A2")], { headers });
    expect(await importAs([lineOf(2, "A2")], { headers })).toEqual(first);
    const lines = [lineOf(2, "B2"), lineOf(3, "B3")];
    const both = await Promise.all([importAs(lines), importAs(lines)]);
    expect(both.map(({ imported }) => imported).sort()).toEqual([0, 2]);
    expect(await codes()).toEqual(["A2", "B2", "B3"]);
  });

  it("platform staff import for a named tenant; other accounts only for their own", async () => {
    const other = await testServer.makeTenant();
    expect(await importAs([lineOf(2, "A2")], { as: platform, tenantId })).toMatchObject({
      imported: 1,
    });
    expect(await codes()).toEqual(["A2"]);
    const reply = await testServer.call(storeContract.importLines, operator, {
      body: { mode: "VALID_ONLY", lines: [lineOf(2, "A3")], tenantId: other.id },
    });
    expect(reply.errMsg).toContain("租户不存在");
  });

  it("takes at most 200 lines", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => lineOf(index + 2, `N${index}`));
    expect(await importAs(lines)).toMatchObject({ imported: 200 });
    const reply = await testServer.call(storeContract.importLines, operator, {
      body: { mode: "VALID_ONLY", lines: [...lines, lineOf(300, "N300")] },
    });
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining("200") });
  });
});

describe("list of stores", () => {
  it("counts cabinets, online ones and faulty ones", async () => {
    const id = await made();
    const here = { tenantId, storeId: id };
    await makeCabinet(testServer, here);
    await makeCabinet(testServer, { ...here, connectivity: "OFFLINE" });
    await makeCabinet(testServer, { ...here, cells: [{ adminState: "FAULT" }, {}] });
    await makeCabinet(testServer, { tenantId });
    const page = await list();
    expect(page.total).toBe(1);
    expect(page.list[0]).toMatchObject({ id, cabinets: 3, online: 2, faulty: 1 });
    expect(page.list[0]?.contactPhone).toBe("138****5678");
    const [withFault, online] = await Promise.all(
      [{ hasFault: true }, { connectivity: "ONLINE" }].map((query) =>
        testServer.call(cabinetContract.list, operator, { query: { storeId: id, ...query } }),
      ),
    );
    expect([withFault?.data.total, online?.data.total]).toEqual([1, 2]);
  });

  it("filters by each field, and sorts", async () => {
    const managerId = people[0].operatorId;
    const first = await made({ code: "A1", name: "甲店", managerId });
    await made({ code: "B2", name: "乙店", region: "四川省 成都市 锦江区", address: "东大街" });
    await makeCabinet(testServer, { tenantId, storeId: first });
    expect(await codes()).toEqual(["A1", "B2"]);
    expect(await codes({ sort: "cabinets", order: "asc" })).toEqual(["B2", "A1"]);
    expect(await codes({ keyword: " 甲 " })).toEqual(["A1"]);
    expect(await codes({ keyword: "b2" })).toEqual(["B2"]);
    expect(await codes({ keyword: "东大" })).toEqual(["B2"]);
    expect(await codes({ keyword: "%" })).toEqual([]);
    expect(await codes({ region: "成都" })).toEqual(["B2"]);
    expect(await codes({ managerId })).toEqual(["A1"]);
    expect(await codes({ hasCabinets: true })).toEqual(["A1"]);
    expect(await codes({ hasCabinets: false })).toEqual(["B2"]);
    expect(await codes({ tenantId }, platform)).toEqual(["A1", "B2"]);
  });

  it("maintenance staff see their own stores and the managers of those", async () => {
    const id = await made({ code: "A1", managerId: people[0].operatorId });
    await made({ code: "B2", managerId: operator.operatorId });
    const caretaker = people[2];
    const managers = async (as: Person) =>
      (await testServer.call(storeContract.managers, as)).data.map((manager) => manager.id).sort();
    expect(await codes({}, caretaker)).toEqual([]);
    expect((await get(id, caretaker)).errMsg).toContain("门店不存在");
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`insert into operator_store values (${tenantId}, ${caretaker.operatorId}, ${id})`),
    );
    expect(await codes({}, caretaker)).toEqual(["A1"]);
    expect((await get(id, caretaker)).data.caretakers).toEqual([caretaker.username]);
    expect(await managers(caretaker)).toEqual([people[0].operatorId]);
    expect(await managers(operator)).toEqual(
      [people[0], operator, caretaker].map(({ operatorId }) => operatorId).sort(),
    );
    expect((await update(id, { editVersion: 1 }, caretaker)).status).toBe(403);
  });
});

describe("changing a store", () => {
  it("keeps the phone unless given, and refuses an outdated edit version", async () => {
    const id = await made();
    const { contactPhone: _, ...withoutPhone } = draft;
    const body = { ...withoutPhone, name: "学林街二店", editVersion: 1 };
    const call = (given: object) =>
      testServer.call(storeContract.update, operator, { params: { id }, body: given });
    expect((await call(body)).code).toBe(0);
    expect((await get(id)).data).toMatchObject({ name: "学林街二店", editVersion: 2 });
    const shown = await testServer.call(storeContract.showContact, operator, { params: { id } });
    expect(shown.data).toEqual({ contactPhone: "13812345678" });
    expect((await call({ ...body, name: "旧表单" })).errMsg).toBe(
      "门店“学林街二店”刚刚被修改过，请刷新后重试",
    );
    expect((await call({ ...body, contactPhone: "", editVersion: 2 })).code).toBe(0);
    expect((await get(id)).data).toMatchObject({ contactPhone: "", editVersion: 3 });
    const audit = await findAudit(testServer, tenantId);
    expect(audit.map(({ call: name }) => name.split("/").at(4))).toEqual([
      "save",
      "update",
      "contact",
      "update",
    ]);
    expect(audit[1]).toMatchObject({
      target: "门店 学林街店（XL-01）",
      before: { name: "学林街店", contactPhone: "138****5678" },
      after: { name: "学林街二店", contactPhone: "138****5678" },
    });
  });

  it("two concurrent saves of one version: one succeeds", async () => {
    const id = await made();
    const replies = await Promise.all([1, 2, 3].map(() => update(id, { editVersion: 1 })));
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  });

  it("refuses the code of another store, and accepts its own", async () => {
    await made({ code: "A1" });
    const id = await made({ code: "B2" });
    expect((await update(id, { code: "A1", editVersion: 1 })).errMsg).toContain("已被门店");
    expect((await update(id, { code: "B2", name: "新名", editVersion: 1 })).code).toBe(0);
  });
});

describe("deleting a store", () => {
  it("refused while it has cabinets; afterwards its caretakers are released", async () => {
    const id = await made();
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`insert into operator_store values (${tenantId}, ${people[2].operatorId}, ${id})`),
    );
    const cabinets = [];
    for (const name of ["一号柜", "二号柜", "三号柜", "四号柜"]) {
      cabinets.push(await makeCabinet(testServer, { tenantId, storeId: id, name }));
    }
    const refused = await remove(id);
    expect(refused.errMsg).toMatch(/^“学林街店”里还有 4 台设备（.*等），不能删除/);
    expect(refused.errMsg).toContain("移出门店");
    const cabinetIds = cabinets.map((cabinet) => cabinet.id);
    await testServer.call(cabinetContract.assignStore, operator, {
      body: { cabinetIds, storeId: null },
    });
    expect((await remove(id)).code).toBe(0);
    expect((await get(id)).errMsg).toContain("门店不存在");
    const left = await testServer.database.read({ tenantId }, (db) =>
      db.many(sql`select 1 from operator_store where store_id = ${id}`),
    );
    expect(left).toEqual([]);
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: "门店 学林街店（XL-01）",
      before: { caretakers: 1, contactPhone: "138****5678" },
    });
  });

  it("a concurrent assignment never leaves a cabinet in a deleted store", async () => {
    const cabinet = await makeCabinet(testServer, { tenantId });
    for (let round = 0; round < 8; round++) {
      const id = await made({ code: `R${round}` });
      const body = { cabinetIds: [cabinet.id], storeId: id };
      const [assigned, removed] = await Promise.all([
        testServer.call(cabinetContract.assignStore, operator, { body }),
        remove(id),
      ]);
      expect([assigned.status, removed.status]).toEqual([200, 200]);
      expect([assigned.code, removed.code].sort()).toEqual([0, 1]);
    }
  });
});

it("cabinet models: offered as filter options", async () => {
  await makeCabinet(testServer, { tenantId });
  await makeCabinet(testServer, { tenantId, side: "DOUBLE" });
  const { data } = await testServer.call(cabinetModelContract.options, operator);
  expect(data.map(({ side }) => side).sort()).toEqual(["DOUBLE", "SINGLE"]);
});
