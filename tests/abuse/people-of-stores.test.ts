// People of other stores: a store-bound account finds only those who used its stores, unless the tenant shares them.
import { randomUUID } from "node:crypto";
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { makeCabinet, makeStore } from "../support/cabinets.ts";
import { insertEndUser, insertStoredOrder } from "../support/orders.ts";
import { makeStorePerson } from "../support/people.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();

it("store-bound account: people, wallets and journals of its stores only; all where the tenant shares them", async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  const [here, there] = [
    await makeStore(testServer, tenantId),
    await makeStore(testServer, tenantId),
  ];
  const cells = [{}, {}, { occupancy: "OCCUPIED" as const }];
  const near = await makeCabinet(testServer, { tenantId, storeId: here, cells });
  const far = await makeCabinet(testServer, { tenantId, storeId: there, cells });
  const bound = await makeStorePerson(testServer, tenantId, here);
  const mine = await atCabinet(tenantId, near.id, here);
  const foreign = await atCabinet(tenantId, far.id, there);
  const stranger = await testServer.database.transaction("platform", (db) =>
    insertEndUser(db, tenantId, "没有订单的人"),
  );

  const idsOf = async (as: Person) => {
    const users = await testServer.call(endUserContract.list, as, { query: {} });
    const wallets = await testServer.call(walletContract.list, as, { query: {} });
    const journals = await testServer.call(ledgerContract.list, as, { query: {} });
    expect([users.errMsg, wallets.errMsg, journals.errMsg]).toEqual(["", "", ""]);
    const ids = users.data.list.map(({ id }) => id).sort((a, b) => a - b);
    expect(wallets.data.list.map(({ endUserId }) => endUserId).sort((a, b) => a - b)).toEqual(ids);
    const known = new Set(ids);
    expect(journals.data.list.every(({ endUserId }) => known.has(endUserId))).toBe(true);
    return ids;
  };
  const open = async (as: Person, id: number) => [
    (await testServer.call(endUserContract.get, as, { params: { id } })).errMsg,
    (await testServer.call(walletContract.get, as, { query: { endUserId: id } })).errMsg,
    (
      await testServer.call(endUserContract.showPhone, as, {
        params: { id },
        body: { reason: "处理投诉" },
      })
    ).errMsg,
  ];
  const absent = Array(3).fill("用户不存在，或不在您的管理范围内");

  expect(await idsOf(bound)).toEqual([mine]);
  expect(await open(bound, mine)).toEqual(["", "", ""]);
  expect(await open(bound, foreign)).toEqual(absent);
  expect(await open(bound, stranger)).toEqual(absent);
  expect(await idsOf(people[1])).toEqual([mine, foreign, stranger]);

  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into tenant_setting (tenant_id, shares_people, edited_by) values (${tenantId}, true, '测试')`),
  );
  expect(await idsOf(bound)).toEqual([mine, foreign, stranger]);
  expect(await open(bound, foreign)).toEqual(["", "", ""]);
});

it("store-bound account: deletes its own notes on a person and not those of others", async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  const storeId = await makeStore(testServer, tenantId);
  const cells = [{}, {}, { occupancy: "OCCUPIED" as const }];
  const cabinet = await makeCabinet(testServer, { tenantId, storeId, cells });
  const bound = await makeStorePerson(testServer, tenantId, storeId);
  const id = await atCabinet(tenantId, cabinet.id, storeId);
  const add = async (text: string, as: Person) =>
    (await testServer.call(endUserContract.addNote, as, { params: { id }, body: { text } })).data
      .id;
  const remove = (noteId: number, as: Person) =>
    testServer.call(endUserContract.deleteNote, as, { params: { id, noteId } });
  const [own, theirs] = [await add("店长写的", bound), await add("总部写的", people[1])];

  const { data } = await testServer.call(endUserContract.get, bound, { params: { id } });
  expect(data.notes.map((note) => [note.id, note.isDeletable])).toEqual([
    [theirs, false],
    [own, true],
  ]);
  expect(await remove(theirs, bound)).toMatchObject({
    status: 403,
    errMsg: expect.stringContaining("您只管理部分门店"),
  });
  expect((await remove(own, bound)).errMsg).toBe("");
  expect((await remove(theirs, people[1])).errMsg).toBe("");
});

/** Somebody with something stored in the cabinet. */
async function atCabinet(tenantId: number, cabinetId: number, storeId: number): Promise<number> {
  return testServer.database.transaction("platform", async (db) => {
    const at = { tenantId, cabinetId, storeId };
    const { endUserId } = await insertStoredOrder(db, at, randomUUID());
    return endUserId;
  });
}
