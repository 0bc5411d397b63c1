// Compartments over HTTP on a real PostgreSQL: states, history, malfunctions, 盘点 (stock audit).

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  contradictsFinding,
  isContradictory,
  occupancyAsFound,
  STOCK_FINDINGS,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  ADMIN_STATES,
  ITEM_STATES,
  OCCUPANCIES,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type CellFixture,
  findAudit,
  makeCabinet,
  makeStore,
} from "../../../../../../tests/support/cabinets.ts";
import { insertStoredOrder } from "../../../../../../tests/support/orders.ts";
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

const listOf = async (id: number, as = operator) =>
  (await testServer.call(compartmentContract.list, as, { params: { id } })).data;
const eventsOf = async (id: number, no: number) =>
  (await testServer.call(compartmentContract.events, operator, { params: { id, no } })).data;
type Change = "enable" | "disable" | "markFault" | "clear";
const change = (action: Change, id: number, no: number, reason = "锁舌卡住", as = operator) =>
  testServer.call(compartmentContract[action], as, { params: { id, no }, body: { reason } });
const openMalfunctions = () =>
  testServer.database.read({ tenantId }, (db) =>
    db.many<{ no: number; kind: string; repeatCount: number; description: string }>(sql`
      select compartment_no as no, kind, repeat_count, description
      from malfunction where state = 'CREATED' order by compartment_no`),
  );

describe("compartments of a cabinet", () => {
  it("are listed by number, each with the reason why it is unavailable", async () => {
    const { id } = await makeCabinet(testServer, {
      tenantId,
      side: "DOUBLE",
      cells: [
        {},
        { adminState: "DISABLED" },
        { occupancy: "FREE", item: "PRESENT" },
        { occupancy: "OCCUPIED", item: "PRESENT" },
        { doorFront: "OPEN" },
        { doorFront: "UNKNOWN", item: "UNKNOWN" },
      ],
    });
    const list = await listOf(id);
    expect(list.map(({ no, unavailableReason }) => [no, unavailableReason])).toEqual([
      [1, null],
      [2, "DISABLED"],
      [3, "CONTRADICTORY"],
      [4, "OCCUPIED"],
      [5, "DOOR_OPEN"],
      [6, null],
    ]);
    expect(list[3]).toMatchObject({ occupiedSince: expect.any(String), doorBack: "CLOSED" });
  });

  it("offline cabinet: reports OFFLINE for compartments that would be available", async () => {
    const cells: CellFixture[] = [{}, { occupancy: "OCCUPIED", item: "PRESENT" }];
    const { id } = await makeCabinet(testServer, { tenantId, cells, connectivity: "OFFLINE" });
    const reasons = (await listOf(id)).map(({ unavailableReason }) => unavailableReason);
    expect(reasons).toEqual(["OFFLINE", "OCCUPIED"]);
  });

  it("have a history of readable texts, newest first", async () => {
    const { id } = await makeCabinet(testServer, { tenantId });
    await testServer.database.transaction({ tenantId }, async (db) => {
      const { command } = await db.one<{ command: string }>(sql`
        insert into command (tenant_id, cabinet_id, kind, compartment_no, side, state, reason,
          actor_name, expires_at)
        values (${tenantId}, ${id}, 'OPEN', 2, 'FRONT', 'CONFIRMED', '用户忘记取件码', '李伟', now())
        returning id as command`);
      await db.run(sql`
        insert into cabinet_event (tenant_id, cabinet_id, kind, compartment_no, side, command_id,
          boot_no, n, received_at)
        values
          (${tenantId}, ${id}, 'DOOR_OPENED', 2, 'FRONT', ${command}, 1, 1, now() - interval '9 s'),
          (${tenantId}, ${id}, 'DOOR_CLOSED', 2, 'FRONT', null, 1, 2, now() - interval '3 s'),
          (${tenantId}, ${id}, 'DOOR_OPENED', 1, 'FRONT', null, 1, 3, now())`);
    });
    await change("disable", id, 2, "门板广告更换");
    const events = await eventsOf(id, 2);
    expect(events.map(({ text }) => text)).toEqual([
      `停用格口（${operator.username}：门板广告更换）`,
      "箱门关闭",
      "箱门打开（李伟远程开门：用户忘记取件码）",
    ]);
    expect(events[2]).toMatchObject({ no: 2, side: "FRONT", kind: "DOOR_OPENED" });
  });
});

describe("enabling, disabling, marking as faulty", () => {
  it("allows only the transitions of the lifecycle", async () => {
    const { id } = await makeCabinet(testServer, { tenantId, cells: [{}] });
    const steps = [
      ["enable", "当前状态为“启用”，不能启用"],
      ["disable", null],
      ["disable", "当前状态为“停用”，不能停用"],
      ["markFault", null],
      ["disable", "当前状态为“故障”，不能停用"],
      ["markFault", null],
      ["enable", null],
    ] as const;
    for (const [action, why] of steps) {
      const { code, errMsg } = await change(action, id, 1);
      expect(code, `${action}: ${errMsg}`).toBe(why ? 1 : 0);
      if (why) expect(errMsg).toContain(`1 号格口${why}`);
    }
    expect((await listOf(id))[0]).toMatchObject({ adminState: "ENABLED", adminReason: null });
    expect((await findAudit(testServer, tenantId)).map(({ after }) => after)).toEqual([
      { adminState: "DISABLED" },
      { adminState: "FAULT" },
      { adminState: "FAULT" },
      { adminState: "ENABLED" },
    ]);
  });

  it("opens one malfunction, counts a repeat, and resolves it when the compartment is enabled", async () => {
    const { id, sn } = await makeCabinet(testServer, { tenantId });
    await change("markFault", id, 2, "锁舌卡住");
    await change("markFault", id, 2, "锁舌仍卡住");
    expect(await openMalfunctions()).toEqual([
      { no: 2, kind: "OTHER", repeatCount: 2, description: "锁舌仍卡住" },
    ]);
    expect((await listOf(id))[1]).toMatchObject({ adminReason: "锁舌仍卡住" });
    await change("enable", id, 2, "已更换电磁锁");
    expect(await openMalfunctions()).toEqual([]);
    await change("markFault", id, 2, "又卡住");
    expect(await openMalfunctions()).toMatchObject([{ repeatCount: 1 }]);
    const [first] = await findAudit(testServer, tenantId);
    expect(first).toMatchObject({ target: `设备 ${sn} · 2 号格口`, reason: "锁舌卡住" });
  });

  it("concurrent fault marks open one malfunction", async () => {
    const { id } = await makeCabinet(testServer, { tenantId });
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => change("markFault", id, 1, "门板变形")),
    );
    expect(replies.every(({ code }) => code === 0)).toBe(true);
    expect(await openMalfunctions()).toMatchObject([{ no: 1, repeatCount: 6 }]);
  });

  it("publishes a cabinet event to the consoles", async () => {
    const heard: unknown[] = [];
    const stop = testServer.listener.on("live", (payload) => heard.push(payload));
    const { id } = await makeCabinet(testServer, { tenantId });
    await change("disable", id, 1);
    const event = { tenantId, topic: "cabinet", cabinetId: id, storeId: null };
    await expect.poll(() => heard).toEqual([event]);
    stop();
  });

  it("answers a foreign compartment, a foreign cabinet and a missing one alike", async () => {
    const other = await testServer.makeTenant();
    const mine = await makeCabinet(testServer, { tenantId });
    const theirs = await makeCabinet(testServer, { tenantId: other.id });
    const expected = {
      status: 200,
      code: 1,
      data: null,
      errMsg: "格口不存在，或不在您的管理范围内",
    };
    for (const action of ["enable", "disable", "markFault", "clear"] as const) {
      for (const [id, no] of [
        [theirs.id, 1],
        [999_999, 1],
        [mine.id, 99],
      ] as const) {
        expect(await change(action, id, no)).toMatchObject(expected);
      }
    }
    expect((await listOf(theirs.id, other.people[1]))[0]?.adminState).toBe("ENABLED");
  });

  it("is allowed to maintenance staff in their stores only", async () => {
    const storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
    const theirs = await makeCabinet(testServer, { tenantId, storeId });
    const elsewhere = await makeCabinet(testServer, { tenantId });
    expect((await change("disable", theirs.id, 1, "清洁中", people[2])).code).toBe(0);
    expect((await change("disable", elsewhere.id, 1, "清洁中", people[2])).code).toBe(1);
    // Maintenance staff lack the permission for 清柜 by default.
    expect((await change("clear", theirs.id, 1, "清洁中", people[2])).status).toBe(403);
  });
});

/** Makes a cabinet whose compartment 3 has been held by an order for an hour. */
async function makeHeld(item: "EMPTY" | "PRESENT"): Promise<{ id: number; orderId: number }> {
  const storeId = await makeStore(testServer, tenantId);
  const cells: CellFixture[] = [{}, {}, { occupancy: "OCCUPIED", item }];
  const { id } = await makeCabinet(testServer, { tenantId, storeId, cells });
  const { orderId } = await testServer.database.transaction({ tenantId }, (db) =>
    insertStoredOrder(db, { tenantId, cabinetId: id, storeId }, `${id}`),
  );
  return { id, orderId };
}

const findOrder = (orderId: number) =>
  testServer.database.read({ tenantId }, (db) =>
    db.one(sql`
      select state, pay_status, price_fen, waived_fen,
        exists (select from live_order where live_order.order_id = ord.id) as is_live
      from storage_order ord where id = ${orderId}`),
  );

describe("clearing a compartment (清柜)", () => {
  it("frees a compartment that is occupied in the records, with the reason in the history", async () => {
    const cells: CellFixture[] = [
      { occupancy: "OCCUPIED", item: "EMPTY" },
      { occupancy: "RESERVED" },
    ];
    const { id } = await makeCabinet(testServer, { tenantId, cells });
    expect((await change("clear", id, 1, "用户已当面取走")).code).toBe(0);
    expect((await change("clear", id, 2, "预约取消")).code).toBe(0);
    expect(await listOf(id)).toMatchObject([
      { occupancy: "FREE", occupiedSince: null, unavailableReason: null },
      { occupancy: "FREE" },
    ]);
    expect((await eventsOf(id, 1))[0]?.text).toBe(`清柜（${operator.username}：用户已当面取走）`);
    expect(await findAudit(testServer, tenantId)).toMatchObject([
      { before: { occupancy: "OCCUPIED" }, after: { occupancy: "FREE" } },
      { before: { occupancy: "RESERVED" } },
    ]);
  });

  it("ends the order in the compartment and waives its fee", async () => {
    const { id, orderId } = await makeHeld("EMPTY");
    expect((await change("clear", id, 3, "用户放弃")).code).toBe(0);
    expect((await listOf(id))[2]).toMatchObject({ occupancy: "FREE", occupiedSince: null });
    expect(await findOrder(orderId)).toEqual({
      ...{
        state: "ADMIN_CLEARED",
        payStatus: "NONE",
        isLive: false,
        priceFen: 200,
        waivedFen: 200,
      },
    });
    const [entry] = (await findAudit(testServer, tenantId)).slice(-1);
    expect(entry).toMatchObject({ reason: "用户放弃", before: { orderId } });
  });

  it("is refused while the sensor detects the order's goods", async () => {
    const { id, orderId } = await makeHeld("PRESENT");
    expect((await change("clear", id, 3)).errMsg).toContain("3 号格口的传感器仍检测到物品");
    expect(await findOrder(orderId)).toMatchObject({ state: "STORED", isLive: true });
  });

  it("refuses a free compartment, and goods that the sensor detects", async () => {
    const cells: CellFixture[] = [{}, { occupancy: "OCCUPIED", item: "PRESENT" }];
    const { id } = await makeCabinet(testServer, { tenantId, cells });
    expect((await change("clear", id, 1)).errMsg).toBe("1 号格口当前状态为“空闲”，不能清柜");
    expect((await change("clear", id, 2)).errMsg).toContain("2 号格口的传感器仍检测到物品");
  });
});

describe("stock audit (盘点)", () => {
  type Finding = {
    no: number;
    found: (typeof STOCK_FINDINGS)[number];
    correct: boolean;
    note?: string;
  };
  const audit = (id: number, findings: Finding[], as = operator) =>
    testServer.call(compartmentContract.saveStockAudit, as, { params: { id }, body: { findings } });

  it("compares, stores the findings, corrects on request and reports the rest", async () => {
    const { id } = await makeCabinet(testServer, {
      tenantId,
      cells: [
        {},
        { occupancy: "OCCUPIED", item: "PRESENT" },
        { occupancy: "OCCUPIED", item: "PRESENT" },
        { occupancy: "FREE", item: "PRESENT" },
        { occupancy: "OCCUPIED", item: "EMPTY" },
      ],
    });
    const findings: Finding[] = [
      { no: 1, found: "EMPTY", correct: true },
      { no: 2, found: "PRESENT", correct: true },
      { no: 3, found: "EMPTY", correct: true, note: "柜内为空" },
      { no: 4, found: "PRESENT", correct: false },
      { no: 5, found: "SKIPPED", correct: true },
    ];
    const { data } = await audit(id, findings);
    expect(data).toEqual({ audited: 4, contradictory: 2, corrected: 1 });
    expect(await listOf(id)).toMatchObject([
      { occupancy: "FREE", item: "EMPTY" },
      { occupancy: "OCCUPIED", item: "PRESENT" },
      { occupancy: "FREE", item: "EMPTY", occupiedSince: null },
      { occupancy: "FREE", item: "PRESENT" },
      { occupancy: "OCCUPIED", item: "EMPTY" },
    ]);
    expect(await openMalfunctions()).toEqual([
      {
        no: 4,
        kind: "OCCUPANCY_ABNORMAL",
        repeatCount: 1,
        description: "盘点：系统记录空闲，现场有物",
      },
    ]);
    expect((await eventsOf(id, 3))[0]?.text).toContain("现场无物，与记录不符，已更正");
    expect(await eventsOf(id, 2)).toEqual([]);
    const [stored] = await testServer.database.read({ tenantId }, (db) =>
      db.many<{ findings: object[]; actorName: string }>(
        sql`select findings, actor_name from stock_audit`,
      ),
    );
    expect(stored).toMatchObject({ actorName: operator.username });
    expect(stored?.findings[2]).toEqual({
      no: 3,
      found: "EMPTY",
      correct: true,
      note: "柜内为空",
      occupancy: "OCCUPIED",
      item: "PRESENT",
    });
    expect(await findAudit(testServer, tenantId)).toMatchObject([
      { after: { audited: 4, contradictory: 2, corrected: 1 } },
    ]);

    await audit(id, [{ no: 4, found: "PRESENT", correct: true }]);
    expect(await openMalfunctions()).toEqual([]);
    expect((await listOf(id))[3]).toMatchObject({
      occupancy: "OCCUPIED",
      occupiedSince: expect.any(String),
    });
  });

  it("marks an order with missing goods as EXCEPTION, and keeps its compartment", async () => {
    const { id, orderId } = await makeHeld("EMPTY");
    const { data } = await audit(id, [{ no: 3, found: "EMPTY", correct: true }]);
    expect(data).toEqual({ audited: 1, contradictory: 1, corrected: 0 });
    expect((await listOf(id))[2]).toMatchObject({ occupancy: "OCCUPIED" });
    expect(await findOrder(orderId)).toMatchObject({ state: "EXCEPTION", isLive: true });
    expect((await openMalfunctions()).map(({ no }) => no)).toContain(3);
  });

  it("saves all findings or none", async () => {
    const { id } = await makeCabinet(testServer, {
      tenantId,
      cells: [{ occupancy: "OCCUPIED", item: "PRESENT" }],
    });
    const seen: Finding = { no: 1, found: "EMPTY", correct: true };
    const missing = await audit(id, [seen, { no: 9, found: "EMPTY", correct: true }]);
    expect(missing.errMsg).toBe("格口不存在，或不在您的管理范围内");
    const twice = await audit(id, [seen, { ...seen, found: "PRESENT" }]);
    expect(twice.errMsg).toContain("只能盘点一次");
    expect((await listOf(id))[0]).toMatchObject({ occupancy: "OCCUPIED" });
  });

  it("property: agrees with the rules for any cells and findings", async () => {
    const cell = fc.record({
      adminState: fc.constantFrom(...ADMIN_STATES),
      occupancy: fc.constantFrom(...OCCUPANCIES),
      item: fc.constantFrom(...ITEM_STATES),
      found: fc.constantFrom(...STOCK_FINDINGS),
      correct: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 12 }), async (cells) => {
        const { id } = await makeCabinet(testServer, { tenantId, cells });
        const findings = cells.map(({ found, correct }, index) => ({
          no: index + 1,
          found,
          correct,
        }));
        const { data } = await audit(id, findings);
        const contradictory = cells.filter((of) => contradictsFinding(of, of.found));
        expect(data).toEqual({
          audited: cells.filter(({ found }) => found !== "SKIPPED").length,
          contradictory: contradictory.length,
          corrected: contradictory.filter(({ correct }) => correct).length,
        });
        const after = await listOf(id);
        for (const [index, of] of cells.entries()) {
          const now = after[index];
          const isCorrected = of.correct && contradictsFinding(of, of.found);
          expect(now).toMatchObject({
            adminState: of.adminState,
            occupancy: isCorrected ? occupancyAsFound(of.occupancy, of.found) : of.occupancy,
            item: isCorrected ? of.found : of.item,
          });
          if (isCorrected && now) expect(isContradictory(now)).toBe(false);
          expect(now?.occupiedSince !== null).toBe(now?.occupancy === "OCCUPIED");
        }
        const again = await audit(id, findings);
        expect(again.data.corrected).toBe(0);
      }),
      { numRuns: 25 },
    );
  });
});

describe("malfunction counts", () => {
  it("count by state what this account may see", async () => {
    const storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
    const theirs = await makeCabinet(testServer, { tenantId, storeId });
    const elsewhere = await makeCabinet(testServer, { tenantId });
    const other = await testServer.makeTenant();
    const foreign = await makeCabinet(testServer, { tenantId: other.id });
    await change("markFault", theirs.id, 1);
    await change("markFault", elsewhere.id, 1);
    await change("markFault", elsewhere.id, 2);
    await change("enable", elsewhere.id, 2);
    await change("markFault", foreign.id, 1, "锁舌卡住", other.people[1]);
    const size = async (as: Person, status?: string) =>
      (await testServer.call(malfunctionContract.size, as, { query: { status } })).data;
    expect(await size(operator, "CREATED")).toBe(2);
    expect(await size(operator, "RESOLVED")).toBe(1);
    expect(await size(operator)).toBe(3);
    expect(await size(people[2], "CREATED")).toBe(1);
    expect(await size(other.people[1], "CREATED")).toBe(1);
  });

  it("an open malfunction marks its cabinet as faulty", async () => {
    const { id, sn } = await makeCabinet(testServer, { tenantId });
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        insert into malfunction (tenant_id, cabinet_id, kind) values (${tenantId}, ${id}, 'TAMPER')`),
    );
    const query = { hasFault: true };
    const { data } = await testServer.call(cabinetContract.list, operator, { query });
    expect(data.list.map((cabinet) => cabinet.sn)).toEqual([sn]);
  });
});
