// Cancelling a deposit by app, console and open API: only an empty compartment behind a closed door
// is released.
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { callOpen, makeOpenApp } from "../support/open-apps.ts";
import { makePerson } from "../support/people.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, silence } from "./order-fleet.ts";

const fleet = useDeviceFleet();
beforeAll(() => fleet.startGateway());

interface Deposit {
  at: OrderCabinet;
  orderId: number;
  cancel: () => Promise<{ status: number; errCode?: string; errMsg: string; data: unknown }>;
}

/**
 * By channel: starts a deposit, requests its door, and returns the cancel call of the same channel.
 */
const ways: Record<string, () => Promise<Deposit>> = {
  async "open API"() {
    const { testServer } = fleet;
    const at = await OrderCabinet.make(fleet);
    const { tenantId, sn } = at.cabinet;
    const app = await makeOpenApp(testServer, { tenantId });
    const { data } = await callOpen(testServer, app, openApiContract.createOrder, {
      body: {
        ...{ thirdPartyNo: `SF${at.cabinet.id}`, cabinetSn: sn, size: "S" },
        ...{ recipientPhone: "13812345678", opensDoor: true },
      },
    });
    const params = { id: data.id };
    const cancel = () => callOpen(testServer, app, openApiContract.cancelOrder, { params });
    return { at, orderId: data.id, cancel };
  },
  async app() {
    const { testServer } = fleet;
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const rider = await testServer.makeAppPerson(at.cabinet.tenantId, at.riderId);
    const params = { id: orderId };
    return {
      at,
      orderId,
      cancel: () => testServer.call(appOrderContract.cancel, rider, { params }),
    };
  },
  async console() {
    const { testServer } = fleet;
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const operator = await makePerson(testServer, at.cabinet.tenantId, { userType: 0 });
    const input = { params: { id: orderId }, body: { reason: "下错单" } };
    return {
      at,
      orderId,
      cancel: () => testServer.call(orderActionContract.cancel, operator, input),
    };
  },
};

describe.each(Object.entries(ways))("cancelling by %s", (name, begin) => {
  const refused =
    name === "open API"
      ? { status: 409, errCode: "ORDER_NOT_CANCELLABLE" }
      : { status: 200, code: 1 };
  const granted = { status: 200, code: 0 };

  it("door open: refused, nothing changes; goods put in are stored", async () => {
    const { at, orderId, cancel } = await begin();
    await at.opens(await at.take(), "EMPTY");
    const before = await at.facts(orderId);
    expect(before.state).toBe("DEPOSITING");
    expect(await cancel()).toMatchObject({
      ...refused,
      errMsg: "现在不能取消：箱门未关，请关好箱门后再取消",
    });
    expect(await at.facts(orderId)).toEqual(before);
    await at.event("ITEM_PLACED", at.cell("OPEN", "PRESENT"));
    expect(await cancel()).toMatchObject(refused);
    await at.closes("PRESENT");
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", occupancy: "OCCUPIED" });
  });

  it("door closed, compartment empty: cancelled, and the compartment is free", async () => {
    const { at, orderId, cancel } = await begin();
    await at.opens(await at.take(), "EMPTY");
    expect(await cancel()).toMatchObject(refused);
    await at.closes("EMPTY");
    expect(await cancel()).toMatchObject(granted);
    expect(await at.facts(orderId)).toMatchObject({ state: "CANCELLED", occupancy: "FREE" });
  });

  it("opening without answer: refused on a sensor value from before it", async () => {
    const { at, orderId, cancel } = await begin();
    await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    const before = await at.facts(orderId);
    expect(await cancel()).toMatchObject(refused);
    expect(await at.facts(orderId)).toEqual(before);
    await at.answersResync(at.cell("CLOSED", "EMPTY"));
    expect(await cancel()).toMatchObject(granted);
  });

  it("item sensor unknown and opening in doubt: refused, nothing changes", async () => {
    const { at, orderId, cancel } = await begin();
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "UNKNOWN"));
    await at.ack(await at.take(), "UNKNOWN");
    const before = await at.facts(orderId);
    expect(before).toMatchObject({ state: "PENDING", isInDoubt: true });
    expect(await cancel()).toMatchObject({
      ...refused,
      errMsg: "现在不能取消：无法确认格口内没有物品，请现场核实",
    });
    expect(await at.facts(orderId)).toEqual(before);
  });
});
