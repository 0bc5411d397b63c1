// Webhooks of applications: delivery while enabled, own addresses only, secrets that can be opened.

import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { businessOrderContract } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { makeCabinet } from "../../../../../../tests/support/cabinets.ts";
import {
  callOpen,
  makeOpenApp,
  type OpenCaller,
} from "../../../../../../tests/support/open-apps.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { Receiver, until } from "../../../../../../tests/support/webhooks.ts";
import { sql } from "../../../platform/db/sql.ts";
import { createLog } from "../../../platform/log.ts";
import { WebhookClient } from "./webhook.client.ts";
import { startWebhookSender } from "./webhook-sender.runner.ts";

const testServer = useTestServer({ allowsLoopbackCallbacks: true });
let sender: { stop(): Promise<void> };
let theirs: Receiver;
let ours: Receiver;
let owner: Person;
let tenantId: number;
let app: OpenCaller;

beforeAll(() => {
  const { database, listener } = testServer;
  const client = new WebhookClient({ allowsLoopback: () => true, timeoutMs: 2_000 });
  sender = startWebhookSender({ database, listener, log: createLog("silent"), client });
});
afterAll(() => sender.stop());
beforeEach(async () => {
  [theirs, ours] = await Promise.all([Receiver.start(), Receiver.start()]);
  const tenant = await testServer.makeTenant();
  [tenantId, owner] = [tenant.id, tenant.people[0]];
  app = await makeOpenApp(testServer, { tenantId });
  return async () => {
    await Promise.all([theirs.close(), ours.close()]);
  };
});

async function makeEndpoint(name: string, url: string, appId: number | null) {
  const body = { name, url, types: ["order.created", "order.cancelled"], appId };
  const { data, errMsg } = await testServer.call(webhookContract.create, owner, { body });
  expect(errMsg).toBe("");
  return data.id;
}

async function order() {
  const cabinet = await makeCabinet(testServer, { tenantId, cells: [{}, {}, {}] });
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update cabinet set is_greeted = true where id = ${cabinet.id}`),
  );
  const body = {
    ...{ thirdPartyNo: `SF${cabinet.id}`, cabinetSn: cabinet.sn, size: "S" },
    recipientPhone: "13812345678",
  };
  const { data, errMsg } = await callOpen(testServer, app, openApiContract.createOrder, { body });
  expect(errMsg).toBe("");
  return data.id;
}

const cancel = (id: number) =>
  testServer.call(orderActionContract.cancel, owner, {
    params: { id },
    body: { reason: "骑手改派" },
  });

async function deliveries(query: object) {
  const { data } = await testServer.call(webhookContract.deliveries, owner, { query });
  return data.list;
}

it("business order list: counts an event as delivered by the application's own endpoint alone", async () => {
  await makeEndpoint("自己的", ours.url, null);
  await makeEndpoint("第三方的", theirs.url, app.appId);
  const id = await order();
  await theirs.until(({ length }) => length === 1);
  theirs.answer = (response) => response.writeHead(500).end();
  await cancel(id);
  await ours.until(({ length }) => length === 2);
  const row = async () => {
    const { data } = await testServer.call(businessOrderContract.list, owner, {
      query: { orderId: id },
    });
    return data.list[0];
  };
  const behind = await until(row, (found) => found?.lastCallback?.statusCode === 500);
  expect(behind).toMatchObject({
    ...{ state: "CANCELLED", toldState: "PENDING", difference: "BEHIND" },
    lastCallback: { type: "order.cancelled", state: "WAITING" },
  });
  theirs.answer = (response) => response.writeHead(204).end();
  await testServer.database.transaction({ tenantId }, async (db) => {
    await db.run(sql`
      update callback_delivery set next_at = now()
      where tenant_id = ${tenantId} and state = 'WAITING'`);
    await db.run(sql`select pg_notify('callback', 'null')`);
  });
  const delivered = await until(row, (found) => found?.toldState === "CANCELLED");
  expect(delivered).toMatchObject({ difference: "SAME", lastCallback: { state: "DELIVERED" } });
  const own = await deliveries({ orderId: id, appId: app.appId });
  expect(own.map(({ endpointName }) => endpointName)).toEqual(["第三方的", "第三方的"]);
  expect(await deliveries({ orderId: id })).toHaveLength(4);
});

it("disabled application: receives nothing, waiting deliveries are kept and resume when enabled", async () => {
  const id = await makeEndpoint("第三方的", theirs.url, app.appId);
  theirs.answer = (response) => response.writeHead(503, { "retry-after": "60" }).end();
  const first = await order();
  await until(
    () => deliveries({ endpointId: id }),
    ([one]) => one?.lastStatus === 503,
  );
  const input = { params: { id: app.appId }, body: { reason: "密钥疑似泄露" } };
  expect(await testServer.call(openAppContract.disable, owner, input)).toMatchObject({ code: 0 });
  const endpoint = async () =>
    (await testServer.call(webhookContract.endpoint, owner, { params: { id } })).data;
  expect(await endpoint()).toMatchObject({
    ...{ state: "DISABLED", appState: "DISABLED", waiting: 1 },
    stateReason: "接口应用已停用：密钥疑似泄露",
  });
  const listed = await testServer.call(webhookContract.endpoints, owner, {
    query: { state: "DISABLED" },
  });
  expect(listed.data.list.map((one) => one.id)).toEqual([id]);

  theirs.answer = (response) => response.writeHead(204).end();
  await testServer.database.transaction({ tenantId }, (db) =>
    db.run(sql`
      update callback_delivery set next_at = now()
      where tenant_id = ${tenantId} and state = 'WAITING'`),
  );
  // Due deliveries go out together: when the tenant's endpoint got this one, a waiting one would
  // have gone out too.
  await makeEndpoint("自己的", ours.url, null);
  await cancel(first);
  await ours.until(({ length }) => length === 1);
  expect(theirs.received).toHaveLength(1);
  const [waiting] = await deliveries({ endpointId: id });
  expect(waiting).toMatchObject({ type: "order.created", state: "WAITING" });

  const enable = () => testServer.call(webhookContract.enable, owner, { params: { id } });
  expect((await enable()).errMsg).toContain("请先启用这个应用");
  await testServer.call(openAppContract.enable, owner, { params: { id: app.appId } });
  await theirs.until(({ length }) => length === 2);
  await until(endpoint, ({ state, waiting: left }) => state === "ENABLED" && left === 0);
  // No delivery was created for events of the disabled period.
  expect(await deliveries({ endpointId: id })).toHaveLength(1);
});

it("replay to a paused endpoint: refused with a text that says what to do", async () => {
  const id = await makeEndpoint("自己的", ours.url, null);
  await order();
  const [sent] = await until(
    () => deliveries({ endpointId: id, state: "DELIVERED" }),
    ({ length }) => length === 1,
  );
  await testServer.call(webhookContract.disable, owner, {
    params: { id },
    body: { reason: "第三方维护" },
  });
  expect((await deliveries({ endpointId: id }))[0]).toMatchObject({ endpointState: "DISABLED" });
  const replay = () =>
    testServer.call(webhookContract.replay, owner, { params: { id: sent?.id ?? 0 } });
  expect(await replay()).toMatchObject({
    code: 1,
    errMsg: "回调地址“自己的”当前状态为“已停用”，不能重新推送：请先启用，再重新推送",
  });
  expect((await deliveries({ endpointId: id }))[0]).toMatchObject({ state: "DELIVERED", round: 1 });
  await testServer.call(webhookContract.enable, owner, { params: { id } });
  expect(await replay()).toMatchObject({ code: 0 });
  await ours.until(({ length }) => length === 2);
});

it("secret that cannot be opened: counts as a failure, and nothing unsigned is sent", async () => {
  const id = await makeEndpoint("自己的", ours.url, null);
  const home = () =>
    testServer.call(statisticsContract.home, owner, {}).then(({ data }) => data.failingCallbacks);
  await testServer.database.transaction({ tenantId }, (db) =>
    db.run(sql`
      update callback_secret set sealed = decode(repeat('00', 48), 'hex')
      where tenant_id = ${tenantId}`),
  );
  await order();
  const failed = (failures: number) =>
    until(
      () => deliveries({ endpointId: id }),
      ([one]) => one?.failures === failures,
    );
  const [once] = await failed(2);
  expect(once).toMatchObject({ state: "WAITING", lastOutcome: "SIGN_FAILED", attempts: 2 });
  for (let failures = 3; failures <= 5; failures++) {
    await testServer.database.transaction({ tenantId }, async (db) => {
      await db.run(sql`
        update callback_delivery set next_at = now()
        where tenant_id = ${tenantId} and state = 'WAITING'`);
      await db.run(sql`select pg_notify('callback', 'null')`);
    });
    await failed(failures);
  }
  const { data } = await testServer.call(webhookContract.endpoint, owner, { params: { id } });
  expect(data).toMatchObject({
    state: "FAILING",
    stateReason: expect.stringContaining("无法签名，没有发出"),
  });
  expect(await home()).toBe(1);
  expect(ours.received).toHaveLength(0);
  // A new secret repairs the endpoint.
  const rotated = await testServer.call(webhookContract.rotate, owner, {
    params: { id },
    body: { overlapHours: 0, reason: "恢复后更换" },
  });
  expect(rotated.errMsg).toBe("");
  await testServer.database.transaction({ tenantId }, async (db) => {
    await db.run(sql`
      update callback_delivery set next_at = now()
      where tenant_id = ${tenantId} and state = 'WAITING'`);
    await db.run(sql`select pg_notify('callback', 'null')`);
  });
  await ours.until(({ length }) => length === 1);
});

it("open API: an application reads its own events again, in their order, without an address", async () => {
  const stranger = await makeOpenApp(testServer, { tenantId });
  const read = (as: OpenCaller, query: object = {}) =>
    callOpen(testServer, as, openApiContract.events, { query });
  const first = await order();
  await cancel(first);
  const second = await order();
  const { data } = await until(
    () => read(app),
    (reply) => reply.data.list.length === 3,
  );
  expect(data).toMatchObject({ nextAfter: null, oldestSeq: 1 });
  expect(
    data.list.map(({ tenantSeq, type, data: { orderId } }) => [tenantSeq, type, orderId]),
  ).toEqual([
    [1, "order.created", first],
    [2, "order.cancelled", first],
    [3, "order.created", second],
  ]);
  const page = await read(app, { after: 1, limit: 1 });
  expect(page.data).toMatchObject({ list: [{ tenantSeq: 2 }], nextAfter: 2 });
  expect((await read(app, { after: 3 })).data).toMatchObject({ list: [], nextAfter: null });
  expect((await read(stranger)).data).toEqual({ list: [], nextAfter: null, oldestSeq: null });

  // Retention took the first two: the reader learns it.
  await testServer.database.transaction({ tenantId }, (db) =>
    db.run(sql`delete from callback_event where tenant_id = ${tenantId} and app_seq <= 2`),
  );
  expect((await read(app)).data).toMatchObject({ list: [{ tenantSeq: 3 }], oldestSeq: 3 });
});

it("open API: an event that is read again equals the callback of it", async () => {
  await makeEndpoint("对方的", theirs.url, app.appId);
  await order();
  await theirs.until(({ length }) => length === 1);
  const [received] = theirs.received;
  const { data } = await callOpen(testServer, app, openApiContract.events, { query: {} });
  const { id, ...body } = data.list[0] ?? expect.fail("no event");
  expect(received?.headers["webhook-id"]).toBe(id);
  expect(JSON.parse(received?.body ?? "")).toEqual(body);
});

it("open API: an application has its own events delivered again, to its own addresses alone", async () => {
  const replay = (body: object, as: OpenCaller = app) =>
    callOpen(testServer, as, openApiContract.replayEvents, { body });
  await makeEndpoint("自己的", ours.url, null);
  const first = await order();
  await cancel(first);
  await ours.until(({ length }) => length === 2);
  expect(await replay({ fromSeq: 1 })).toMatchObject({
    ...{ status: 422, errCode: "CALLBACK_ADDRESS_MISSING" },
  });
  const endpointId = await makeEndpoint("第三方的", theirs.url, app.appId);
  expect(await replay({})).toMatchObject({ status: 400, errCode: "VALIDATION" });
  expect(await replay({ fromSeq: 2, toSeq: 1 })).toMatchObject({ status: 400 });
  const { data } = await replay({ fromSeq: 2 });
  expect(data).toEqual({ events: 1, queued: 1, pending: 0 });
  await theirs.until(({ length }) => length === 1);
  expect(theirs.received[0]?.headers["webhook-id"]).toBe(
    (await callOpen(testServer, app, openApiContract.events, { query: { after: 1 } })).data.list[0]
      ?.id,
  );

  const isDelivered = (list: { state: string }[]) =>
    list.length > 0 && list.every(({ state }) => state === "DELIVERED");
  await until(() => deliveries({ appId: app.appId }), isDelivered);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  expect((await replay({ from, kind: "MISSED" })).data).toEqual({
    ...{ events: 2, queued: 1, pending: 0 },
  });
  await theirs.until(({ length }) => length === 2);
  await until(() => deliveries({ appId: app.appId }), isDelivered);

  // A delivery under way is counted, and not queued twice.
  theirs.answer = (response) => response.writeHead(500).end();
  expect((await replay({ from })).data).toEqual({ events: 2, queued: 2, pending: 0 });
  expect((await replay({ from })).data).toEqual({ events: 2, queued: 0, pending: 2 });
  expect(ours.received).toHaveLength(2);

  const stranger = await makeOpenApp(testServer, { tenantId });
  expect(await replay({ from }, stranger)).toMatchObject({ errCode: "CALLBACK_ADDRESS_MISSING" });
  await testServer.call(webhookContract.disable, owner, {
    params: { id: endpointId },
    body: { reason: "维护" },
  });
  expect(await replay({ from })).toMatchObject({ errCode: "CALLBACK_ADDRESS_MISSING" });
});

it("open API: a replay under the same Idempotency-Key is answered once", async () => {
  await makeEndpoint("第三方的", theirs.url, app.appId);
  await order();
  await theirs.until(({ length }) => length === 1);
  await until(
    () => deliveries({ appId: app.appId }),
    (list) => list[0]?.state === "DELIVERED",
  );
  const once = { idempotencyKey: "replay-after-outage" };
  const replay = () =>
    callOpen(testServer, app, openApiContract.replayEvents, { body: { fromSeq: 1 } }, once);
  expect((await replay()).data).toEqual({ events: 1, queued: 1, pending: 0 });
  await theirs.until(({ length }) => length === 2);
  await until(
    () => deliveries({ appId: app.appId }),
    (list) => list[0]?.state === "DELIVERED",
  );
  expect((await replay()).data).toEqual({ events: 1, queued: 1, pending: 0 });
  expect((await deliveries({ appId: app.appId }))[0]).toMatchObject({ round: 2 });
});
