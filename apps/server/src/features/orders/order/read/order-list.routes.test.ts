// The order list against an independent model of its filters; visibility per role, hidden phones.
import { type Order, orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { PAY_STATUSES, paidFen, refundedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { ORDER_STATES } from "@cabinet/contract/vocabulary/order.rules.ts";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../../tests/support/cabinets.ts";
import { insertEndUser, insertOrder } from "../../../../../../../tests/support/orders.ts";
import { recordingOf } from "../../../../../../../tests/support/recording.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import type { Session } from "../../../../platform/context.ts";
import { sql } from "../../../../platform/db/sql.ts";
import { findOrders } from "./order-list.sql.ts";

const testServer = useTestServer();
let platform: Person;

/** Every field of an order that a filter reads. */
interface Known {
  id: number;
  side: "SINGLE" | "DOUBLE";
  cabinetId: number;
  cabinetName: string;
  storeId: number;
  state: (typeof ORDER_STATES)[number];
  payStatus: (typeof PAY_STATUSES)[number];
  thirdPartyNo: string | null;
  people: number[];
  createdAt: Date;
}

interface World {
  tenantId: number;
  people: Record<0 | 1 | 2, Person>;
  stores: [number, number];
  cabinets: { id: number; name: string; storeId: number }[];
  users: { id: number; phone: string }[];
  orders: Known[];
}

/** Seeded pseudo-random numbers, so that a failure can be reproduced. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const of = <Item>(list: readonly Item[], index: number): Item => list[index % list.length] as Item;

async function makeWorld(seed: number, count: number): Promise<World> {
  const roll = dice(seed);
  const { id: tenantId, people } = await testServer.makeTenant();
  const stores: [number, number] = [
    await makeStore(testServer, tenantId, [people[2].operatorId]),
    await makeStore(testServer, tenantId),
  ];
  const cabinets: World["cabinets"] = [];
  for (const [index, storeId] of [stores[0], stores[1], stores[1]].entries()) {
    const name = `柜 ${index} 号`;
    const cells = Array.from({ length: count }, () => ({}));
    const { id } = await makeCabinet(testServer, { tenantId, storeId, name, cells });
    cabinets.push({ id, name, storeId });
  }
  return testServer.database.transaction("platform", async (db) => {
    const users = [];
    for (const name of ["甲", "乙", "丙"]) {
      const id = await insertEndUser(db, tenantId, name);
      const { phone } = await db.one<{ phone: string }>(
        sql`select phone from end_user where tenant_id = ${tenantId} and id = ${id}`,
      );
      users.push({ id, phone });
    }
    const orders: Known[] = [];
    for (let no = 1; no <= count; no++) {
      const cabinet = of(cabinets, roll(3));
      const recipientId = of(users, roll(3)).id;
      const riderId = roll(2) === 0 ? null : of(users, roll(3)).id;
      const known = {
        side: roll(3) === 0 ? ("DOUBLE" as const) : ("SINGLE" as const),
        cabinetId: cabinet.id,
        storeId: cabinet.storeId,
        state: of(ORDER_STATES, roll(ORDER_STATES.length)),
        payStatus: of(PAY_STATUSES, roll(PAY_STATUSES.length)),
        thirdPartyNo: roll(3) === 0 ? `T${roll(4)}` : null,
        // Spread over five months: several partitions.
        createdAt: new Date(Date.now() - roll(150) * 86_400_000 - roll(86_400) * 1_000),
      };
      const id = await insertOrder(db, { tenantId, no, recipientId, riderId, ...known });
      const people = [recipientId, ...(riderId === null ? [] : [riderId])];
      orders.push({ ...known, id, cabinetName: cabinet.name, people });
    }
    return { tenantId, people, stores, cabinets, users, orders };
  });
}

let world: World;
let other: World;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  world = await makeWorld(7, 60);
  other = await makeWorld(11, 10);
});

interface NewOrder {
  side: "SINGLE" | "DOUBLE";
  order: number | null;
  thirdPartyNo: string | null;
  user: number | null;
  phone: "whole" | "part" | null;
  keyword: string | null;
  cabinet: number | null;
  store: 0 | 1 | null;
  state: Known["state"] | null;
  payStatus: Known["payStatus"] | null;
  fromDays: number | null;
  toDays: number | null;
}

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: null, freq: 3 });
const someRequest: fc.Arbitrary<NewOrder> = fc.record({
  side: fc.constantFrom("SINGLE", "DOUBLE"),
  order: fc.option(fc.nat(59), { nil: null, freq: 9 }),
  thirdPartyNo: fc.option(fc.constantFrom("T0", "T1", "T9", " T2 "), { nil: null, freq: 6 }),
  user: maybe(fc.nat(2)),
  phone: fc.option(fc.constantFrom("whole", "part"), { nil: null, freq: 2 }),
  keyword: maybe(fc.constantFrom("柜 1", "0 号", "号", "没有", "_", "%")),
  cabinet: maybe(fc.nat(2)),
  store: maybe(fc.constantFrom(0, 1)),
  state: maybe(fc.constantFrom(...ORDER_STATES)),
  payStatus: maybe(fc.constantFrom(...PAY_STATUSES)),
  fromDays: maybe(fc.integer({ min: 0, max: 160 })),
  toDays: maybe(fc.integer({ min: 0, max: 160 })),
});

/** Three digits match everybody's phone; the last five are practically unique. */
function queryOf(request: NewOrder, base: number) {
  const { users, cabinets, stores, orders } = world;
  const user = request.phone ? of(users, request.user ?? 0) : null;
  const days = (ago: number) => new Date(base - ago * 86_400_000).toISOString();
  return {
    side: request.side,
    ...(request.order !== null && { orderNo: of(orders, request.order).id }),
    ...(request.thirdPartyNo && { thirdPartyNo: request.thirdPartyNo }),
    ...(user && { phone: request.phone === "whole" ? user.phone : user.phone.slice(-5) }),
    ...(!user && request.user !== null && { endUserId: of(users, request.user).id }),
    ...(request.keyword && { keyword: request.keyword }),
    ...(request.cabinet !== null && { cabinetId: of(cabinets, request.cabinet).id }),
    ...(request.store !== null && { storeId: stores[request.store] }),
    ...(request.state && { state: request.state }),
    ...(request.payStatus && { payStatus: request.payStatus }),
    ...(request.fromDays !== null && { from: days(request.fromDays) }),
    ...(request.toDays !== null && { to: days(request.toDays) }),
  };
}

/** The filters implemented again, over the list in memory. */
function expectedIds(query: ReturnType<typeof queryOf>): number[] {
  const seconds = (date: Date | string) => Math.floor(new Date(date).getTime() / 1_000);
  return world.orders
    .filter((order) => order.side === query.side)
    .filter(({ id }) => !query.orderNo || id === query.orderNo)
    .filter((order) => !query.thirdPartyNo || order.thirdPartyNo === query.thirdPartyNo.trim())
    .filter(({ people }) => {
      const wanted = world.users.filter(
        ({ id, phone }) =>
          (!query.phone || phone.includes(query.phone)) &&
          (!query.endUserId || id === query.endUserId),
      );
      return wanted.some(({ id }) => people.includes(id));
    })
    .filter(({ cabinetName }) => !query.keyword || cabinetName.includes(query.keyword))
    .filter(({ cabinetId }) => !query.cabinetId || cabinetId === query.cabinetId)
    .filter(({ storeId }) => !query.storeId || storeId === query.storeId)
    .filter(({ state }) => !query.state || state === query.state)
    .filter(({ payStatus }) => !query.payStatus || payStatus === query.payStatus)
    .filter(({ createdAt }) => !query.from || seconds(createdAt) >= seconds(query.from))
    .filter(({ createdAt }) => !query.to || seconds(createdAt) <= seconds(query.to))
    .map(({ id }) => id)
    .sort((one, another) => another - one);
}

const list = (query: object, as: Person) => testServer.call(orderContract.list, as, { query });

const sums = (query: object, as: Person) => testServer.call(orderContract.sums, as, { query });

describe("the list", () => {
  it("matches an independent model of its filters, newest first", async () => {
    const base = Date.now();
    await fc.assert(
      fc.asyncProperty(someRequest, async (request) => {
        const query = queryOf(request, base);
        const isBackwards =
          query.from !== undefined && query.to !== undefined && query.from > query.to;
        const reply = await list({ ...query, pageSize: 100 }, world.people[1]);
        if (isBackwards) {
          expect(reply.errMsg).toBe("开始时间不能晚于结束时间");
          return;
        }
        expect(reply.errMsg).toBe("");
        const expected = expectedIds(query);
        expect(reply.data.list.map(({ id }) => id)).toEqual(expected);
        expect(reply.data.total).toBe(expected.length);
      }),
      { numRuns: 150 },
    );
  });

  it("sums cover all rows of the filters, with running prices as the rows show them", async () => {
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update storage_order set price_fen = 300, paid_principal_fen = 200, paid_bonus_fen = 100,
          refunded_bonus_fen = case when compartment_no % 2 = 0 then 40 else 0 end
        where tenant_id = ${world.tenantId} and state = 'COMPLETED'`),
    );
    for (const filter of [{}, { storeId: world.stores[1] }, { phone: of(world.users, 1).phone }]) {
      const query = { side: "SINGLE", ...filter };
      const rows = async () => (await list({ ...query, pageSize: 100 }, world.people[1])).data.list;
      const before = await rows();
      const { data } = await sums(query, world.people[1]);
      const after = await rows();
      const sumOf = (each: (order: Order) => number, of = before) =>
        of.reduce((sum, order) => sum + each(order), 0);
      expect(data.count).toBe(before.length);
      expect(data.paidFen).toBe(sumOf(paidFen));
      expect(data.refundedFen).toBe(sumOf(refundedFen));
      expect(data.paidFen).toBeGreaterThan(0);
      // A minute may pass between the calls.
      expect(data.priceFen).toBeGreaterThanOrEqual(sumOf(({ priceFen }) => priceFen));
      expect(data.priceFen).toBeLessThanOrEqual(sumOf(({ priceFen }) => priceFen, after));
    }
    const none = await sums({ side: "SINGLE", phone: "00000000000" }, world.people[1]);
    expect(none.data).toEqual({ count: 0, priceFen: 0, paidFen: 0, refundedFen: 0 });
  });

  it("maintenance staff see orders, but no sums", async () => {
    const reply = await sums({ side: "SINGLE" }, world.people[2]);
    expect(reply).toMatchObject({ status: 403 });
  });

  it("a side and a state are literals, so that PostgreSQL keeps the plan; other filters are not", async () => {
    const session = { ...world.people[1], isStoreBound: false } as unknown as Session;
    /** Values of both statements of the first page. */
    const valuesOf = (filters: object) =>
      testServer.database.read({ tenantId: world.tenantId }, async (db) => {
        const { recording, statements } = recordingOf(db);
        const query = { side: "DOUBLE", page: 1, pageSize: 10, ...filters } as const;
        await findOrders(recording, session, query);
        return statements.map(({ values }) => values);
      });
    const { tenantId, stores } = world;
    expect(await valuesOf({})).toEqual([[tenantId], [tenantId]]);
    expect(await valuesOf({ state: "STORED" })).toEqual([[tenantId], [tenantId]]);
    const [, counting] = await valuesOf({ state: "STORED", storeId: stores[0] });
    expect(counting).toEqual([tenantId, "DOUBLE", stores[0], "STORED"]);
  });

  it("pages neither lose nor repeat an order", async () => {
    const query = { side: "SINGLE", phone: of(world.users, 0).phone };
    const all = (await list({ ...query, pageSize: 100 }, world.people[1])).data.list;
    const turned: number[] = [];
    for (let page = 1; turned.length < all.length; page++) {
      const { data } = await list({ ...query, page, pageSize: 3 }, world.people[1]);
      turned.push(...data.list.map(({ id }) => id));
      if (data.list.length === 0) break;
    }
    expect(turned).toEqual(all.map(({ id }) => id));
  });

  it("phone search needs the whole number or the last four digits", async () => {
    const reply = await list({ side: "SINGLE", phone: "139" }, world.people[1]);
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining("手机号") });
    expect(reply.errMsg).toContain("应为完整的手机号或后四位");
  });

  it("the middle of every phone is hidden", async () => {
    const { data } = await list({ side: "SINGLE", pageSize: 100 }, world.people[1]);
    const phones = data.list.flatMap(({ rider, recipient }) => [rider?.phone, recipient.phone]);
    for (const phone of phones) if (phone) expect(phone).toMatch(/^139\*{4}\d{4}$/);
    const text = JSON.stringify(data);
    for (const { phone } of world.users) expect(text).not.toContain(phone);
  });
});

describe("visibility of orders", () => {
  const idsFor = async (as: Person, query: object = {}) => {
    const both = await Promise.all(
      (["SINGLE", "DOUBLE"] as const).map((side) => list({ side, pageSize: 100, ...query }, as)),
    );
    return both.flatMap(({ data }) => data.list.map(({ id }) => id)).sort();
  };
  const idsOf = (orders: Known[]) => orders.map(({ id }) => id).sort();

  it("maintenance staff see the orders of their stores only", async () => {
    const theirs = world.orders.filter(({ storeId }) => storeId === world.stores[0]);
    expect(theirs.length).toBeGreaterThan(5);
    expect(await idsFor(world.people[2])).toEqual(idsOf(theirs));
    const foreign = world.orders.find(({ storeId }) => storeId === world.stores[1]) as Known;
    for (const spec of [orderContract.get, orderContract.timeline, orderContract.showPhones]) {
      const reply = await testServer.call(spec, world.people[2], {
        params: { id: foreign.id },
        ...(spec.method === "POST" && { body: { reason: "联系取件人" } }),
      });
      expect(reply.errMsg).toBe("订单不存在，或不在您的管理范围内");
    }
  });

  it("platform staff see all tenants, or one", async () => {
    expect(await idsFor(platform, { tenantId: other.tenantId })).toEqual(idsOf(other.orders));
    const all = await idsFor(platform);
    expect(all).toEqual(idsOf([...world.orders, ...other.orders]));
  });
});

describe("one order", () => {
  it("price follows the copied rule while the goods are in", async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const { id: cabinetId } = await makeCabinet(testServer, { tenantId });
    const recipientId = await testServer.database.transaction("platform", (db) =>
      insertEndUser(db, tenantId, "丁"),
    );
    const ids = await testServer.database.transaction("platform", async (db) => ({
      lying: await insertOrder(db, {
        tenantId,
        cabinetId,
        no: 1,
        recipientId,
        storedMinutesAgo: 150,
      }),
      over: await insertOrder(db, {
        ...{ tenantId, cabinetId, no: 2, recipientId, state: "COMPLETED", payStatus: "PAID" },
        ...{ storedMinutesAgo: 150, money: { priceFen: 200, paidPrincipalFen: 200 } },
      }),
      waiting: await insertOrder(db, {
        ...{ tenantId, cabinetId, no: 3, recipientId, state: "PENDING", storedMinutesAgo: null },
      }),
    }));
    const get = async (id: number) =>
      (await testServer.call(orderContract.get, people[1], { params: { id } })).data;
    expect(await get(ids.lying)).toMatchObject({
      priceFen: 300,
      chargedMinutes: 151,
      stayMinutes: 151,
      hasCode: true,
      shortFen: 0,
      place: { connectivity: "ONLINE", cell: { no: 1, doorFront: "CLOSED" } },
    });
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update wallet set principal_fen = 80, bonus_fen = 20 where end_user_id = ${recipientId}`),
    );
    expect(await get(ids.lying)).toMatchObject({ shortFen: 200 });
    // A final price stays, whatever time has passed since.
    expect(await get(ids.over)).toMatchObject({
      priceFen: 200,
      shortFen: 0,
      place: null,
      hasCode: false,
    });
    expect(await get(ids.waiting)).toMatchObject({
      priceFen: 0,
      stayMinutes: null,
      chargedMinutes: null,
    });
  });

  it("whole phones are shown on request and audited", async () => {
    const [order] = world.orders as [Known];
    const reply = await testServer.call(orderContract.showPhones, world.people[1], {
      params: { id: order.id },
      body: { reason: "联系取件人" },
    });
    const phoneOf = (id: number | undefined) => world.users.find((user) => user.id === id)?.phone;
    expect(reply.data.recipient).toBe(phoneOf(order.people[0]));
    expect(reply.data.rider ?? undefined).toBe(phoneOf(order.people[1]));
    const audit = await findAudit(testServer, world.tenantId);
    expect(audit.at(-1)).toMatchObject({
      actorName: world.people[1].username,
      target: expect.stringContaining(String(order.id)),
    });
  });
});
