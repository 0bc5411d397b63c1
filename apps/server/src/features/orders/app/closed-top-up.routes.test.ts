// Top-ups of closed users: limited to the missing amount for their debts.
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "../../../../../../tests/support/tenant-world.ts";
import { type AppPerson, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let world: World;
/** Owes 1 or 2 yuan for goods stored an hour ago, with an empty wallet. */
let owner: AppPerson;

const run = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

beforeAll(async () => {
  await testServer.makeTenant(1);
});
beforeEach(async () => {
  tenantId = (await testServer.makeTenant()).id;
  world = await makeWorld(testServer, tenantId, null);
  owner = await testServer.makeAppPerson(tenantId, world.ids.endUserId);
  await run(sql`
    update wallet set principal_fen = 0, bonus_fen = 0, held_principal_fen = 0, held_bonus_fen = 0
    where end_user_id = ${owner.endUserId}`);
  await run(sql`delete from package_use where tenant_id = ${tenantId}`);
  await run(sql`update user_package set expires_at = now() where tenant_id = ${tenantId}`);
  await run(sql`
    update storage_order set stored_at = now() - interval '299 minutes'
    where id = ${world.ids.orderId}`);
});

const topUp = (amountFen: number, as = owner, more: object = {}) =>
  testServer.call(appWalletContract.topUp, as, { body: { openid: "o-1", amountFen, ...more } });
const wallet = async (as = owner) => (await testServer.call(appWalletContract.wallet, as)).data;

const closures: [name: string, why: string, close: () => Promise<unknown>][] = [
  [
    "a locked person",
    "您的账号已被锁定",
    () => run(sql`update end_user set state = 'LOCKED' where tenant_id = ${tenantId}`),
  ],
  [
    "a closed tenant",
    "本运营商已暂停服务",
    () => run(sql`update tenant set expires_at = now() where id = ${tenantId}`),
  ],
];

describe.each(closures)("%s", (_name, why, close) => {
  it("allows a top-up of the missing amount in whole yuan, and no more", async () => {
    expect(await wallet()).toMatchObject({ isTopUpOpen: true, topUpMostFen: 200_000 });
    await close();
    expect(await wallet()).toMatchObject({ isTopUpOpen: true, topUpMostFen: 500 });
    expect(await topUp(600)).toMatchObject({
      code: 1,
      errMsg: `${why}，现在只能充值待支付的费用，最多 5 元`,
    });
    expect((await topUp(500)).errMsg).toBe("");
    await run(sql`update wallet set bonus_fen = 350 where end_user_id = ${owner.endUserId}`);
    expect((await wallet()).topUpMostFen).toBe(200);
    await run(sql`update wallet set bonus_fen = 500 where end_user_id = ${owner.endUserId}`);
    expect(await wallet()).toMatchObject({ isTopUpOpen: false, topUpMostFen: 0 });
    expect(await topUp(100)).toMatchObject({
      code: 1,
      errMsg: `${why}，没有待支付的费用，不用充值`,
    });
  });

  it("allows a top-up for the unpaid fee of an ended order, which it then pays", async () => {
    await run(sql`delete from live_order where order_id = ${world.ids.orderId}`);
    await run(sql`
      update storage_order set state = 'COMPLETED', pay_status = 'UNPAID', price_fen = 250,
        ended_at = now()
      where id = ${world.ids.orderId}`);
    await close();
    expect((await wallet()).topUpMostFen).toBe(300);
    await run(sql`update wallet set principal_fen = 300 where end_user_id = ${owner.endUserId}`);
    const params = { id: world.ids.orderId };
    expect(await testServer.call(appOrderContract.pay, owner, { params })).toMatchObject({
      code: 0,
      data: { paidFen: 250 },
    });
  });

  it("refuses bonus packages, and shows what is still allowed", async () => {
    await close();
    const bonus = await testServer.call(appWalletContract.topUp, owner, {
      body: { openid: "o-1", packageId: world.ids.bonusPackageId },
    });
    expect(bonus).toMatchObject({ code: 1, errMsg: expect.stringContaining("购买套餐") });
    const { data } = await testServer.call(appContract.me, owner);
    expect(data.notice).toBe(`${why}，只能取出柜内的物品、付清费用，请联系客服`);
    const stranger = await testServer.makeAppPerson(tenantId, world.ids.spareUserId);
    expect(await topUp(100, stranger)).toMatchObject({
      errMsg: expect.stringContaining("没有待支付的费用"),
    });
  });
});
