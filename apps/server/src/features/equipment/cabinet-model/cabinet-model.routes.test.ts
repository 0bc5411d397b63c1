// Cabinet models: permissions, and the effect of a change on the cabinets of a model in use.
import {
  type CabinetModelDraft,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { LayoutCell } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { findAudit } from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { countWaiting, mayIdle } from "../../../../../../tests/support/waiting.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { createCompartments } from "../../link/device/index.ts";

const testServer = useTestServer();
let platform: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});

const cell = (no: number, more: Partial<LayoutCell> = {}): LayoutCell => ({
  no,
  size: "S",
  column: 1,
  row: no,
  rowSpan: 1,
  boardAddress: `01-${String(no).padStart(2, "0")}`,
  ...more,
});

let made = 0;
const draft = (more: Partial<CabinetModelDraft> = {}): CabinetModelDraft => ({
  name: `机型 ${++made}`,
  side: "SINGLE",
  vendor: "智存柜体",
  capabilities: ["OPEN", "ITEM_SENSOR"],
  heartbeatSeconds: 30,
  offlineSeconds: 90,
  remark: "",
  layout: { columns: 1, rows: 10, cells: [cell(1), cell(2), cell(3)] },
  ...more,
});
const layoutOf = (...cells: LayoutCell[]) => ({ columns: 1, rows: 10, cells });

async function makeModel(more: Partial<CabinetModelDraft> = {}): Promise<number> {
  const reply = await testServer.call(cabinetModelContract.create, platform, { body: draft(more) });
  expect(reply, reply.errMsg).toMatchObject({ code: 0 });
  return reply.data.id;
}

const get = async (id: number, as = platform) =>
  (await testServer.call(cabinetModelContract.get, as, { params: { id } })).data;

/** Saves the model unchanged except for `more`. */
async function change(id: number, more: object) {
  const { version, ...model } = await get(id);
  const { name, side, vendor, capabilities, heartbeatSeconds, offlineSeconds, remark, layout } =
    model;
  return testServer.call(cabinetModelContract.update, platform, {
    params: { id },
    body: {
      ...{ name, side, vendor, capabilities, heartbeatSeconds, offlineSeconds, remark, layout },
      version,
      ...more,
    },
  });
}

let sold = 0;
/** Makes a connected cabinet of this model with the compartments of its layout. */
async function sell(tenantId: number, modelId: number, name = "测试柜") {
  const sn = `MODEL${String(++sold).padStart(6, "0")}`;
  const cabinetId = await testServer.database.transaction("platform", async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into cabinet (tenant_id, sn, name, model_id, lifecycle, is_greeted, last_seen_at,
        offline_at, announced_connectivity)
      values (${tenantId}, ${sn}, ${name}, ${modelId}, 'ACTIVE', true, now(),
        now() + interval '1 hour', 'ONLINE')
      returning id`);
    await createCompartments(db, { tenantId, cabinetId: id });
    return id;
  });
  return { tenantId, cabinetId, sn, name };
}
type Sold = Awaited<ReturnType<typeof sell>>;

const set =
  ({ tenantId, cabinetId }: Sold, no: number, columns: string) =>
  (db: Db) =>
    db.run(
      sql([
        `update compartment set ${columns}
       where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}`,
      ]),
    );
const put = (cabinet: Sold, no: number, columns: string) =>
  testServer.database.transaction("platform", set(cabinet, no, columns));

interface Row {
  no: number;
  size: string;
  row: number;
  span: number;
  board: string;
  back: string | null;
}
const rowsOf = ({ cabinetId }: Sold) =>
  testServer.database.read("platform", (db) =>
    db.many<Row>(sql`
      select no, size, layout_row as "row", row_span as span, board_address as board,
        door_back as back
      from compartment where cabinet_id = ${cabinetId} order by no`),
  );
const nosOf = async (cabinet: Sold) => (await rowsOf(cabinet)).map(({ no }) => no);
const reason = "厂家改了柜体";

describe("cabinet models", () => {
  it("are read by operators and changed by platform staff only", async () => {
    const { people } = await testServer.makeTenant();
    const id = await makeModel({ name: "共用柜型" });
    expect((await get(id, people[1])).layout.cells).toHaveLength(3);
    const listed = await testServer.call(cabinetModelContract.list, people[1], {
      query: { name: "共用柜" },
    });
    expect(listed.data).toMatchObject({ total: 1, list: [{ id, sizes: { S: 3, XL: 0 } }] });
    for (const as of [people[0], people[1]]) {
      const refused = await testServer.call(cabinetModelContract.create, as, { body: draft() });
      expect(refused.status).toBe(403);
    }
    // Maintenance staff have no permission for models.
    expect((await testServer.call(cabinetModelContract.list, people[2], {})).status).toBe(403);
  });

  it("are filtered by name, side and vendor, and sorted", async () => {
    await makeModel({ name: "筛选甲", vendor: "甲厂 100%" });
    await makeModel({ name: "筛选乙", vendor: "乙厂", side: "DOUBLE" });
    const names = async (query: object) =>
      (await testServer.call(cabinetModelContract.list, platform, { query })).data.list.map(
        ({ name }) => name,
      );
    expect(await names({ name: "筛选", sort: "name", order: "desc" })).toHaveLength(2);
    expect(await names({ name: "筛选", side: "DOUBLE" })).toEqual(["筛选乙"]);
    expect(await names({ vendor: "100%" })).toEqual(["筛选甲"]);
    expect(await names({ vendor: "%厂" })).toEqual([]);
  });

  it("count only cabinets that the account may see", async () => {
    const [mine, other] = [await testServer.makeTenant(), await testServer.makeTenant()];
    const id = await makeModel();
    await sell(mine.id, id);
    await sell(other.id, id);
    await sell(other.id, id);
    expect((await get(id)).cabinetCount).toBe(3);
    expect((await get(id, mine.people[1])).cabinetCount).toBe(1);
  });

  it("are refused with a text when invalid", async () => {
    const say = async (more: object) =>
      (
        await testServer.call(cabinetModelContract.create, platform, {
          body: { ...draft(), ...more },
        })
      ).errMsg;
    expect(await say({ layout: layoutOf() })).toContain("布局暂无格口");
    expect(await say({ layout: layoutOf(cell(1), cell(1, { row: 2, boardAddress: "x" })) })).toBe(
      "1 号格口：格口号重复，请改用其他号码",
    );
    expect(await say({ layout: layoutOf(cell(1), cell(2, { row: 1 })) })).toContain("重叠");
    expect(await say({ layout: layoutOf(cell(1, { row: 10, rowSpan: 2 })) })).toContain("超出柜体");
    expect(await say({ heartbeatSeconds: 60, offlineSeconds: 90 })).toContain("2 倍（120 秒）");
    expect(await say({ heartbeatSeconds: 5 })).toBe("“心跳间隔”不能小于 10");
    expect(await say({ name: " " })).toContain("名称");
    const cells = Array.from({ length: 201 }, (_, n) => cell(n + 1, { row: 1 }));
    expect(await say({ layout: layoutOf(...cells) })).toBe("“格口”最多 200 项");
    await makeModel({ name: "占用的名称" });
    expect(await say({ name: "占用的名称" })).toContain("已经存在");
  });

  it("refuse the second of two concurrent edits", async () => {
    const id = await makeModel();
    const { version } = await get(id);
    expect((await change(id, { remark: "先到" })).code).toBe(0);
    const late = await change(id, { remark: "后到", version });
    expect(late.errMsg).toContain("刚刚被修改过");
    expect((await get(id)).remark).toBe("先到");
  });

  it("are deleted only when no cabinet uses them", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const id = await makeModel({ name: "在用" });
    await sell(tenantId, id);
    const remove = (modelId: number) =>
      testServer.call(cabinetModelContract.delete, platform, { params: { id: modelId } });
    expect((await remove(id)).errMsg).toBe("“在用”正被 1 台设备使用，不能删除");
    const unused = await makeModel();
    expect((await remove(unused)).code).toBe(0);
    expect((await remove(unused)).errMsg).toContain("设备型号不存在");
  });
});

describe("model in use", () => {
  it("adds, moves and removes compartments of its cabinets, and keeps their history", async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const id = await makeModel({ side: "DOUBLE" });
    const cabinets = [await sell(tenantId, id), await sell(tenantId, id)];
    const [first] = cabinets as [Sold, Sold];
    await put(first, 1, "occupancy = 'OCCUPIED', item = 'PRESENT', occupied_since = now()");
    await put(first, 3, "door_front = 'CLOSED', door_back = 'CLOSED'");
    const command = await testServer.call(commandContract.open, people[1], {
      params: { id: first.cabinetId },
      body: { no: 3, reason },
    });
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update command set state = 'CONFIRMED' where id = ${command.data.id}`),
    );
    const layout = layoutOf(
      cell(1, { row: 2, rowSpan: 3, size: "L", boardAddress: "02-01" }),
      cell(2, { row: 1 }),
      cell(7, { row: 5, size: "XL" }),
    );
    const saved = await change(id, { layout, reason });
    expect(saved, saved.errMsg).toMatchObject({ code: 0, data: { changedCabinets: 2 } });
    for (const cabinet of cabinets) {
      expect(await rowsOf(cabinet)).toEqual([
        { no: 1, size: "L", row: 2, span: 3, board: "02-01", back: "UNKNOWN" },
        { no: 2, size: "S", row: 1, span: 1, board: "01-02", back: "UNKNOWN" },
        { no: 7, size: "XL", row: 5, span: 1, board: "01-07", back: "UNKNOWN" },
      ]);
    }
    const listed = await testServer.call(compartmentContract.list, people[1], {
      params: { id: first.cabinetId },
    });
    expect(listed.data[0]).toMatchObject({ no: 1, occupancy: "OCCUPIED", item: "PRESENT" });
    const log = await testServer.call(commandContract.list, people[1], {
      query: { cabinetId: first.cabinetId },
    });
    expect(log.data.list).toMatchObject([{ no: 3, state: "CONFIRMED" }]);
    const [entry] = (await findAudit(testServer, 1)).slice(-1);
    expect(entry).toMatchObject({ reason, after: { changedCabinets: 2 } });
  });

  it.each([
    ["goods in the books", "occupancy = 'OCCUPIED'", "占用"],
    ["a reservation", "occupancy = 'RESERVED'", "已预约"],
    ["goods that only the sensor sees", "item = 'PRESENT'", "检测到物品"],
  ])("keeps a compartment with %s, and names it", async (_, columns, why) => {
    const { id: tenantId } = await testServer.makeTenant();
    const id = await makeModel();
    const [full, empty] = [await sell(tenantId, id, "满柜"), await sell(tenantId, id, "空柜")];
    await put(full, 3, columns);
    const refused = await change(id, { layout: layoutOf(cell(1), cell(2)), reason });
    expect(refused.errMsg).toContain(`满柜（${full.sn}）3 号${why}`);
    expect(refused.errMsg).not.toContain(empty.sn);
    expect(await nosOf(full)).toEqual([1, 2, 3]);
    expect(await nosOf(empty)).toEqual([1, 2, 3]);
    expect((await get(id)).layout.cells).toHaveLength(3);
  });

  it("keeps a compartment whose door is being opened", async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const id = await makeModel();
    const cabinet = await sell(tenantId, id);
    await testServer.call(commandContract.open, people[1], {
      params: { id: cabinet.cabinetId },
      body: { no: 2, reason },
    });
    const refused = await change(id, { layout: layoutOf(cell(1)), reason });
    expect(refused.errMsg).toContain("2 号正在开门");
  });

  it("requires a reason for a new layout, and none for a new remark", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const id = await makeModel();
    await sell(tenantId, id);
    expect((await change(id, { layout: layoutOf(cell(1)) })).errMsg).toContain("请填写原因");
    expect((await change(id, { remark: "无需原因" })).code).toBe(0);
  });

  it("cannot change its side", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const id = await makeModel();
    expect((await change(id, { side: "DOUBLE" })).code).toBe(0);
    await sell(tenantId, id);
    expect((await change(id, { side: "SINGLE" })).errMsg).toContain("不能更改单双面");
  });

  it("sends a new heartbeat to the cabinets without a setting of their own", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const id = await makeModel();
    const [plain, own] = [await sell(tenantId, id), await sell(tenantId, id)];
    const versions = () =>
      testServer.database.read("platform", (db) =>
        db.many<{ version: number }>(sql`
          select desired_config_version as version from cabinet where model_id = ${id} order by id`),
      );
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update cabinet set desired_config = '{"heartbeatSeconds": 20}' where id = ${own.cabinetId}`),
    );
    const messages: unknown[] = [];
    const stop = testServer.listener.on("config", (notice) => messages.push(notice));
    await change(id, { heartbeatSeconds: 20, offlineSeconds: 60 });
    expect(await versions()).toEqual([{ version: 2 }, { version: 1 }]);
    await expect.poll(() => messages).toEqual([{ tenantId, cabinetId: plain.cabinetId }]);
    stop();
  });
});

describe("concurrent changes", () => {
  /** Runs `first` until it holds its lock, starts `second`, and releases the lock once it waits. */
  async function race<Result>(
    first: (db: Db) => Promise<unknown>,
    second: () => Promise<Result>,
  ): Promise<Result> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const holder = testServer.database.transaction("platform", async (db) => {
      await mayIdle(db);
      await first(db);
      hold();
      await released;
    });
    await held;
    const result = second();
    await untilSomebodyWaits();
    release();
    await holder;
    return result;
  }

  const untilSomebodyWaits = () =>
    expect.poll(() => countWaiting(testServer.database)).toBeGreaterThan(0);

  it("goods stored while the layout is saved: the save is refused", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const id = await makeModel();
    const cabinet = await sell(tenantId, id);
    const refused = await race(set(cabinet, 3, "occupancy = 'OCCUPIED'"), () =>
      change(id, { layout: layoutOf(cell(1), cell(2)), reason }),
    );
    expect(refused.errMsg).toContain("3 号占用");
    expect(await nosOf(cabinet)).toEqual([1, 2, 3]);
  });

  it("a compartment just removed can be neither used nor opened", async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const id = await makeModel();
    const cabinet = await sell(tenantId, id);
    const params = { id: cabinet.cabinetId };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    // Locks only the last compartment, so that the change waits with the others already locked.
    const holder = testServer.database.transaction("platform", async (db) => {
      await set(cabinet, 3, "admin_reason = null")(db);
      hold();
      await released;
    });
    await held;
    const saved = change(id, { layout: layoutOf(cell(1)), reason });
    await untilSomebodyWaits();
    const audited = testServer.call(compartmentContract.saveStockAudit, people[1], {
      params,
      body: { findings: [{ no: 2, found: "PRESENT", correct: true }] },
    });
    const opened = testServer.call(commandContract.open, people[1], {
      params,
      body: { no: 2, reason },
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    release();
    await holder;
    expect((await saved).code).toBe(0);
    expect((await audited).errMsg).toContain("格口不存在");
    expect((await opened).errMsg).toContain("2 号格口不存在");
    expect(await nosOf(cabinet)).toEqual([1]);
  });

  it("a cabinet created during the save gets the new layout", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const id = await makeModel();
    const sn = "MODELRACE001";
    const saved = await race(
      async (db) => {
        const cabinet = await db.one<{ id: number }>(sql`
          insert into cabinet (tenant_id, sn, name, model_id)
          values (${tenantId}, ${sn}, '新柜', ${id}) returning id`);
        await createCompartments(db, { tenantId, cabinetId: cabinet.id });
      },
      () => change(id, { layout: layoutOf(cell(1), cell(9)), reason }),
    );
    expect(saved, saved.errMsg).toMatchObject({ code: 0, data: { changedCabinets: 1 } });
    const { id: cabinetId } = await testServer.database.read("platform", (db) =>
      db.one<{ id: number }>(sql`select id from cabinet where sn = ${sn}`),
    );
    expect(await nosOf({ tenantId, cabinetId, sn, name: "新柜" })).toEqual([1, 9]);
  });
});
