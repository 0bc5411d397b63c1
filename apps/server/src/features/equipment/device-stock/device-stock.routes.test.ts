// Tests the stock of new devices on a real database: import, assignment to a tenant, recall.
import { randomUUID } from "node:crypto";
import {
  deviceStockContract,
  type ImportReply,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { findAudit, makeCabinet } from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let staff: Person;
let tenant: { id: number; people: Record<0 | 1 | 2, Person> };
let modelId: number;
const model = "导入柜 3 格";
const reason = "激活码遗失";
const codePattern = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/;

beforeAll(async () => {
  staff = (await testServer.makeTenant(1)).people[0];
  tenant = await testServer.makeTenant();
  const layout = [1, 2, 3].map((no) => {
    return { no, size: "S", column: 1, row: no, rowSpan: 1, boardAddress: `01-0${no}` };
  });
  ({ id: modelId } = await testServer.database.transaction("platform", (db) =>
    db.one<{ id: number }>(sql`
      insert into cabinet_model (name, side, layout)
      values (${model}, 'DOUBLE', ${JSON.stringify(layout)}) returning id`),
  ));
});

const newSn = () => `IMP${randomUUID().replaceAll("-", "").slice(0, 12).toUpperCase()}`;
const lineOf = (line: number, sn: string, more: object = {}) => {
  return { line, sn, model, batch: "", remark: "", ...more };
};

async function importLines(
  lines: object[],
  mode: "ALL_OR_NONE" | "VALID_ONLY",
  importId: string = randomUUID(),
) {
  const reply = await testServer.call(deviceStockContract.importLines, staff, {
    body: { importId, mode, lines },
  });
  expect(reply, reply.errMsg).toMatchObject({ code: 0 });
  return reply.data;
}

async function find(sn: string) {
  const query = { keyword: sn };
  const { data } = await testServer.call(deviceStockContract.list, staff, { query });
  return data.list.find((device) => device.sn === sn);
}

async function add(): Promise<{ id: number; sn: string }> {
  const sn = newSn();
  const body = { sn, modelId, batch: "B1" };
  expect(await testServer.call(deviceStockContract.add, staff, { body })).toMatchObject({
    code: 0,
  });
  return { id: (await find(sn))?.id ?? 0, sn };
}

const assign = (stockIds: number[], tenantId = tenant.id) =>
  testServer.call(deviceStockContract.assign, staff, { body: { stockIds, tenantId } });
const recall = (stockIds: number[]) =>
  testServer.call(deviceStockContract.recall, staff, { body: { stockIds, reason: "分配错误" } });

describe("an import", () => {
  it("validates every line by itself and imports the valid ones", async () => {
    const known = await add();
    const cabinet = await makeCabinet(testServer, { tenantId: tenant.id });
    const good = newSn();
    const lower = newSn();
    const wide = newSn();
    const reply = await importLines(
      [
        lineOf(2, good, { batch: "2026-11", remark: "首批" }),
        lineOf(3, ` ${lower.toLowerCase()} `),
        lineOf(
          4,
          wide.replace(/./g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
        ),
        lineOf(5, good.toLowerCase()),
        lineOf(6, known.sn),
        lineOf(7, cabinet.sn),
        lineOf(8, "SHORT"),
        lineOf(9, newSn(), { model: "没有的型号" }),
        lineOf(11, "1.20261234E+15"),
        lineOf(12, "AB_12345678"),
        lineOf(13, "=1+1"),
        lineOf(14, ""),
        lineOf(15, newSn(), { model: "" }),
        lineOf(16, newSn(), { batch: "x".repeat(41) }),
      ],
      "VALID_ONLY",
    );
    expect(reply.imported).toBe(3);
    expect(reply.lines.map(({ line, result }) => [line, result])).toEqual([
      [2, "IMPORTED"],
      [3, "IMPORTED"],
      [4, "IMPORTED"],
      [5, "DUPLICATE"],
      [6, "EXISTS"],
      [7, "EXISTS"],
      ...[8, 9, 11, 12, 13, 14, 15, 16].map((line) => [line, "INVALID"]),
    ]);
    const judged = new Map(reply.lines.map((line) => [line.line, line]));
    expect(judged.get(3)?.sn).toBe(lower);
    expect(judged.get(4)?.sn).toBe(wide);
    expect(judged.get(5)?.message).toContain("第 2 行");
    expect(judged.get(9)?.message).toContain("没有的型号");
    expect(judged.get(11)?.message).toContain("科学计数法");
    for (const line of reply.lines) {
      if (line.result === "IMPORTED") expect(line.activationCode).toMatch(codePattern);
      else expect(line.activationCode).toBeUndefined();
    }
    expect(await find(good)).toMatchObject({
      id: judged.get(2)?.stockId,
      state: "IN_STOCK",
      codeState: "VALID",
      batch: "2026-11",
      remark: "首批",
      modelName: model,
      importedBy: staff.username,
      tenantId: null,
    });
  });

  it("imports nothing when one line is invalid in ALL_OR_NONE mode", async () => {
    const good = newSn();
    const reply = await importLines([lineOf(2, good), lineOf(3, "?")], "ALL_OR_NONE");
    expect(reply).toMatchObject({
      imported: 0,
      lines: [{ result: "READY" }, { result: "INVALID" }],
    });
    expect(reply.lines.some(({ activationCode }) => activationCode)).toBe(false);
    expect(await find(good)).toBeUndefined();
  });

  it("repeated after a lost answer issues new codes, and only for its own devices", async () => {
    const importId = randomUUID();
    const sns = [newSn(), newSn()];
    const lines = sns.map((sn, index) => lineOf(index + 2, sn));
    const first = await importLines(lines, "ALL_OR_NONE", importId);
    const again = await importLines(lines, "ALL_OR_NONE", importId);
    expect([first.codesReplaced, again.codesReplaced]).toEqual([0, 2]);
    expect(again).toMatchObject({
      imported: 2,
      lines: sns.map(() => ({ message: "已导入过，之前的激活码已作废" })),
    });
    const idsOf = ({ lines: all }: ImportReply) => all.map(({ stockId }) => stockId);
    expect(idsOf(again)).toEqual(idsOf(first));
    const codes = [...first.lines, ...again.lines].map(({ activationCode }) => activationCode);
    expect(new Set(codes).size).toBe(4);
    const stranger = await importLines(lines, "VALID_ONLY");
    expect(stranger).toMatchObject({ imported: 0, lines: [{ result: "EXISTS" }, {}] });
  });

  it("registers each serial number once when two imports run at once", async () => {
    const lines = [newSn(), newSn(), newSn()].map((sn, index) => lineOf(index + 2, sn));
    const replies = await Promise.all([
      importLines(lines, "VALID_ONLY"),
      importLines(lines, "VALID_ONLY"),
    ]);
    expect(replies[0].imported + replies[1].imported).toBe(3);
  });

  it("takes at most 500 lines and keeps codes out of database and log", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => lineOf(index + 2, newSn()));
    const reply = await importLines(lines, "ALL_OR_NONE");
    expect(reply.imported).toBe(500);
    const tooMany = await testServer.call(deviceStockContract.importLines, staff, {
      body: { importId: randomUUID(), mode: "VALID_ONLY", lines: [...lines, lineOf(502, newSn())] },
    });
    expect(tooMany).toMatchObject({ code: 1, errMsg: expect.stringContaining("500") });
    const code = reply.lines[0]?.activationCode ?? "";
    const [found] = await testServer.database.read("platform", (db) =>
      db.many<{ stock: string; audit: string }>(sql`
        select (select string_agg(stock::text, '') from device_stock stock) as stock,
          (select string_agg(audit::text, '') from audit_log audit) as audit`),
    );
    for (const text of [code, code.replaceAll("-", "")]) {
      expect(found?.stock.includes(text)).toBe(false);
      expect(found?.audit.includes(text)).toBe(false);
    }
  });
});

describe("a device", () => {
  it("is registered once", async () => {
    const { sn } = await add();
    const body = { sn, modelId };
    const again = await testServer.call(deviceStockContract.add, staff, { body });
    expect(again).toMatchObject({ code: 1, errMsg: expect.stringContaining("已登记过") });
  });

  it("becomes a cabinet of its tenant with its compartments, not in service yet", async () => {
    const { id, sn } = await add();
    expect(await assign([id])).toMatchObject({ code: 0, data: { changed: 1 } });
    const seen = await testServer.call(cabinetContract.list, tenant.people[1], {
      query: { keyword: sn },
    });
    expect(seen.data.list).toMatchObject([
      {
        sn,
        name: `${model} ${sn.slice(-4)}`,
        lifecycle: "INACTIVE",
        connectivity: "NEVER",
        compartments: { total: 3 },
      },
    ]);
    expect(await find(sn)).toMatchObject({ state: "ASSIGNED", tenantId: tenant.id });
    expect(await assign([id])).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("已分配"),
    });
  });

  it("is assigned together with all others of the request or not at all", async () => {
    const [one, other] = [await add(), await add()];
    await assign([other.id]);
    expect(await assign([one.id, other.id])).toMatchObject({ code: 1 });
    expect(await find(one.sn)).toMatchObject({ state: "IN_STOCK" });
    expect(await assign([one.id], 999_999)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("租户不存在"),
    });
  });

  it("is recalled without leaving a cabinet, and its code is void", async () => {
    const { id, sn } = await add();
    await assign([id]);
    expect(await recall([id])).toMatchObject({ code: 0, data: { changed: 1 } });
    expect(await find(sn)).toMatchObject({ state: "IN_STOCK", codeState: "NONE", tenantId: null });
    const query = { keyword: sn };
    const seen = await testServer.call(cabinetContract.list, tenant.people[1], { query });
    expect(seen.data.total).toBe(0);
    expect(await assign([id])).toMatchObject({ code: 0 });
  });

  it.each([
    ["goods", sql`update compartment set occupancy = 'OCCUPIED' where cabinet_id = `, "物品"],
    [
      "a past",
      sql`insert into cabinet_event (tenant_id, cabinet_id, kind)
        select tenant_id, id, 'BOOTED' from cabinet where id = `,
      "使用记录",
    ],
    ["a lifecycle", sql`update cabinet set lifecycle = 'PAUSED' where id = `, "使用记录"],
  ])("with %s is not recalled", async (_what, change, why) => {
    const { id, sn } = await add();
    await assign([id]);
    const { cabinetId = 0 } = (await find(sn)) ?? {};
    await testServer.database.transaction("platform", (db) => db.run(sql`${change}${cabinetId}`));
    expect(await recall([id])).toMatchObject({ code: 1, errMsg: expect.stringContaining(why) });
    expect(await find(sn)).toMatchObject({ state: "ASSIGNED", cabinetId });
  });

  it("gets a new code for a reason; the audit log does not contain the code", async () => {
    const { id, sn } = await add();
    const body = { stockIds: [id], reason };
    const renewed = await testServer.call(deviceStockContract.renewCodes, staff, { body });
    expect(renewed.data).toMatchObject([
      { sn, activationCode: expect.stringMatching(codePattern) },
    ]);
    const entry = (await findAudit(testServer, 1)).at(-1);
    expect(entry).toMatchObject({ target: `新设备 ${sn}`, reason });
    expect(JSON.stringify(entry)).not.toContain(renewed.data[0]?.activationCode);
    const history = await testServer.call(deviceStockContract.history, staff, { params: { id } });
    expect(history.data.map(({ kind }) => kind)).toEqual(["CODE_RENEWED", "IMPORTED"]);
    expect(history.data[0]).toMatchObject({ detail: reason, actorName: staff.username });
  });

  it("is scrapped or deleted only while in stock", async () => {
    const [one, other, assigned] = [await add(), await add(), await add()];
    await assign([assigned.id]);
    const scrap = (id: number) =>
      testServer.call(deviceStockContract.scrap, staff, { body: { stockIds: [id], reason } });
    const remove = (id: number) =>
      testServer.call(deviceStockContract.remove, staff, { params: { id }, query: { reason } });
    expect(await scrap(one.id)).toMatchObject({ code: 0 });
    expect(await find(one.sn)).toMatchObject({ state: "SCRAPPED", codeState: "NONE" });
    expect(await assign([one.id])).toMatchObject({ code: 1 });
    expect(await remove(other.id)).toMatchObject({ code: 0 });
    expect(await find(other.sn)).toBeUndefined();
    for (const action of [scrap, remove])
      expect(await action(assigned.id)).toMatchObject({ code: 1 });
  });

  it("keeps its model once it has compartments of that model", async () => {
    const { id, sn } = await add();
    const other = await testServer.database.transaction("platform", (db) =>
      db.one<{ id: number }>(sql`
        insert into cabinet_model (name, side, layout) values (${randomUUID()}, 'SINGLE', '[]')
        returning id`),
    );
    const change = (modelId: number, batch: string) =>
      testServer.call(deviceStockContract.change, staff, {
        params: { id },
        body: { modelId, batch },
      });
    expect(await change(other.id, "B2")).toMatchObject({ code: 0 });
    expect(await change(modelId, "B2")).toMatchObject({ code: 0 });
    await assign([id]);
    expect(await change(other.id, "B3")).toMatchObject({ code: 1 });
    expect(await change(modelId, "B3")).toMatchObject({ code: 0 });
    expect(await find(sn)).toMatchObject({ batch: "B3", modelId });
  });

  it("is found by number, batch, state, model and tenant", async () => {
    const { id, sn } = await add();
    const list = async (query: object) =>
      (await testServer.call(deviceStockContract.list, staff, { query })).data.list.map(
        (row) => row.sn,
      );
    expect(await list({ keyword: sn.slice(3), batch: "B1", state: "IN_STOCK", modelId })).toEqual([
      sn,
    ]);
    expect(await list({ keyword: sn, tenantId: tenant.id })).toEqual([]);
    await assign([id]);
    expect(await list({ keyword: sn, tenantId: tenant.id })).toEqual([sn]);
    expect(await list({ keyword: "%" })).toEqual([]);
  });
});

it("device stock: only platform staff may see it", async () => {
  for (const person of Object.values(tenant.people)) {
    expect(await testServer.call(deviceStockContract.list, person, {})).toMatchObject({
      status: 403,
    });
  }
  const scope = { tenantId: tenant.id };
  const look = testServer.database.read(scope, (db) => db.many(sql`select * from device_stock`));
  await expect(look).rejects.toMatchObject({ code: "42501" });
});
