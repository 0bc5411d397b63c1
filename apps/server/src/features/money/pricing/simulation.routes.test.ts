// Price simulator on a real PostgreSQL: the orders it replays and the differences it reports.
import { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let endUserId: number;
let near: { storeId: number; cabinetId: number };
let far: { storeId: number; cabinetId: number };

const hourly = {
  freeMinutes: 0,
  perUseFen: 0,
  stepMinutes: 60,
  stepFen: 100,
  overdueAfterMinutes: 1_440,
};

async function place(caretakers: number[]) {
  const storeId = await makeStore(testServer, tenantId, caretakers);
  const cabinet = await makeCabinet(testServer, { tenantId, storeId, cells: [{}, {}] });
  return { storeId, cabinetId: cabinet.id };
}

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  near = await place([people[2].operatorId]);
  far = await place([]);
  endUserId = await testServer.database.transaction({ tenantId }, (db) =>
    insertEndUser(db, tenantId, "张三"),
  );
});

/**
 * An order begun at noon of this day in Shanghai; its pickup opening was requested after `minutes`.
 */
async function stay(
  at: { storeId: number; cabinetId: number },
  { day = "2026-11-10", minutes = 90, side = "SINGLE", state = "COMPLETED" } = {},
): Promise<number> {
  const priceFen = 100 * Math.ceil(minutes / 60);
  const pricing = JSON.stringify({ scope: "TENANT", rule: { ...hourly, capFen: null } });
  return testServer.database.transaction({ tenantId }, async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      with noon as (select (${`${day} 12:00`}::timestamp at time zone 'Asia/Shanghai') as at)
      insert into storage_order (tenant_id, id, created_at, side, cabinet_id, store_id,
        compartment_no, size, state, recipient_id, pricing, stored_at, ended_at, price_fen)
      select ${tenantId}, new_order_id(at), at, ${side}, ${at.cabinetId}, ${at.storeId}, 1, 'M',
        ${state}, ${endUserId}, ${pricing}, at,
        at + make_interval(mins => ${minutes}, secs => 40), ${priceFen}
      from noon returning id`);
    await db.run(sql`
      insert into order_event (tenant_id, order_id, at, kind, actor_kind, actor_name)
      select ${tenantId}, ${id}, stored_at + make_interval(mins => ${minutes}), 'OPEN_REQUESTED',
        'END_USER', '张三'
      from storage_order where tenant_id = ${tenantId} and id = ${id}`);
    return id;
  });
}

const days = { side: "SINGLE", from: "2026-11-10", to: "2026-11-10" };
const simulate = (query: object = {}, as = people[1]) =>
  testServer.call(pricingContract.simulate, as, { query: { ...days, ...hourly, ...query } });
const data = async (query: object = {}, as = people[1]) => (await simulate(query, as)).data;

describe("price simulation of past orders", () => {
  it("with the original rule changes nothing: the charged time ends at the request to open", async () => {
    for (const minutes of [60, 61, 120]) await stay(near, { minutes });
    expect(await data()).toMatchObject({
      ...{ orders: 3, oldFen: 500, newFen: 500, cheaper: 0, dearer: 0, samples: [] },
    });
  });

  it("with another rule reports the differences in total, by line, by place, and by order", async () => {
    const short = await stay(near, { minutes: 50 });
    const long = await stay(far, { minutes: 600 });
    const answer = await data({ freeMinutes: 60, perUseFen: 50, capFen: 300 });
    expect(answer).toMatchObject({
      ...{ orders: 2, oldFen: 1_100, newFen: 300, cheaper: 2, oldFree: 0, newFree: 1 },
    });
    const lines = Object.fromEntries(answer.lines.map((line) => [line.kind, line.newFen]));
    expect(lines).toEqual({ PER_USE: 50, TIME: 900, CAP: -650, OTHER: 0 });
    expect(answer.stores).toMatchObject([
      { id: far.storeId, orders: 1, oldFen: 1_000, newFen: 300 },
      { id: near.storeId, orders: 1, oldFen: 100, newFen: 0 },
    ]);
    expect(answer.cabinets.map(({ id }) => id)).toEqual([far.cabinetId, near.cabinetId]);
    expect(answer.samples.map(({ orderId }) => orderId)).toEqual([long, short]);
    const counted = answer.lengths.filter(({ orders }) => orders > 0);
    expect(counted).toMatchObject([{ upToMinutes: 120 }, { upToMinutes: 720 }]);
  });

  it("calculates each order with the rate of its compartment and its beginning", async () => {
    await stay(near, { minutes: 60 });
    const { overdueAfterMinutes: _, ...fees } = { ...hourly, capFen: null };
    const noon = { ...fees, size: "M", hours: { from: "12:00", to: "12:01" }, stepFen: 30 };
    const rates = JSON.stringify([{ ...noon, hours: null, stepFen: 20 }, noon]);
    const answer = await data({ rates });
    expect(answer).toMatchObject({ orders: 1, oldFen: 100, newFen: 30 });
    expect(answer.samples).toMatchObject([{ size: "M", createdAt: "2026-11-10T04:00:00.000Z" }]);
    expect((await simulate({ rates: "[1]" })).errMsg).toContain("无法识别");
    expect((await simulate({ rates: JSON.stringify([noon, noon]) })).errMsg).toContain("时段重叠");
  });

  it("covers days in Shanghai, one side, and only orders that were taken out", async () => {
    await stay(near);
    await stay(near, { day: "2026-11-09" });
    await stay(near, { day: "2026-11-11" });
    await stay(near, { side: "DOUBLE" });
    await stay(near, { state: "ADMIN_CLEARED" });
    expect((await data()).orders).toBe(1);
    expect((await data({ from: "2026-11-09", to: "2026-11-11" })).orders).toBe(3);
    expect((await data({ side: "DOUBLE" })).orders).toBe(1);
  });

  it("filters by store or cabinet, and requires the permission and the tenant", async () => {
    await stay(near);
    await stay(far);
    expect((await data({ storeId: far.storeId })).orders).toBe(1);
    expect((await data({ cabinetId: near.cabinetId })).orders).toBe(1);
    expect((await simulate({}, people[2])).status).toBe(403);
    const stranger = (await testServer.makeTenant()).people[1];
    expect((await data({ storeId: far.storeId }, stranger)).orders).toBe(0);
  });

  it.each([
    [{ from: "2026-11-11" }, "日期范围不对"],
    [{ from: "2026-01-01" }, "最多 92 天"],
    [{ stepMinutes: 0 }, "计费单位时长"],
  ])("%o is refused", async (query, text) => {
    expect((await simulate(query)).errMsg).toContain(text);
  });
});
