// Statistics over HTTP on a real PostgreSQL: sums by day and place, folding, occupancy, visibility.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  type FigureSums,
  homeNetFen,
  netFen,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { insertStoredOrder } from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { addFigures, foldFigures } from "./figures.sql.ts";
import { deleteOldOccupancy, sampleOccupancy } from "./occupancy.sql.ts";

const testServer = useTestServer();
const today = shanghaiDay(Date.now());
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let storeId: number;
let cabinetId: number;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
  ({ id: cabinetId } = await makeCabinet(testServer, { tenantId, storeId, cells: [{}, {}] }));
});

interface Place {
  at?: string;
  side?: "SINGLE" | "DOUBLE";
  cabinetId?: number;
  storeId?: number | null;
}

const add = (figures: Partial<FigureSums>, place: Place = {}) =>
  testServer.database.transaction({ tenantId }, (db) =>
    addFigures(db, { tenantId, side: "SINGLE", cabinetId, storeId, ...place }, figures),
  );
/** A stored order in a new cabinet of the store. */
async function storeGoods() {
  const { id } = await makeCabinet(testServer, { tenantId, storeId, cells: [{}, {}, {}] });
  return testServer.database.transaction("platform", (db) =>
    insertStoredOrder(db, { tenantId, cabinetId: id, storeId }, "一件行李"),
  );
}
const setState = (orderId: number, state: string) =>
  testServer.database.transaction({ tenantId }, (db) =>
    db.run(sql`
      update storage_order set state = ${state}
      where tenant_id = ${tenantId} and id = ${orderId}`),
  );
const fold = (limit = 1_000) =>
  testServer.database.transaction("platform", (db) => foldFigures(db, limit));
const income = async (query: object = {}, as: Person = people[1]) =>
  (await testServer.call(statisticsContract.singleIncome, as, { query })).data;
/** Noon of a day in Asia/Shanghai. */
const noon = (day: string) => `${day}T04:00:00.000Z`;

describe("figures", () => {
  it("count at once, and equally after folding", async () => {
    await add({ started: 1, stored: 1, incomeFen: 350, bonusFen: 50, openings: 2, opened: 1 });
    await add({ started: 1, completed: 1, stayMinutes: 90, overdue: 1, refundFen: 100 });
    await add({ started: 5 }, { side: "DOUBLE" });
    const sums = {
      started: 2,
      stored: 1,
      completed: 1,
      stayMinutes: 90,
      overdue: 1,
      incomeFen: 350,
      bonusFen: 50,
      refundFen: 100,
      openings: 2,
      opened: 1,
    };
    expect((await income()).now).toEqual(sums);
    expect(await fold()).toBeGreaterThanOrEqual(3);
    expect((await income()).now).toEqual(sums);
    await add({ started: 1 });
    expect((await income()).now).toEqual({ ...sums, started: 3 });
    await fold();
    expect(await fold()).toBe(0);
    expect((await income()).now).toEqual({ ...sums, started: 3 });
    const { data: double } = await testServer.call(statisticsContract.doubleIncome, people[1]);
    expect(double.now).toMatchObject({ started: 5, stored: 0 });
  });

  it("concurrent folding in batches neither loses nor repeats a delta", async () => {
    const writers = Array.from({ length: 60 }, () => add({ started: 1, incomeFen: 7 }));
    const folders = Array.from({ length: 8 }, () => fold(10));
    await Promise.all([...writers, ...folders]);
    expect((await income()).now).toMatchObject({ started: 60, incomeFen: 420 });
    while ((await fold(25)) > 0);
    expect((await income()).now).toMatchObject({ started: 60, incomeFen: 420 });
  });

  it("belong to their day in Asia/Shanghai", async () => {
    await add({ started: 1 }, { at: "2026-03-01T15:59:59.000Z" });
    await add({ started: 2 }, { at: "2026-03-01T16:00:00.000Z" });
    const of = async (day: string) => (await income({ from: day, to: day })).now.started;
    expect([await of("2026-03-01"), await of("2026-03-02")]).toEqual([1, 2]);
  });

  it("include the preceding span of equal length and the compartments in service", async () => {
    await makeCabinet(testServer, { tenantId, storeId, lifecycle: "PAUSED", cells: [{}] });
    await makeCabinet(testServer, { tenantId, cells: [{ adminState: "FAULT" }, {}] });
    await add({ incomeFen: 500 }, { at: noon(addDays(today, -2)) });
    await add({ incomeFen: 300 }, { at: noon(addDays(today, -9)) });
    await add({ incomeFen: 100 }, { at: noon(addDays(today, -14)) });
    const week = await income({ from: addDays(today, -6), to: today });
    expect(week).toMatchObject({ from: addDays(today, -6), to: today, compartments: 3 });
    expect([week.now.incomeFen, week.before.incomeFen]).toEqual([500, 300]);
    expect((await income({ storeId })).compartments).toBe(2);
  });

  it("invalid spans of days are refused", async () => {
    const refusal = async (query: object) =>
      (await testServer.call(statisticsContract.singleIncome, people[1], { query })).errMsg;
    expect(await refusal({ from: today, to: addDays(today, -1) })).toContain("日期范围不对");
    expect(await refusal({ from: "2024-01-01", to: "2025-06-01" })).toContain("366");
    expect(await refusal({ from: "someday" })).toContain("开始日期");
    const { errMsg } = await testServer.call(statisticsContract.occupancy, people[1], {
      query: { from: addDays(today, -92), to: today },
    });
    expect(errMsg).toContain("92");
  });
});

describe("the company", () => {
  it("each figure of the company, of its days and of its stores is that of both sides", async () => {
    const { id: other } = await makeCabinet(testServer, { tenantId, side: "DOUBLE", cells: [{}] });
    const figures = { started: 3, stored: 2, completed: 1, stayMinutes: 40, overdue: 1 };
    const ofOther = { side: "DOUBLE", cabinetId: other } as const;
    await add({ ...figures, incomeFen: 1_001, bonusFen: 99, refundFen: 7 });
    await add({ ...figures, incomeFen: 300 }, { at: noon(addDays(today, -31)) });
    await add({ ...figures, incomeFen: 2_002, bonusFen: 1, openings: 4, opened: 3 }, ofOther);
    await fold();
    await add({ incomeFen: 5, refundFen: 3 }, { ...ofOther, at: noon(addDays(today, -1)) });
    const sum = (one: object, two: object) =>
      Object.fromEntries(
        Object.entries(one).map(([name, value]) => [name, value + two[name as never]]),
      );
    type IncomeCall = (typeof statisticsContract)["income" | "singleIncome" | "doubleIncome"];
    const ofCall = async (spec: IncomeCall) => (await testServer.call(spec, people[1])).data;
    const all = await ofCall(statisticsContract.income);
    const single = await ofCall(statisticsContract.singleIncome);
    const double = await ofCall(statisticsContract.doubleIncome);
    expect(all.now).toEqual(sum(single.now, double.now));
    expect(all.before).toEqual(sum(single.before, double.before));
    expect(all.now).toMatchObject({ started: 6, incomeFen: 3_008, refundFen: 10, bonusFen: 100 });
    expect(all.before.incomeFen).toBe(300);
    expect([single.compartments, double.compartments, all.compartments]).toEqual([2, 1, 3]);
    const days = (await testServer.call(statisticsContract.tendency, people[1], { body: {} })).data;
    expect(days.slice(-2).map(({ incomeFen }) => incomeFen)).toEqual([5, 3_003]);
    const stores = async (query: object) =>
      (await testServer.call(statisticsContract.ranking, people[1], { query })).data.list;
    const places = await stores({ by: "STORE" });
    expect(places.map(({ side, incomeFen }) => [side, incomeFen])).toEqual([[null, 3_008]]);
    const cabinets = await stores({ by: "CABINET" });
    expect(cabinets.map(({ side, incomeFen }) => [side, incomeFen])).toEqual([
      ["DOUBLE", 2_007],
      ["SINGLE", 1_001],
    ]);
  });
});

describe("tendency", () => {
  it("a POST that has every day once and leaves no audit entry", async () => {
    await add({ started: 4 }, { at: noon(addDays(today, -1)) });
    await add({ started: 9 }, { side: "DOUBLE" });
    const body = { from: addDays(today, -3), to: today, storeId };
    const { data } = await testServer.call(statisticsContract.singleTendency, people[1], { body });
    expect(data.map(({ day, started }) => [day, started])).toEqual([
      [addDays(today, -3), 0],
      [addDays(today, -2), 0],
      [addDays(today, -1), 4],
      [today, 0],
    ]);
    const double = await testServer.call(statisticsContract.doubleTendency, people[1], { body });
    expect(double.data.map(({ started }) => started)).toEqual([0, 0, 0, 9]);
    expect(await findAudit(testServer, tenantId)).toEqual([]);
  });
});

describe("ranking", () => {
  const ranking = async (query: object, as: Person = people[1]) =>
    (await testServer.call(statisticsContract.ranking, as, { query })).data;

  it("by store and by cabinet, sorted as asked, with the store that a cabinet was in", async () => {
    const second = await makeCabinet(testServer, { tenantId, cells: [{}] });
    await add({ started: 3, stored: 2, overdue: 1, incomeFen: 900 });
    await add({ started: 8, stored: 8, overdue: 1, incomeFen: 100 }, { cabinetId: second.id });
    await add({ started: 1 }, { cabinetId: second.id, storeId: null });
    const stores = await ranking({ by: "STORE" });
    expect(stores.total).toBe(2);
    expect(stores.list.map((row) => [row.id, row.started, row.compartments])).toEqual([
      [storeId, 11, 2],
      [null, 1, 0],
    ]);
    const ids = async (sort: string, order?: string) =>
      (await ranking({ by: "CABINET", sort, order })).list.map(({ id }) => id);
    expect(await ids("income")).toEqual([cabinetId, second.id]);
    expect(await ids("started")).toEqual([second.id, cabinetId]);
    expect(await ids("turnover")).toEqual([second.id, cabinetId]);
    expect(await ids("overdue")).toEqual([cabinetId, second.id]);
    expect(await ids("overdue", "asc")).toEqual([second.id, cabinetId]);
    const page = await ranking({ by: "CABINET", pageSize: 1, page: 2 });
    expect(page).toMatchObject({ total: 2, list: [{ id: second.id, started: 9 }] });
  });

  it("platform staff see all tenants, or the one asked for", async () => {
    const { people: platform } = await testServer.makeTenant(1);
    await add({ started: 3 });
    const mine = await ranking({ by: "STORE", tenantId }, platform[0]);
    expect(mine.list).toMatchObject([{ tenantId, id: storeId }]);
    const all = await ranking({ by: "STORE", pageSize: 100 }, platform[0]);
    expect(all.list.map(({ id }) => id)).toContain(storeId);
    expect((await ranking({ by: "STORE", tenantId: 1 })).total).toBe(0);
  });
});

describe("home page", () => {
  const home = async (as: Person) => (await testServer.call(statisticsContract.home, as)).data;
  const sideOf = ({ sides }: Awaited<ReturnType<typeof home>>) =>
    sides.find(({ side }) => side === "SINGLE");

  it("shows stored and overdue goods and open tasks", async () => {
    const { orderId } = await storeGoods();
    expect(sideOf(await home(people[1]))).toMatchObject({ stored: 1, overdue: 0, exception: 0 });
    await setState(orderId, "OVERDUE");
    expect(sideOf(await home(people[1]))).toMatchObject({ stored: 1, overdue: 1, exception: 0 });
    await setState(orderId, "EXCEPTION");
    expect(sideOf(await home(people[2]))).toMatchObject({ stored: 0, overdue: 0, exception: 1 });
  });

  it("counts faulty cabinets of the visible stores", async () => {
    await makeCabinet(testServer, { tenantId, storeId, cells: [{ adminState: "FAULT" }] });
    await makeCabinet(testServer, { tenantId, cells: [{ item: "PRESENT" }] });
    expect([
      (await home(people[1])).faultyCabinets,
      (await home(people[2])).faultyCabinets,
    ]).toEqual([2, 1]);
  });

  it("counts reconciliation differences until they are settled", async () => {
    const openOf = async (as: Person) => (await home(as)).openDifferences;
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        insert into reconciliation_difference (tenant_id, day, kind, area, subject, detail, state)
        select ${tenantId}, ${today}, 'ORDER_PAID', 'ORDER', n, '', s
        from (values ('1', 'OPEN'), ('2', 'OPEN'), ('3', 'RESOLVED')) sample (n, s)`),
    );
    expect([await openOf(people[1]), await openOf(people[2])]).toEqual([2, 0]);
  });

  it("counts each side separately", async () => {
    await add({ started: 2, incomeFen: 500, refundFen: 20 });
    await add({ started: 7, incomeFen: 900 }, { at: noon(addDays(today, -1)) });
    const figures = await home(people[1]);
    expect(figures.sides.map(({ side }) => side)).toEqual(["SINGLE", "DOUBLE"]);
    expect(sideOf(figures)).toMatchObject({
      started: 2,
      startedBefore: 7,
      incomeFen: 500,
      incomeFenBefore: 900,
      refundFen: 20,
      refundFenBefore: 0,
    });
    expect(sideOf(await home(people[2]))).toMatchObject({
      started: 2,
      incomeFen: null,
      incomeFenBefore: null,
      refundFen: null,
      refundFenBefore: null,
    });
  });
});

describe("net income", () => {
  it("home, large screen, overview and rankings: the same figure for the same days", async () => {
    const yesterday = noon(addDays(today, -1));
    await add({ started: 1, incomeFen: 900, refundFen: 150 });
    await add({ started: 1, incomeFen: 400, refundFen: 30 }, { side: "DOUBLE" });
    await add({ incomeFen: 700, refundFen: 80 }, { at: yesterday });
    await add({ incomeFen: 200, refundFen: 60 }, { at: yesterday, side: "DOUBLE" });
    const as = people[1];
    const query = { from: today, to: today };
    const [home, screen, single, double, ranking] = await Promise.all([
      testServer.call(statisticsContract.home, as),
      testServer.call(statisticsContract.screen, as),
      testServer.call(statisticsContract.singleIncome, as, { query }),
      testServer.call(statisticsContract.doubleIncome, as, { query }),
      testServer.call(statisticsContract.ranking, as, { query: { ...query, by: "STORE" } }),
    ]);
    expect(homeNetFen(home.data)).toEqual({ today: 1_120, yesterday: 760 });
    expect([netFen(screen.data.today), netFen(screen.data.yesterday)]).toEqual([1_120, 760]);
    expect(netFen(single.data.now) + netFen(double.data.now)).toBe(1_120);
    expect(netFen(single.data.before) + netFen(double.data.before)).toBe(760);
    expect(ranking.data.list.map(netFen)).toEqual([1_120]);
    expect(screen.data.topStores).toMatchObject([{ id: storeId, netFen: 1_880 }]);
  });

  it("ranking by income: by what is left after refunds", async () => {
    const second = await makeCabinet(testServer, { tenantId, storeId, cells: [{}] });
    await add({ incomeFen: 900, refundFen: 800 });
    await add({ incomeFen: 300 }, { cabinetId: second.id });
    const { data } = await testServer.call(statisticsContract.ranking, people[1], {
      query: { by: "CABINET", sort: "income" },
    });
    expect(data.list.map(({ id }) => id)).toEqual([second.id, cabinetId]);
  });
});

describe("occupancy", () => {
  const look = () => testServer.database.transaction("platform", sampleOccupancy);
  /** Backdates the last sample. */
  const age = (minutes: number) =>
    testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update occupancy_hour set last_at = last_at - make_interval(mins => ${minutes})
        where tenant_id = ${tenantId}`),
    );
  const occupy = (no: number) =>
    testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        update compartment set occupancy = 'OCCUPIED'
        where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}`),
    );
  const sizes = async (query: object = {}, as: Person = people[1]) =>
    (await testServer.call(statisticsContract.sizes, as, { query })).data;

  it("one sample per interval; full when no usable compartment is left", async () => {
    await occupy(1);
    await look();
    await look();
    expect((await sizes()).list).toMatchObject([
      { cabinetId, size: "S", samples: 1, occupied: 1, total: 2, fullSamples: 0, peak: 1 },
    ]);
    await age(5);
    await occupy(2);
    await look();
    const [use] = (await sizes()).list;
    expect(use).toMatchObject({ samples: 2, occupied: 3, total: 4, fullSamples: 1, peak: 2 });
    const now = new Date(Date.now() + 8 * 3_600_000).getUTCHours();
    expect(use?.worstHour).toBe(now);
    const { data } = await testServer.call(statisticsContract.occupancy, people[1], {});
    expect(data.hours).toEqual([
      { size: "S", hour: now, samples: 2, occupied: 3, total: 4, fullSamples: 1 },
    ]);
    expect(Math.abs(Date.now() - Date.parse(data.lastAt ?? ""))).toBeLessThan(60_000);
  });

  it("only cabinets in service and enabled compartments count", async () => {
    await makeCabinet(testServer, { tenantId, storeId, lifecycle: "PAUSED", cells: [{}] });
    await makeCabinet(testServer, { tenantId, cells: [{ adminState: "DISABLED" }] });
    const double = await makeCabinet(testServer, { tenantId, side: "DOUBLE", cells: [{}] });
    await look();
    const ids = async (query: object, as?: Person) =>
      (await sizes(query, as)).list.map((row) => row.cabinetId);
    expect((await ids({ sort: "cabinet" })).sort()).toEqual([cabinetId, double.id].sort());
    expect(await ids({ side: "DOUBLE" })).toEqual([double.id]);
    expect(await ids({ storeId })).toEqual([cabinetId]);
    expect(await ids({ keyword: double.sn })).toEqual([double.id]);
    expect(await ids({ size: "XL" })).toEqual([]);
  });

  it("expired hours are deleted", async () => {
    await look();
    const count = async () => (await sizes({ from: addDays(today, -91), to: today })).total;
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        insert into occupancy_hour
        select tenant_id, hour - interval '94 days', cabinet_id, size, store_id, samples, occupied,
          total, full_samples, peak, last_at
        from occupancy_hour where tenant_id = ${tenantId}`),
    );
    const forget = () =>
      testServer.database.transaction("platform", (db) => deleteOldOccupancy(db, 1_000));
    expect(await forget()).toBeGreaterThan(0);
    expect(await forget()).toBe(0);
    expect(await count()).toBe(1);
  });
});

describe("data screen", () => {
  const screen = async (as: Person = people[1], query: object = {}) =>
    (await testServer.call(statisticsContract.screen, as, { query })).data;

  it("shows cabinets, orders, stores and alarms of the own tenant", async () => {
    const { orderId } = await storeGoods();
    await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`
        insert into malfunction (tenant_id, cabinet_id, compartment_no, kind, description)
        values (${tenantId}, ${cabinetId}, 2, 'DOOR_LEFT_OPEN', '箱门 12 分钟未关')`);
    });
    const shown = await screen();
    expect(shown.cabinets).toMatchObject({ total: 2 });
    expect(shown.compartments).toEqual({ total: 5, occupied: 0 });
    expect(shown.live).toEqual({ stored: 1, overdue: 0, exception: 0 });
    expect(shown.stores).toMatchObject([{ id: storeId, cabinets: 2, compartments: 5 }]);
    expect(shown.orders).toMatchObject([{ id: orderId, state: "STORED", size: "M" }]);
    expect(shown.alarms).toMatchObject([
      { kind: "DOOR_LEFT_OPEN", place: expect.stringContaining("2 号格口") },
    ]);
    expect(shown.openAlarms).toBe(1);
    expect(shown.topStores).toMatchObject([{ id: storeId }]);
    const other = await testServer.makeTenant();
    expect(await screen(other.people[1])).toMatchObject({ stores: [], orders: [], alarms: [] });
    const { people: platform } = await testServer.makeTenant(1);
    expect((await screen(platform[0], { tenantId })).orders).toEqual(shown.orders);
  });

  it("answers without any data", async () => {
    const { people: strangers } = await testServer.makeTenant();
    expect(await screen(strangers[1])).toMatchObject({
      cabinets: { total: 0, heardAt: null },
      compartments: { total: 0, occupied: 0 },
      hours: [],
      occupancyAt: null,
    });
  });
});

describe("ranking of cabinets of both sides", () => {
  const ranking = async (query: object = {}, as: Person = people[1]) =>
    (await testServer.call(statisticsContract.cabinets, as, { query })).data;
  const run = (statement: ReturnType<typeof sql>) =>
    testServer.database.transaction("platform", (db) => db.run(statement));
  const span = { from: addDays(today, -9), to: today };

  it("income, change, full and offline time, malfunctions and the nearest price rule", async () => {
    await run(sql`
      update cabinet set created_at = now() - interval '30 days' where tenant_id = ${tenantId}`);
    await add({ incomeFen: 1_000, refundFen: 200, stored: 4 });
    await add({ incomeFen: 400 }, { at: noon(addDays(today, -12)) });
    await run(sql`
      insert into occupancy_hour (tenant_id, hour, cabinet_id, size, store_id, samples, occupied,
        total, full_samples, peak, last_at)
      select ${tenantId}, date_trunc('hour', now()) - make_interval(hours => nth::int), ${cabinetId},
        size, ${storeId}, 12, 12, 24, 6, 2, now()
      from generate_series(0, 1) nth, unnest(array['S', 'L']) size`);
    await run(sql`
      insert into cabinet_event (tenant_id, cabinet_id, kind, payload, received_at)
      values (${tenantId}, ${cabinetId}, 'ONLINE', '{}', now() - interval '30 days'),
        (${tenantId}, ${cabinetId}, 'OFFLINE',
          jsonb_build_object('lastSeenAt', now() - interval '50 hours'), now() - interval '49 hours'),
        (${tenantId}, ${cabinetId}, 'ONLINE', '{}', now() - interval '47 hours'),
        (${tenantId}, ${cabinetId}, 'OFFLINE',
          jsonb_build_object('lastSeenAt', now() - interval '2 hours'), now() - interval '1 hour')`);
    await run(sql`
      insert into malfunction (tenant_id, cabinet_id, kind, created_at)
      values (${tenantId}, ${cabinetId}, 'OTHER', now() - interval '1 day'),
        (${tenantId}, ${cabinetId}, 'TAMPER', now() - interval '20 days')`);
    await run(sql`
      insert into pricing_rule (tenant_id, store_id, free_minutes, per_use_fen, step_minutes,
        step_fen, overdue_after_minutes, edited_by)
      values (${tenantId}, null, 0, 0, 60, 100, 1440, ''),
        (${tenantId}, ${storeId}, 30, 0, 60, 200, 1440, '')`);
    const { list, total } = await ranking(span);
    expect(total).toBe(1);
    expect(list).toMatchObject([
      {
        ...{ id: cabinetId, storeId, days: 10, compartments: 2, stored: 4 },
        ...{ incomeFen: 1_000, refundFen: 200, netFenBefore: 400, medianDayFen: 80 },
        ...{ fullMinutes: 60, malfunctions: 1, pricingScope: "STORE" },
        pricing: { freeMinutes: 30, stepFen: 200, capFen: null },
      },
    ]);
    // 50 to 47 hours ago, and since 2 hours ago.
    expect(list[0]?.offlineMinutes).toBeGreaterThanOrEqual(299);
    expect(list[0]?.offlineMinutes).toBeLessThanOrEqual(301);
  });

  it("each sort pages over the same cabinets, also those without any order", async () => {
    const ids = [cabinetId];
    for (let n = 0; n < 3; n++) {
      ids.push((await makeCabinet(testServer, { tenantId, storeId, cells: [{}] })).id);
    }
    await add({ incomeFen: 300 }, { cabinetId: ids[2] ?? 0 });
    const byIncome = await ranking({ ...span, pageSize: 2 });
    expect(byIncome).toMatchObject({ total: 4, list: [{ id: ids[2] }, { incomeFen: 0 }] });
    for (const sort of [
      "income",
      "change",
      "turnover",
      "full",
      "offline",
      "malfunctions",
      "name",
    ]) {
      const paged: number[] = [];
      for (const page of [1, 2]) {
        const { list } = await ranking({ ...span, sort, page, pageSize: 2 });
        paged.push(...list.map(({ id }) => id));
      }
      expect(
        paged.toSorted((a, b) => a - b),
        sort,
      ).toEqual(ids);
    }
  });

  it("median income a day: of all cabinets in the account's scope, whatever the filters", async () => {
    await run(sql`
      update cabinet set created_at = now() - interval '30 days' where tenant_id = ${tenantId}`);
    const own: { id: number; sn: string }[] = [];
    for (const incomeFen of [1_000, 3_000]) {
      const cabinet = await makeCabinet(testServer, { tenantId, storeId, cells: [{}] });
      await run(sql`
        update cabinet set created_at = now() - interval '30 days' where id = ${cabinet.id}`);
      await add({ incomeFen }, { cabinetId: cabinet.id });
      own.push(cabinet);
    }
    const { list } = await ranking(span);
    expect(list.map(({ medianDayFen }) => medianDayFen)).toEqual([100, 100, 100]);
    const filtered = await ranking({ ...span, keyword: own[1]?.sn });
    expect(filtered).toMatchObject({ total: 1, list: [{ medianDayFen: 100 }] });
    const foreign = await testServer.makeTenant();
    expect((await ranking(span, foreign.people[1])).list).toEqual([]);
  });

  it("filters by side, store and name; spans are as long as occupancy is kept", async () => {
    const elsewhere = await makeStore(testServer, tenantId, []);
    const other = await makeCabinet(testServer, { tenantId, storeId: elsewhere, cells: [{}] });
    expect(await ranking({ ...span, storeId: elsewhere })).toMatchObject({
      total: 1,
      list: [{ id: other.id }],
    });
    expect(await ranking({ ...span, keyword: other.sn })).toMatchObject({ total: 1 });
    expect(await ranking({ ...span, side: "DOUBLE" })).toMatchObject({ total: 0 });
    const query = { from: addDays(today, -200), to: today };
    const refused = await testServer.call(statisticsContract.cabinets, people[1], { query });
    expect(refused.errMsg).toContain("92");
  });
});
