// Webhook delivery against a real receiver: numbering, signing, retries, giving up, takeover.

import { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { SCHEDULE_SECONDS } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import type { WebhookEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { countWaiting, mayIdle } from "../../../../../../tests/support/waiting.ts";
import { Receiver, until } from "../../../../../../tests/support/webhooks.ts";
import { sql } from "../../../platform/db/sql.ts";
import { createLog } from "../../../platform/log.ts";
import { publishEvent } from "./publish.service.ts";
import { WebhookClient } from "./webhook.client.ts";
import { webhookJobs } from "./webhook.jobs.ts";
import { startWebhookSender } from "./webhook-sender.runner.ts";

const TIMEOUT_MS = 500;
const testServer = useTestServer({ allowsLoopbackCallbacks: true });
let senders: { stop(): Promise<void> }[];
let receiver: Receiver;
let owner: Person;
let tenantId: number;
let made = 0;

beforeAll(() => {
  // Two senders, like two processes: limits and numbering must hold across both.
  const client = new WebhookClient({ allowsLoopback: () => true, timeoutMs: TIMEOUT_MS });
  const { database, listener } = testServer;
  const log = createLog("silent");
  senders = [1, 2].map(() =>
    startWebhookSender({ database, listener, log, client, leaseSeconds: 3 }),
  );
});
afterAll(() => Promise.all(senders.map((sender) => sender.stop())));
beforeEach(async () => {
  receiver = await Receiver.start();
  const tenant = await testServer.makeTenant();
  [tenantId, owner] = [tenant.id, tenant.people[0]];
  return () => receiver.close();
});

interface NewDelivery {
  types?: WebhookEventType[];
  appId?: number | null;
  url?: string;
}

async function makeEndpoint({ types = ["order.stored"], appId = null, url }: NewDelivery = {}) {
  const body = { name: `回调 ${++made}`, url: url ?? receiver.url, types, appId };
  const { data, errMsg } = await testServer.call(webhookContract.create, owner, { body });
  expect(errMsg).toBe("");
  return data;
}

function publish(
  key: string,
  type: WebhookEventType = "order.stored",
  appId: number | null = null,
) {
  return testServer.database.transaction({ tenantId }, (db) =>
    publishEvent(db, { tenantId, appId, type, key, data: { orderId: 1, state: "STORED" } }),
  );
}

const endpointOf = async (id: number) =>
  (await testServer.call(webhookContract.endpoint, owner, { params: { id } })).data;

async function deliveries(query: object = {}) {
  const { data } = await testServer.call(webhookContract.deliveries, owner, {
    query: { pageSize: 100, ...query },
  });
  return data.list;
}

const settled = (state: string, count = 1) =>
  until(
    () => deliveries({ state }),
    (list) => list.length >= count,
  );

/** Makes waiting deliveries due now. */
const makeDue = () =>
  testServer.database.transaction({ tenantId }, async (db) => {
    await db.run(sql`
      update callback_delivery set next_at = now()
      where tenant_id = ${tenantId} and state = 'WAITING'`);
    await db.run(sql`select pg_notify('callback', 'null')`);
  });

/** The tenant's maintenance notices so far, newest first. */
async function alerts(): Promise<string[]> {
  const tools = { database: testServer.database, log: createLog("silent") };
  await Promise.all([1, 2].map(() => webhookJobs.tasks["callback.tell"]?.({}, tools)));
  const { data } = await testServer.call(maintenanceMessageContract.notices, owner, { query: {} });
  return [...new Set(data.list.map(({ kind, place, detail }) => `${kind} ${place} ${detail}`))];
}

const numberOf = (body: string) => (JSON.parse(body) as { tenantSeq: number }).tenantSeq;

describe("webhook event", () => {
  it("is delivered only if its transaction commits, once per key, signed by Standard Webhooks", async () => {
    const { secret } = await makeEndpoint();
    await testServer.database
      .transaction({ tenantId }, async (db) => {
        const event = { tenantId, appId: null, type: "order.stored" as const, data: {} };
        await publishEvent(db, { ...event, key: "undone" });
        throw new Error("undone");
      })
      .catch(() => {});
    await publish("done");
    await publish("done");
    await publish("other", "order.paid");
    await publish("last");
    await receiver.until((all) => all.length >= 2);
    await settled("DELIVERED", 2);
    expect(receiver.received).toHaveLength(2);
    for (const { headers, body } of receiver.received) {
      const payload = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(payload).toEqual({
        type: "order.stored",
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        apiVersion: "1",
        tenantSeq: expect.any(Number),
        data: { orderId: 1, state: "STORED" },
      });
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(headers["webhook-id"]).toMatch(/^evt_[0-9a-f-]{36}$/);
    }
    expect(receiver.received.map(({ body }) => numberOf(body)).sort()).toEqual([1, 3]);
  });

  it("numbers are gapless despite rollbacks, and an application has its own sequence", async () => {
    const { appId } = await testServer.database.transaction({ tenantId }, (db) =>
      db.one<{ appId: number }>(sql`
        insert into open_app (tenant_id, code, name, scopes, edited_by)
        values (${tenantId}, ${`app_${String(tenantId).padStart(16, "0")}`}, '配送', '{}', '李伟')
        returning id as app_id`),
    );
    const theirs = await Receiver.start();
    await makeEndpoint();
    await makeEndpoint({ appId, url: theirs.url });
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        testServer.database
          .transaction({ tenantId }, async (db) => {
            const event = { tenantId, type: "order.stored" as const, data: {} };
            await publishEvent(db, { ...event, key: `k${n}`, appId: n % 3 === 0 ? appId : null });
            await db.run(sql`select pg_sleep(${Math.random() / 20})`);
            if (n % 5 === 4) throw new Error("undone");
          })
          .catch(() => {}),
      ),
    );
    await receiver.until((all) => all.length >= 48);
    await theirs.until((all) => all.length >= 16);
    const numbers = (all: Receiver) =>
      all.received.map(({ body }) => numberOf(body)).sort((one, other) => one - other);
    expect(numbers(receiver)).toEqual(Array.from({ length: 48 }, (_, n) => n + 1));
    expect(numbers(theirs)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
    await theirs.close();
  });
});

describe("failed delivery", () => {
  it("retries on schedule under the same id, then is DEAD; a success restores the endpoint", async () => {
    const { id } = await makeEndpoint();
    receiver.answer = (response) =>
      response.writeHead(500, { "content-type": "text/plain" }).end("请联系 13812345678");
    await publish("a");
    for (let failures = 1; failures < SCHEDULE_SECONDS.length; failures++) {
      const [waiting] = await until(
        () => deliveries({ state: "WAITING" }),
        ([one]) => one?.failures === failures,
      );
      const seconds = (Date.parse(waiting?.nextAt ?? "") - Date.now()) / 1000;
      const planned = SCHEDULE_SECONDS[failures] ?? 0;
      expect(seconds).toBeGreaterThan(planned * 0.8 - 2);
      expect(seconds).toBeLessThan(planned * 1.2 + 1);
      expect((await endpointOf(id)).state).toBe(failures < 5 ? "ENABLED" : "FAILING");
      expect(await alerts()).toHaveLength(failures < 5 ? 0 : 1);
      await makeDue();
    }
    const [dead] = await settled("DEAD");
    expect(dead).toMatchObject({ attempts: 10, lastStatus: 500, lastOutcome: "HTTP_ERROR" });
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    expect(new Set(receiver.received.map((one) => one.body)).size).toBe(1);
    expect((await endpointOf(id)).dead).toBe(1);
    const { name } = await endpointOf(id);
    expect(await alerts()).toEqual([
      `CALLBACK 回调地址“${name}” 有回调重试多次仍没有送达，修好后可重新推送`,
      `CALLBACK 回调地址“${name}” 连续 5 次没有送达，最近一次：第三方返回错误（HTTP 500）`,
    ]);

    const params = { id: dead?.id };
    const { data } = await testServer.call(webhookContract.delivery, owner, { params });
    expect(data.list).toHaveLength(10);
    expect(data.list[0]).toMatchObject({ status: 500, address: "127.0.0.1" });
    expect(data.list[0]?.responseText).toBe("请联系 138****5678");

    receiver.answer = (response) => response.writeHead(200).end();
    expect(await testServer.call(webhookContract.replay, owner, { params })).toMatchObject({
      code: 0,
    });
    const [mended] = await settled("DELIVERED");
    expect(mended).toMatchObject({ round: 2, attempts: 11, webhookId: dead?.webhookId });
    expect(await endpointOf(id)).toMatchObject({ state: "ENABLED", failures: 0, dead: 0 });
  });

  it.each([
    ["a time-out", { answer: () => {}, outcome: "TIMEOUT" }],
    ["a redirect, which is not followed", { answer: 302, outcome: "REDIRECT" }],
    ["a connection that breaks off", { answer: "destroy", outcome: "BROKEN_OFF" }],
  ] as const)("counts as a failure: %s", async (_what, { answer, outcome }) => {
    await makeEndpoint();
    const trap = await Receiver.start();
    receiver.answer = (response) => {
      if (typeof answer === "number") response.writeHead(answer, { location: trap.url }).end();
      else if (answer === "destroy") response.destroy();
    };
    await publish("a");
    const [one] = await until(
      () => deliveries(),
      ([first]) => first?.failures === 1,
    );
    expect(one).toMatchObject({ state: "WAITING", lastOutcome: outcome });
    expect(trap.received).toHaveLength(0);
    await trap.close();
  });

  it("Retry-After delays the next attempt; 410 ends the delivery and disables the endpoint", async () => {
    const { id } = await makeEndpoint();
    receiver.answer = (response) => response.writeHead(503, { "retry-after": "120" }).end();
    await publish("a");
    const [one] = await until(
      () => deliveries(),
      ([first]) => first?.failures === 1,
    );
    const seconds = (Date.parse(one?.nextAt ?? "") - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(110);
    expect(seconds).toBeLessThan(121);
    receiver.answer = (response) => response.writeHead(410).end();
    await makeDue();
    await settled("DEAD");
    expect(await endpointOf(id)).toMatchObject({
      state: "DISABLED",
      stateReason: expect.stringContaining("410"),
    });
    expect(await alerts()).toEqual([
      expect.stringMatching(/^CALLBACK 回调地址“.+” 第三方回应 410，不再接收，已自动停用$/),
    ]);
    await publish("b");
    await publish("c", "order.paid");
    expect((await deliveries()).map(({ state }) => state)).toEqual(["DEAD"]);
  });

  it("410 on an endpoint that a person had paused before sends no notice", async () => {
    const { id } = await makeEndpoint();
    receiver.answer = (response) => response.writeHead(410).end();
    await publish("a");
    await settled("DEAD");
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        update callback_endpoint set state_at = state_at - interval '1 second', state_reason = '第三方检修'
        where tenant_id = ${tenantId} and id = ${id}`),
    );
    expect(await alerts()).toEqual([]);
  });

  it("a notice that fails for one tenant does not block those of the others", async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    const lose = async () => {
      await makeEndpoint();
      await publish("a");
      await settled("DEAD");
    };
    await lose();
    const first = tenantId;
    const tenant = await testServer.makeTenant();
    [tenantId, owner] = [tenant.id, tenant.people[0]];
    await lose();
    const transaction = testServer.database.transaction.bind(testServer.database);
    vi.spyOn(testServer.database, "transaction").mockImplementation((scope, ...rest) =>
      scope !== "platform" && scope.tenantId === first
        ? Promise.reject(new Error("not now"))
        : transaction(scope, ...rest),
    );
    const heard = await alerts().finally(() => vi.restoreAllMocks());
    expect(heard).toHaveLength(1);
  });

  it("a refused connection is recorded as CONNECT_FAILED", async () => {
    await makeEndpoint({ url: receiver.url.replace(/:\d+/, ":9") });
    await publish("a");
    const [one] = await until(
      () => deliveries(),
      ([first]) => first?.failures === 1,
    );
    expect(one?.lastOutcome).toBe("CONNECT_FAILED");
  });
});

describe("slow receiver", () => {
  it("gets four concurrent requests over all processes and delays no other endpoint", async () => {
    const quick = await Receiver.start();
    await makeEndpoint({ types: ["order.paid"] });
    await makeEndpoint({ url: quick.url });
    let open = 0;
    let most = 0;
    receiver.answer = (response) => {
      most = Math.max(most, ++open);
      response.on("close", () => open--);
    };
    for (let n = 0; n < 40; n++) await publish(`slow ${n}`, "order.paid");
    await receiver.until((all) => all.length >= 4);
    const since = Date.now();
    for (let n = 0; n < 10; n++) await publish(`quick ${n}`);
    await quick.until((all) => all.length >= 10);
    expect(Date.now() - since).toBeLessThan(TIMEOUT_MS * 10);
    await until(
      () => deliveries({ outcome: "TIMEOUT" }),
      (list) => list.length >= 8,
    );
    expect(most).toBe(4);
    await quick.close();
  });
});

describe("endpoint of an application", () => {
  it("cannot move to another application: its waiting deliveries stay private", async () => {
    const { id } = await makeEndpoint();
    const { data: apps } = await testServer.call(openAppContract.create, owner, {
      body: {
        ...{ name: "另一家", scopes: ["order:read"], networks: [], ratePerMinute: 60 },
        ...{ reserveSharePercent: 33, isSettling: false, remark: "" },
      },
    });
    const { name, url, types, editVersion } = await endpointOf(id);
    const change = (appId: number | null) =>
      testServer.call(webhookContract.update, owner, {
        params: { id },
        body: { name, url, types, appId, editVersion },
      });
    expect(await change(apps.id)).toMatchObject({
      ...{ code: 1, errMsg: expect.stringContaining("不能修改") },
    });
    expect(await change(null)).toMatchObject({ code: 0 });
  });
});

describe("rotated secret", () => {
  it("signs beside the new one during the overlap, or not at all", async () => {
    const { id, secret: first } = await makeEndpoint();
    const rotate = async (overlapHours: number) => {
      const input = { params: { id }, body: { overlapHours, reason: "定期轮换" } };
      return (await testServer.call(webhookContract.rotate, owner, input)).data;
    };
    const { secret: second, previousExpiresAt } = await rotate(24);
    expect(previousExpiresAt).not.toBeNull();
    await publish("a");
    await receiver.until((all) => all.length === 1);
    const verify = (secret: string, at: number) => () => {
      const { headers, body } = receiver.received[at] ?? { headers: {}, body: "" };
      new Webhook(secret).verify(body, headers as Record<string, string>);
    };
    expect(verify(first, 0)).not.toThrow();
    expect(verify(second, 0)).not.toThrow();
    const { secret: third } = await rotate(0);
    await publish("b");
    await receiver.until((all) => all.length === 2);
    expect(verify(third, 1)).not.toThrow();
    expect(verify(first, 1)).toThrow();
    expect(verify(second, 1)).toThrow();
    expect((await endpointOf(id)).secrets).toHaveLength(1);
  });
});

describe("test and probe", () => {
  it("the probe tells a receiver that verifies signatures from one that does not", async () => {
    const { id, secret } = await makeEndpoint();
    const probe = async () => {
      const before = (await endpointOf(id)).probedAt;
      await testServer.call(webhookContract.probe, owner, { params: { id } });
      return until(
        () => endpointOf(id),
        ({ probedAt }) => probedAt !== before,
      );
    };
    expect((await probe()).probeResult).toBe("ACCEPTED");
    receiver.answer = (response, { headers, body }) => {
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>);
        response.writeHead(204).end();
      } catch {
        response.writeHead(401).end();
      }
    };
    expect(await probe()).toMatchObject({ probeResult: "REFUSED", state: "ENABLED", failures: 0 });
    await testServer.call(webhookContract.test, owner, { params: { id } });
    const [tested] = await settled("DELIVERED", 3);
    expect(tested).toMatchObject({ type: "callback.test", purpose: "TEST" });
    expect(receiver.received.map(({ body }) => numberOf(body))).toEqual([0, 0, 0]);
    receiver.answer = (response) => response.writeHead(500).end();
    expect((await probe()).probeResult).toBe("UNCLEAR");
  });

  it("a test is attempted once, on a paused endpoint too", async () => {
    const { id } = await makeEndpoint();
    receiver.answer = (response) => response.writeHead(500).end();
    const input = { params: { id }, body: { reason: "第三方维护" } };
    await testServer.call(webhookContract.disable, owner, input);
    await publish("a");
    const { data } = await testServer.call(webhookContract.test, owner, { params: { id } });
    const [dead] = await settled("DEAD");
    expect(dead).toMatchObject({ id: data.deliveryId, attempts: 1 });
    expect(receiver.received).toHaveLength(1);
    const replay = await testServer.call(webhookContract.replay, owner, {
      params: { id: dead?.id },
    });
    expect(replay.errMsg).toContain("测试不能重新推送");
  });

  it("a replay concurrent with a pause of the endpoint sends nothing", async () => {
    const { id } = await makeEndpoint();
    await publish("a");
    const [sent] = await settled("DELIVERED");
    const replay = await testServer.database.transaction("platform", async (db) => {
      await mayIdle(db);
      await db.run(sql`update callback_endpoint set state = 'DISABLED' where id = ${id}`);
      const asked = testServer.call(webhookContract.replay, owner, { params: { id: sent?.id } });
      const isWaiting = () => countWaiting(testServer.database);
      await Promise.race([asked, until(isWaiting, (count) => count > 0)]);
      return { asked };
    });
    expect((await replay.asked).errMsg).toContain("已停用");
    expect(await deliveries()).toMatchObject([{ state: "DELIVERED", round: 1 }]);
  });
});

describe("replay of a time window", () => {
  it("resends missed events, or all of them", async () => {
    const { id } = await makeEndpoint();
    await publish("before");
    await settled("DELIVERED");
    await testServer.call(webhookContract.disable, owner, {
      params: { id },
      body: { reason: "第三方维护" },
    });
    await publish("meanwhile");
    await publish("not wanted", "order.paid");
    await until(
      () =>
        testServer.database.read({ tenantId }, (db) =>
          db.many(sql`select from callback_event where seq is null`),
        ),
      (left) => left.length === 0,
    );
    const day = {
      endpointId: id,
      from: "2026-01-01T00:00:00.000Z",
      to: "2036-01-01T00:00:00.000Z",
    };
    const ask = (kind: string) =>
      testServer.call(webhookContract.previewReplay, owner, { body: { ...day, kind } });
    expect((await ask("ALL")).errMsg).toContain("请先启用");
    await testServer.call(webhookContract.enable, owner, { params: { id } });
    expect((await ask("MISSED")).data).toMatchObject({ count: 1, isTooMany: false });
    expect((await ask("ALL")).data).toMatchObject({
      count: 2,
      types: [{ type: "order.stored", count: 2 }],
    });
    const replay = (kind: string) =>
      testServer.call(webhookContract.replayWindow, owner, {
        body: { ...day, kind, reason: "补发" },
      });
    expect((await replay("MISSED")).data.count).toBe(1);
    await receiver.until((all) => all.length === 2);
    await settled("DELIVERED", 2);
    expect((await replay("MISSED")).data.count).toBe(0);
    expect((await replay("ALL")).data.count).toBe(2);
    await receiver.until((all) => all.length === 4);
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(2);
  });
});

it("expired lease: a delivery of a killed sender is sent again under the same id", async () => {
  await makeEndpoint();
  await publish("a");
  const [sent] = await settled("DELIVERED");
  // The state that a killed process leaves behind.
  await testServer.database.transaction({ tenantId }, async (db) => {
    await db.run(sql`
      update callback_attempt set outcome = null where delivery_id = ${sent?.id}`);
    await db.run(sql`
      update callback_delivery set state = 'SENDING', lease = gen_random_uuid(),
        leased_until = now() - interval '1 second', delivered_at = null, ended_at = null
      where id = ${sent?.id}`);
  });
  await receiver.until((all) => all.length === 2);
  await settled("DELIVERED");
  expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
  const params = { id: sent?.id };
  const { data } = await testServer.call(webhookContract.delivery, owner, { params });
  expect(data.list.map(({ outcome }) => outcome)).toEqual(["DELIVERED", "UNKNOWN"]);
});
