// Open API at an expired or suspended tenant: new orders are refused, existing ones can be
// finished.
import { randomUUID } from "node:crypto";
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { OpenApiClient, openCallback } from "@cabinet/open-api-client";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  startWebhookSender,
  WebhookClient,
} from "../../apps/server/src/features/messaging/webhook/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { makeOpenApp } from "../support/open-apps.ts";
import { makePerson } from "../support/people.ts";
import { Receiver } from "../support/webhooks.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet } from "./order-fleet.ts";

const fleet = useDeviceFleet({ allowsLoopbackCallbacks: true });

beforeAll(async () => {
  await fleet.startGateway();
  const { database, listener } = fleet.testServer;
  const sender = startWebhookSender({
    ...{ database, listener, log: createLog("silent") },
    client: new WebhookClient({ allowsLoopback: () => true }),
  });
  return () => sender.stop();
});

/**
 * A third party with an API client and a webhook receiver, at a cabinet where storage costs
 * nothing.
 */
async function make() {
  const at = await OrderCabinet.make(fleet, { doors: 3 });
  const { testServer, origin } = fleet;
  const { tenantId, sn } = at.cabinet;
  const app = await makeOpenApp(testServer, { tenantId });
  const { code, kid, secret } = app;
  const client = new OpenApiClient({ origin, app: code, kid, secret, pauseMs: 20 });
  const operator = await makePerson(testServer, tenantId, { userType: 0 });
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.close());
  const { data: endpoint } = await testServer.call(webhookContract.create, operator, {
    body: {
      ...{ name: `回调 ${app.appId}`, url: receiver.url, appId: app.appId },
      types: ["order.stored", "order.completed", "order.cancelled"],
    },
  });
  /** Waits for the verified webhook of this type about this order. */
  const notified = (type: string, orderId: number) =>
    until(`a callback ${type}`, () =>
      receiver.received
        .map(({ headers, body }) =>
          openCallback([endpoint.secret], headers as Record<string, string>, body),
        )
        .find((event) => event.type === type && event.data.orderId === orderId),
    );
  const create = (opensDoor: boolean) =>
    client.createOrder({
      ...{ thirdPartyNo: `SF-${randomUUID()}`, cabinetSn: sn, size: "S" as const },
      ...{ recipientPhone: "13812345678", opensDoor },
    });
  await at.within((db) =>
    db.run(sql`update pricing_rule set step_fen = 0 where cabinet_id = ${at.cabinet.id}`),
  );
  const stored = await create(true);
  await at.opens(await at.take(), "EMPTY");
  await at.closes("PRESENT");
  await notified("order.stored", stored.id);
  return { at, client, create, notified, storedId: stored.id };
}

type Made = Awaited<ReturnType<typeof make>>;

const closures = {
  suspended: (tenantId: number) =>
    sql`update tenant set state = 'SUSPENDED' where id = ${tenantId}`,
  expired: (tenantId: number) => sql`update tenant set expires_at = now() where id = ${tenantId}`,
};

describe.each(Object.entries(closures))("open API at a tenant that is %s", (_name, close) => {
  async function makeClosed({
    before = async (_made: Made, _reservedId: number): Promise<void> => {},
  } = {}) {
    const made = await make();
    const reserved = await made.create(false);
    await before(made, reserved.id);
    const { tenantId } = made.at.cabinet;
    const run = (statement: ReturnType<typeof sql>) =>
      fleet.testServer.database.transaction("platform", (db) => db.run(statement));
    await run(close(tenantId));
    onTestFinished(async () => {
      await run(sql`update tenant set state = 'ACTIVE', expires_at = null where id = ${tenantId}`);
    });
    return { ...made, reservedId: reserved.id };
  }

  it("orders inside: found, opened for pickup, completed, and sent to the webhook", async () => {
    const { at, client, notified, storedId } = await makeClosed();
    expect((await client.whoAmI()).scopes).toContain("order:open");
    expect(await client.order(storedId)).toMatchObject({ state: "STORED" });
    const { list } = await client.orders();
    expect(list.map(({ id }) => id)).toContain(storedId);
    const opening = await client.openDoor(storedId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    expect(await client.opening(opening.id)).toMatchObject({ state: "CONFIRMED" });
    await at.closes("EMPTY");
    expect(await client.order(storedId)).toMatchObject({ state: "COMPLETED" });
    await notified("order.completed", storedId);
  });

  it("reserved compartment: cancelled, and sent to the webhook", async () => {
    const { client, notified, reservedId } = await makeClosed();
    expect(await client.cancelOrder(reservedId)).toEqual({ state: "CANCELLED" });
    await notified("order.cancelled", reservedId);
  });

  it("deposit under way: opened again, and stored", async () => {
    const { at, client, reservedId } = await makeClosed({
      before: async (made, id) => {
        await made.client.openDoor(id, "DEPOSIT");
        await made.at.ack(await made.at.take(), "REJECTED");
      },
    });
    const { no } = await client.openDoor(reservedId, "DEPOSIT");
    const command = await at.take();
    await at.ack(command, "ACKED");
    await at.event("DOOR_OPENED", { ...at.cell("OPEN", "EMPTY"), no }, command.cmdId);
    await at.ack(command, "CONFIRMED");
    await at.event("DOOR_CLOSED", { ...at.cell("CLOSED", "PRESENT"), no });
    expect(await client.order(reservedId)).toMatchObject({ state: "STORED" });
  });

  it("new orders and deposits: 422 TENANT_CLOSED, and cabinets give the reason", async () => {
    const { at, client, create, reservedId } = await makeClosed();
    await expect(client.openDoor(reservedId, "DEPOSIT")).rejects.toMatchObject({
      ...{ status: 422, code: "TENANT_CLOSED" },
    });
    expect(await client.order(reservedId)).toMatchObject({ state: "PENDING", opening: null });
    for (const opensDoor of [false, true]) {
      await expect(create(opensDoor)).rejects.toMatchObject({
        ...{ status: 422, code: "TENANT_CLOSED" },
      });
    }
    const { sn } = at.cabinet;
    expect(await client.cabinet(sn)).toMatchObject({
      ...{ refusal: "租户已到期或已停用", refusalCode: "TENANT_INACTIVE" },
    });
    const { list } = await client.cabinets({ limit: 100 });
    expect(list.find((cabinet) => cabinet.sn === sn)).toMatchObject({
      refusal: "租户已到期或已停用",
    });
  });
});
