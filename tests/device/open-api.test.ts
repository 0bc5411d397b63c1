// Order of a third party, from the signed request over real doors to the signed webhook.

import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { businessOrderContract } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { OpenApiClient, OpenApiError, openCallback } from "@cabinet/open-api-client";
import { beforeAll, expect, it } from "vitest";
import {
  startWebhookSender,
  WebhookClient,
} from "../../apps/server/src/features/messaging/webhook/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { makePerson } from "../support/people.ts";
import type { Person } from "../support/test-server.ts";
import { Receiver } from "../support/webhooks.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet } from "./order-fleet.ts";

const fleet = useDeviceFleet({ allowsLoopbackCallbacks: true });
let at: OrderCabinet;
let operator: Person;
let client: OpenApiClient;
let receiver: Receiver;
let callbackSecret: string;

beforeAll(async () => {
  await fleet.startGateway();
  at = await OrderCabinet.make(fleet, { doors: 2 });
  const { testServer } = fleet;
  const { tenantId } = at.cabinet;
  const { roleId } = await testServer.database.transaction("platform", async (db) => {
    const role = await db.one<{ roleId: number }>(sql`
      insert into role (tenant_id, name, store_scope) values (${tenantId}, '运营', 'ALL')
      returning id as role_id`);
    await db.run(sql`
      insert into role_menu_entry
      select ${tenantId}, ${role.roleId}, id from tenant_entries(${tenantId})`);
    return role;
  });
  operator = await makePerson(testServer, tenantId, { roleIds: [roleId] });

  const app = await testServer.call(openAppContract.create, operator, {
    body: {
      ...{ name: "顺路快递", scopes: ["order:read", "order:write", "order:open", "cabinet:read"] },
      ...{ networks: ["127.0.0.1"], ratePerMinute: 600, isSettling: false, remark: "" },
      reserveSharePercent: 33,
    },
  });
  const { data: key } = await testServer.call(openAppContract.issue, operator, {
    params: { id: app.data.id },
    body: { overlapHours: 24 },
  });
  client = new OpenApiClient({ origin: fleet.origin, ...key, pauseMs: 20 });

  receiver = await Receiver.start();
  const endpoint = await testServer.call(webhookContract.create, operator, {
    body: {
      ...{ name: "顺路回调", url: receiver.url, appId: app.data.id },
      types: ["order.created", "order.stored", "order.completed"],
    },
  });
  callbackSecret = endpoint.data.secret;
  const sender = startWebhookSender({
    ...{
      database: testServer.database,
      listener: testServer.listener,
      log: createLog("silent"),
    },
    client: new WebhookClient({ allowsLoopback: () => true }),
  });
  return async () => {
    await sender.stop();
    await receiver.close();
  };
});

/** The webhooks received so far, each verified by its signature. */
const webhooks = () =>
  receiver.received.map(({ headers, body }) =>
    openCallback(
      [callbackSecret],
      {
        "webhook-id": String(headers["webhook-id"]),
        "webhook-timestamp": String(headers["webhook-timestamp"]),
        "webhook-signature": String(headers["webhook-signature"]),
      },
      body,
    ),
  );

const webhookOf = (type: string) =>
  until(`a callback ${type}`, () => webhooks().find((event) => event.type === type));

it("third party's order: created, stored, picked up, with one webhook for each step", async () => {
  const me = await client.whoAmI();
  expect(me).toMatchObject({ name: "顺路快递", scopes: expect.arrayContaining(["order:open"]) });
  const { list: cabinets } = await client.cabinets();
  expect(cabinets.map(({ sn }) => sn)).toContain(at.cabinet.sn);
  const { sizes } = await client.cabinet(at.cabinet.sn);
  expect(sizes).toEqual([{ size: "S", total: 2, free: 2, pricing: expect.any(String) }]);

  const wanted = {
    ...{ thirdPartyNo: "SF/10 01", cabinetSn: at.cabinet.sn, size: "S" as const },
    ...{ recipientPhone: "13812345678", opensDoor: true },
  };
  await expect(client.createOrder(wanted)).rejects.toMatchObject({
    ...{ status: 400, code: "VALIDATION", param: "thirdPartyNo" },
    mistakes: [{ param: "thirdPartyNo", errMsg: "“第三方单号”的格式不对" }],
  });
  const order = await client.createOrder({ ...wanted, thirdPartyNo: "SF/1001" });
  expect(order).toMatchObject({ state: "PENDING", opening: { purpose: "DEPOSIT" } });
  expect((await webhookOf("order.created")).data).toMatchObject({
    ...{ orderId: order.id, thirdPartyNo: "SF/1001", state: "PENDING" },
  });

  await at.opens(await at.take(), "EMPTY");
  await until("the opening is known", async () => {
    const opening = await client.opening(order.opening?.id ?? "");
    return opening.isSettled && opening.state === "CONFIRMED" ? opening : undefined;
  });
  await at.closes("PRESENT");
  const stored = await webhookOf("order.stored");
  expect(stored.data).toMatchObject({ orderId: order.id, state: "STORED" });
  expect(JSON.stringify(webhooks())).not.toContain("13812345678");
  expect(await client.orderByThirdPartyNo("SF/1001")).toMatchObject({ state: "STORED" });

  const once = { idempotencyKey: "pickup-1" };
  // The first hour has begun: ORDER_OWES, as the third party does not settle the fee itself.
  const refusal = await client.openDoor(order.id, "PICKUP", once).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OpenApiError);
  expect(refusal).toMatchObject({ status: 422, code: "ORDER_OWES" });
  await at.within((db) =>
    db.run(sql`
      update storage_order set pricing = jsonb_set(pricing, '{rule,stepFen}', '0')
      where id = ${order.id}`),
  );
  const [first, again] = await Promise.all([
    client.openDoor(order.id, "PICKUP", once),
    client.openDoor(order.id, "PICKUP", once),
  ]);
  expect(again).toEqual(first);
  await at.opens(await at.take(), "PRESENT");
  await at.closes("EMPTY");
  expect((await webhookOf("order.completed")).data).toMatchObject({ state: "COMPLETED" });
  expect(await client.order(order.id)).toMatchObject({ state: "COMPLETED", owedFen: 0 });
  expect(await client.orders()).toMatchObject({ list: [{ id: order.id }], nextAfter: null });

  const { testServer } = fleet;
  const commands = await fleet.findCommands(at.cabinet);
  expect(commands.map(({ state }) => state)).toEqual(["CONFIRMED", "CONFIRMED"]);
  const books = await until("the callback is settled", async () => {
    const { data } = await testServer.call(businessOrderContract.list, operator, {
      query: { thirdPartyNo: "SF/1001" },
    });
    return data.list[0]?.lastCallback?.state === "DELIVERED" ? data.list[0] : undefined;
  });
  expect(books).toMatchObject({
    ...{ orderId: order.id, difference: "SAME", toldState: "COMPLETED", appName: "顺路快递" },
    lastCallback: { type: "order.completed", statusCode: 204 },
  });
  const { data: timeline } = await testServer.call(orderContract.timeline, operator, {
    params: { id: order.id },
  });
  expect(JSON.stringify(timeline)).toContain("顺路快递");
});
