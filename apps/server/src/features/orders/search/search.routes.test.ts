// The search box: what each text finds, and what each account sees of it.
import { searchContract } from "@cabinet/contract/orders/search/search.contract.ts";
import { beforeAll, expect, test } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { insertEndUser, insertOrder } from "../../../../../../tests/support/orders.ts";
import { makePerson } from "../../../../../../tests/support/people.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
/** 77 is in no other number: ends and starts below are unique. */
const PHONES = ["13577014618", "13577024618", "13577039999"] as const;

let platform: Person;
let world: Awaited<ReturnType<typeof makeWorld>>;
let other: Awaited<ReturnType<typeof makeWorld>>;

async function makeWorld(mark: string, phones: readonly string[]) {
  const { id: tenantId, people } = await testServer.makeTenant();
  const mine = await makeStore(testServer, tenantId, [people[2].operatorId]);
  const far = await makeStore(testServer, tenantId);
  const near = await makeCabinet(testServer, {
    tenantId,
    storeId: mine,
    name: `${mark}近柜`,
    cells: [{}, {}, {}, {}],
  });
  const away = await makeCabinet(testServer, {
    tenantId,
    storeId: far,
    name: `${mark}远柜`,
    cells: [{}, {}, {}, {}],
  });
  return testServer.database.transaction("platform", async (db) => {
    await db.run(sql`update store set name = ${`${mark}近店`} where id = ${mine}`);
    await db.run(sql`update store set name = ${`${mark}远店`} where id = ${far}`);
    const users = [];
    for (const phone of phones) {
      const id = await insertEndUser(db, tenantId, mark);
      await db.run(sql`update end_user set phone = ${phone} where id = ${id}`);
      users.push(id);
    }
    const [first = 0, second = first, third = first] = users;
    const at = (cabinetId: number, no: number) => ({ tenantId, cabinetId, no });
    const done = await insertOrder(db, {
      ...at(near.id, 1),
      recipientId: first,
      state: "COMPLETED",
      side: "DOUBLE",
    });
    const live = await insertOrder(db, {
      ...at(near.id, 2),
      recipientId: first,
      state: "STORED",
      createdAt: new Date(Date.now() - 86_400_000),
    });
    const away1 = await insertOrder(db, {
      ...at(away.id, 1),
      recipientId: second,
      riderId: third,
      state: "STORED",
      thirdPartyNo: `${mark}-A1`,
    });
    return { tenantId, people, near, away, users, done, live, away1 };
  });
}

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  world = await makeWorld("甲", PHONES);
  other = await makeWorld("乙", [PHONES[0]]);
});

async function search(as: Person, text: string) {
  const { data } = await testServer.call(searchContract.find, as, { query: { text } });
  return data;
}
const ids = (hits: readonly { id: number }[]) => hits.map(({ id }) => id);

test("search: last four digits find people and their orders of both sides, live ones first", async () => {
  const found = await search(world.people[0], "4618");
  expect(ids(found.people).toSorted()).toEqual(world.users.slice(0, 2).toSorted());
  expect(found.people.map(({ phone }) => phone)).toEqual(["135****4618", "135****4618"]);
  expect(ids(found.orders)).toEqual([world.away1, world.live, world.done]);
  expect(found.orders.at(-1)).toMatchObject({ side: "DOUBLE", cabinetName: "甲近柜" });
});

test("search: a whole phone, its last four digits and no other part", async () => {
  for (const text of ["13577039999", "+86 135 7703 9999", "9999"]) {
    const found = await search(world.people[0], text);
    expect(ids(found.people)).toEqual([world.users[2]]);
    expect(ids(found.orders)).toEqual([world.away1]);
  }
  for (const part of ["5770", "1357", "1357703", "039999"]) {
    expect((await search(world.people[0], part)).people).toEqual([]);
  }
});

test("search: order number and third-party number", async () => {
  expect(ids((await search(world.people[0], String(world.done))).orders)).toEqual([world.done]);
  expect(ids((await search(world.people[0], " 甲-A1 ")).orders)).toEqual([world.away1]);
});

test("search: cabinets by number and name, stores, accounts; wildcards are characters", async () => {
  const admin = world.people[0];
  expect(ids((await search(admin, "甲远")).cabinets)).toEqual([world.away.id]);
  expect((await search(admin, "甲远")).stores.map(({ name }) => name)).toEqual(["甲远店"]);
  const bySn = await search(admin, world.near.sn.slice(-6).toLowerCase());
  expect(ids(bySn.cabinets)).toEqual([world.near.id]);
  const byAccount = await search(admin, admin.username);
  expect(ids(byAccount.accounts)).toEqual([admin.operatorId]);
  expect((await search(admin, "%%")).cabinets).toEqual([]);
});

test("search: a tenant sees its own rows, platform staff those of all", async () => {
  expect(ids((await search(other.people[0], PHONES[0])).orders)).not.toContain(world.live);
  expect((await search(other.people[0], "甲远")).cabinets).toEqual([]);
  expect((await search(other.people[0], "甲-A1")).orders).toEqual([]);
  const all = await search(platform, PHONES[0]);
  expect(ids(all.people).toSorted()).toEqual([world.users[0], other.users[0]].toSorted());
  expect(ids(all.orders)).toEqual(expect.arrayContaining([world.live, other.live]));
});

test("search: a store-bound account sees the orders and cabinets of its stores", async () => {
  const bound = world.people[2];
  const found = await search(bound, "4618");
  expect(ids(found.orders)).not.toContain(world.away1);
  expect((await search(bound, "远柜")).cabinets).toEqual([]);
  expect((await search(bound, "远店")).stores).toEqual([]);
  expect(ids((await search(bound, "近柜")).cabinets)).toEqual([world.near.id]);
});

test("search: without a permission its group stays empty; one character is refused", async () => {
  const nobody = await makePerson(testServer, world.tenantId, { roleIds: [] });
  expect(await search(nobody, "4618")).toEqual({
    orders: [],
    people: [],
    cabinets: [],
    stores: [],
    accounts: [],
  });
  const refused = await testServer.call(searchContract.find, nobody, { query: { text: "4" } });
  expect(refused.code).toBe(1);
});
