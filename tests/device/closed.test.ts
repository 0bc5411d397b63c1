// Locked person, expired or suspended tenant: new deposits are refused, stored goods can still be
// taken out.
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { Refusal } from "../../apps/server/src/platform/errors.ts";
import type { AppPerson } from "../support/test-server.ts";
import { useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet } from "./order-fleet.ts";

const fleet = useDeviceFleet();
beforeAll(() => fleet.startGateway());
// All cabinets of the fleet belong to one tenant; reopen it.
afterEach(() =>
  fleet.testServer.database.transaction("platform", (db) =>
    db.run(sql`update tenant set state = 'ACTIVE', expires_at = null`),
  ),
);

const closures = {
  "a locked person": {
    words: "您的账号已被锁定，暂不能存件",
    code: "END_USER_LOCKED",
    close: ({ cabinet, riderId, recipientId }: OrderCabinet) => sql`
      update end_user set state = 'LOCKED', locked_until = now() + interval '1 hour'
      where tenant_id = ${cabinet.tenantId} and id in (${riderId}, ${recipientId})`,
    reopen: ({ cabinet }: OrderCabinet) => sql`
      update end_user set locked_until = now() where tenant_id = ${cabinet.tenantId}`,
  },
  "a tenant whose term is over": {
    words: "本运营商已暂停服务，暂不能存件",
    code: "TENANT_CLOSED",
    close: ({ cabinet }: OrderCabinet) =>
      sql`update tenant set expires_at = now() where id = ${cabinet.tenantId}`,
    reopen: ({ cabinet }: OrderCabinet) =>
      sql`update tenant set expires_at = null where id = ${cabinet.tenantId}`,
  },
  "a suspended tenant": {
    words: "本运营商已暂停服务，暂不能存件",
    code: "TENANT_CLOSED",
    close: ({ cabinet }: OrderCabinet) =>
      sql`update tenant set state = 'SUSPENDED' where id = ${cabinet.tenantId}`,
    reopen: ({ cabinet }: OrderCabinet) =>
      sql`update tenant set state = 'ACTIVE' where id = ${cabinet.tenantId}`,
  },
};

describe.each(Object.entries(closures))("%s", (_name, { words, code, close, reopen }) => {
  async function make() {
    const at = await OrderCabinet.make(fleet);
    const { testServer } = fleet;
    const { tenantId, sn } = at.cabinet;
    const run = (statement: ReturnType<typeof sql>) =>
      testServer.database.transaction("platform", (db) => db.run(statement));
    const rider = await testServer.makeAppPerson(tenantId, at.riderId);
    const recipient = await testServer.makeAppPerson(tenantId, at.recipientId);
    const deposit = () =>
      testServer.call(appOrderContract.deposit, rider, {
        body: { sn, size: "S", recipientPhone: recipient.phone },
      });
    const out = (as: AppPerson, id: number, call: "pickup" | "takeBack") =>
      testServer.call(appOrderContract[call], as, { params: { id }, body: { agreedFen: 300 } });
    return {
      ...{ at, testServer, sn, rider, recipient, deposit, out },
      close: () => run(close(at)),
      reopen: () => run(reopen(at)),
      run,
    };
  }

  it("refuses new deposits and packages until reopened", async () => {
    const { at, testServer, rider, deposit, ...place } = await make();
    await place.close();
    const before = await commandsOf(at);
    expect(await deposit()).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    const buy = await testServer.call(appWalletContract.buyPackage, rider, {
      params: { id: 1 },
      body: { agreedFen: 100 },
    });
    expect(buy).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    // The domain function refuses as well, not only the call of the app.
    const refusal = await at.start().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).code).toBe(code);
    expect(await commandsOf(at)).toBe(before);
    await place.reopen();
    const { data, errMsg } = await deposit();
    expect(errMsg).toBe("");
    await at.opens(await at.take(), "EMPTY");
    await at.closes("PRESENT");
    expect((await at.facts(data.orderId)).state).toBe("STORED");
  });

  it("paid pickup, paid take-back and free pickup by code still work", async () => {
    const { at, testServer, sn, rider, recipient, out, run, ...place } = await make();
    const picked = await at.stored(90);
    await place.close();
    expect((await out(recipient, picked, "pickup")).errMsg).toBe("");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(picked)).toMatchObject({
      ...{ state: "COMPLETED", payStatus: "PAID", paidFen: 200, occupancy: "FREE" },
    });

    await place.reopen();
    const taken = await at.stored(30);
    await place.close();
    expect((await out(rider, taken, "takeBack")).errMsg).toBe("");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(taken)).toMatchObject({ state: "TAKEN_BACK", paidFen: 100 });

    await place.reopen();
    const free = await at.stored(0);
    await run(sql`
      update storage_order set pricing = jsonb_set(pricing, '{rule,freeMinutes}', '600')
      where id = ${free}`);
    await place.close();
    const phoneTail = recipient.phone.slice(-4);
    const body = { sn, code: await at.code(free), phoneTail, agreedFen: 0 };
    expect((await testServer.call(appOrderContract.pickupByCode, null, { body })).errMsg).toBe("");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(free)).toMatchObject({ state: "COMPLETED", paidFen: 0 });
  });

  it("paid pickup by code, a begun deposit and the order list still work", async () => {
    const { at, testServer, sn, rider, recipient, deposit, ...place } = await make();
    const { orderId } = (await deposit()).data;
    await at.ack(await at.take(), "REJECTED");
    await place.close();
    const again = await testServer.call(appOrderContract.openAgain, rider, {
      params: { id: orderId },
    });
    expect(again.errMsg).toBe("");
    await at.opens(await at.take(), "EMPTY");
    await at.closes("PRESENT");
    const mine = await testServer.call(appOrderContract.list, recipient, {
      query: { isLive: true },
    });
    expect(mine.data.list.map(({ id }) => id)).toEqual([orderId]);
    await at.within((db) =>
      db.run(sql`update storage_order set stored_at = stored_at - interval '90 minutes'
        where id = ${orderId}`),
    );
    const phoneTail = recipient.phone.slice(-4);
    const body = { sn, code: await at.code(orderId), phoneTail, agreedFen: 300 };
    expect((await testServer.call(appOrderContract.pickupByCode, recipient, { body })).errMsg).toBe(
      "",
    );
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", payStatus: "PAID" });
  });
});

async function commandsOf(at: OrderCabinet): Promise<number> {
  const { n } = await at.within((db) =>
    db.one<{ n: number }>(sql`
      select count(*)::int as n from command where cabinet_id = ${at.cabinet.id}`),
  );
  return n;
}
