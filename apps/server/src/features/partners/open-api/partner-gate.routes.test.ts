// Protocol §2: third parties are authenticated by signature alone, in the documented order, and
// each call is recorded.

import { setTimeout as sleep } from "node:timers/promises";
import type { Refused } from "@cabinet/contract/kit/endpoint.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { openCallContract } from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import { newNonce } from "@cabinet/open-api-client";
import { beforeAll, describe, expect, it } from "vitest";
import {
  callOpen,
  makeOpenApp,
  type OpenCaller,
  type Tampering,
} from "../../../../../../tests/support/open-apps.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let operator: Person;
let app: OpenCaller;

beforeAll(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  operator = tenant.people[1];
  app = await makeOpenApp(testServer, { tenantId, name: "顺路快递" });
});

const ask = (as: OpenCaller | null, tampering: Tampering = {}) =>
  callOpen(testServer, as, openApiContract.whoAmI, {}, tampering);

const now = () => Math.floor(Date.now() / 1000);

async function lastCall(of: OpenCaller) {
  const { data } = await testServer.call(openCallContract.list, operator, {
    query: { appId: of.appId, pageSize: 1 },
  });
  const [first] = data.list;
  if (!first) throw new Error("no call on record");
  return (await testServer.call(openCallContract.get, operator, { params: { id: first.id } })).data;
}

const refusal = { errCode: "PARTNER_UNPROVEN", status: 401, code: 1, data: null };

describe("signed request: accepted", () => {
  it("is answered and recorded with the signed text", async () => {
    const reply = await ask(app);
    expect(reply).toMatchObject({
      ...{ status: 200, code: 0 },
      data: {
        ...{ app: app.code, name: "顺路快递", ratePerMinute: 6000 },
        limits: { idempotencyHours: 72, activeKeys: 2, callbackEndpoints: 20 },
      },
    });
    expect(await lastCall(app)).toMatchObject({
      ...{ outcome: "OK", result: "OK", status: 200, refusal: null, kid: app.kid },
      ...{ summary: "本应用的信息", requestId: reply.requestId ?? expect.any(String) },
      signedText: expect.stringMatching(
        /^CAB1-HMAC-SHA256\nGET\ncabinet\.example\.cn\n\/open\/v1\/app\n\n/,
      ),
    });
  });

  it.each([
    ["300 seconds late", () => -299],
    ["300 seconds early", () => 299],
  ])("accepts a timestamp %s", async (_, skew) => {
    expect(await ask(app, { claim: { ts: now() + skew() } })).toMatchObject({ status: 200 });
  });
});

describe("signed request: one answer for all refusals, the reason for the owner only", () => {
  const wrong: [string, string, () => Promise<[OpenCaller, Tampering]>][] = [
    [
      "a header that is written otherwise",
      "SYNTAX",
      async () => [app, { authorization: `CAB1-HMAC-SHA256 app=${app.code}, kid=${app.kid}` }],
    ],
    ["a clock that is late", "TIME", async () => [app, { claim: { ts: now() - 302 } }]],
    ["a clock that is early", "TIME", async () => [app, { claim: { ts: now() + 302 } }]],
    [
      "a disabled application",
      "APP_DISABLED",
      async () => [await makeOpenApp(testServer, { tenantId, isDisabled: true }), {}],
    ],
    [
      "a key that is not there",
      "KEY_UNKNOWN",
      async () => [app, { claim: { kid: "k261122-other" } }],
    ],
    [
      "a foreign address",
      "NETWORK",
      async () => [
        await makeOpenApp(testServer, { tenantId, networks: ["203.0.113.0/24"] }),
        { address: "198.51.100.7" },
      ],
    ],
    ["a wrong secret", "SIGNATURE", async () => [{ ...app, secret: "cabsk_wrong" }, {}]],
    [
      "another path than signed",
      "SIGNATURE",
      async () => [app, { signed: { target: "/open/v1/order/1" } }],
    ],
    ["another host than signed", "SIGNATURE", async () => [app, { signed: { host: "other.cn" } }]],
  ];

  it.each(wrong)("%s: %s", async (_, reason, make) => {
    const [as, tampering] = await make();
    const reply = await callOpen(testServer, as, openApiContract.orders, {}, tampering);
    expect(reply).toMatchObject(refusal);
    expect(await lastCall(as)).toMatchObject({ refusal: reason, outcome: "UNPROVEN", status: 401 });
  });

  it("accepts an allowed address", async () => {
    const near = await makeOpenApp(testServer, { tenantId, networks: ["203.0.113.0/24"] });
    expect(await ask(near, { address: "203.0.113.77" })).toMatchObject({ status: 200 });
  });

  it("refuses a nonce that was used before", async () => {
    const nonce = newNonce();
    expect(await ask(app, { claim: { nonce } })).toMatchObject({ status: 200 });
    expect(await ask(app, { claim: { nonce } })).toMatchObject(refusal);
    expect(await lastCall(app)).toMatchObject({ refusal: "REPLAY" });
    const other = await makeOpenApp(testServer, { tenantId });
    expect(await ask(other, { claim: { nonce } })).toMatchObject({ status: 200 });
  });

  it("does not consume the nonce of a refused request", async () => {
    const nonce = newNonce();
    expect(await ask({ ...app, secret: "cabsk_wrong" }, { claim: { nonce } })).toMatchObject(
      refusal,
    );
    expect(await ask(app, { claim: { nonce } })).toMatchObject({ status: 200 });
  });

  it("accepts one of two concurrent requests with the same nonce", async () => {
    const claim = { nonce: newNonce(), ts: now() };
    const replies = await Promise.all(Array.from({ length: 12 }, () => ask(app, { claim })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("gives unknown applications the same answer and records nothing", async () => {
    const stranger = { ...app, code: "app_0000000000000000" };
    const { requestId: _, headers: __, ...one } = await ask(stranger);
    const {
      requestId: ___,
      headers: ____,
      ...other
    } = await ask({ ...app, secret: "cabsk_wrong" });
    expect(one).toEqual(other);
    expect(await ask(null)).toMatchObject(refusal);
  });

  it("accepts the signatures of a suspended tenant as before", async () => {
    const closed = await testServer.makeTenant();
    const theirs = await makeOpenApp(testServer, { tenantId: closed.id });
    expect(await ask(theirs)).toMatchObject({ status: 200 });
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update tenant set state = 'SUSPENDED', suspend_reason = '欠费', suspended_at = now()
        where id = ${closed.id}`),
    );
    expect(await ask({ ...theirs, secret: "cabsk_wrong" })).toMatchObject(refusal);
    expect(await ask(theirs)).toMatchObject({ status: 200 });
  });

  it("checks in the order of the protocol: the first failure is the reason", async () => {
    const worst = await makeOpenApp(testServer, {
      ...{ tenantId, isDisabled: true, networks: ["203.0.113.0/24"] },
    });
    const all: Tampering = {
      claim: { ts: now() - 900, kid: "k261122-other" },
      signed: { host: "other.cn" },
    };
    const reasonOf = async (tampering: Tampering) => {
      await callOpen(testServer, worst, openApiContract.orders, {}, tampering);
      return (await lastCall(worst)).refusal;
    };
    const set = (change: string) =>
      testServer.database.transaction("platform", async (db) => {
        if (change === "enable")
          await db.run(sql`update open_app set disabled_at = null where id = ${worst.appId}`);
        if (change === "network")
          await db.run(sql`delete from open_app_network where app_id = ${worst.appId}`);
      });
    expect(await reasonOf(all)).toBe("TIME");
    const fresh = { ...all, claim: { kid: "k261122-other" } };
    expect(await reasonOf(fresh)).toBe("APP_DISABLED");
    await set("enable");
    expect(await reasonOf(fresh)).toBe("KEY_UNKNOWN");
    expect(await reasonOf({ signed: { host: "other.cn" } })).toBe("NETWORK");
    await set("network");
    expect(await reasonOf({ signed: { host: "other.cn" } })).toBe("SIGNATURE");
    expect(await reasonOf({})).toBeNull();
  });
});

describe("missing scope", () => {
  it("a proven caller: 403 that names the scope", async () => {
    const reader = await makeOpenApp(testServer, { tenantId, scopes: ["cabinet:read"] });
    const list = (as: OpenCaller) => callOpen(testServer, as, openApiContract.orders);
    const refused = await list(reader);
    expect(refused).toMatchObject({
      ...{ status: 403, errCode: "NO_PERMISSION", scope: "order:read" },
      errMsg: expect.stringContaining("order:read"),
    });
    expect(await lastCall(reader)).toMatchObject({
      ...{ refusal: null, outcome: "REFUSED", result: "NO_PERMISSION", status: 403 },
    });
    expect(await list({ ...reader, secret: "cabsk_wrong" })).toMatchObject(refusal);
  });
});

describe("application keys", () => {
  it("rotate with an overlap, at most two, and end at once when revoked", async () => {
    const { data: made } = await testServer.call(openAppContract.create, operator, {
      body: {
        ...{ name: "联调应用", scopes: ["order:read"], networks: [], ratePerMinute: 60 },
        ...{ reserveSharePercent: 33, isSettling: false, remark: "" },
      },
    });
    const issue = () =>
      testServer.call(openAppContract.issue, operator, {
        params: { id: made.id },
        body: { overlapHours: 24 },
      });
    const first = (await issue()).data;
    const as = (key: typeof first): OpenCaller => ({
      ...{ tenantId, appId: made.id, code: key.app, kid: key.kid, secret: key.secret },
    });
    expect(first.secret).toMatch(/^cabsk_[A-Za-z0-9_-]{43}$/);
    const second = (await issue()).data;
    expect(second).toMatchObject({ previousKid: first.kid });
    for (const key of [first, second]) expect(await ask(as(key))).toMatchObject({ status: 200 });
    expect(await issue()).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("两把有效密钥"),
    });
    await testServer.call(openAppContract.revoke, operator, {
      params: { id: made.id },
      body: { kid: first.kid, reason: "密钥疑似泄露" },
    });
    expect(await ask(as(first))).toMatchObject(refusal);
    expect(await lastCall(as(first))).toMatchObject({ refusal: "KEY_ENDED" });
    expect(await ask(as(second))).toMatchObject({ status: 200 });
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update open_app_key set expires_at = now() where app_id = ${made.id}`),
    );
    expect(await ask(as(second))).toMatchObject(refusal);
    const { data } = await testServer.call(openAppContract.list, operator, {
      query: { keyword: "联调" },
    });
    expect(data.list[0]).toMatchObject({ keyState: "NONE", lastUsedAt: expect.any(String) });
    expect(JSON.stringify(data)).not.toContain("cabsk_");
  });

  it("grant nothing once revoked, even to a request that began before the revocation", async () => {
    const stolen = await makeOpenApp(testServer, { tenantId });
    const body = {
      ...{ cabinetSn: "NONE00000001", size: "M", thirdPartyNo: "T-1" },
      recipientPhone: "13800138000",
    };
    const revoke = () =>
      testServer.call(openAppContract.revoke, operator, {
        params: { id: stolen.appId },
        body: { kid: stolen.kid, reason: "密钥疑似泄露" },
      });
    const beforeBody = async () => {
      await sleep(600);
      await revoke();
    };
    const create = openApiContract.createOrder;
    expect(await callOpen(testServer, stolen, create, { body }, { beforeBody })).toMatchObject(
      refusal,
    );
    expect(await lastCall(stolen)).toMatchObject({ refusal: "KEY_ENDED" });
  });

  it("never appear in the audit log", async () => {
    const { id: appId } = (await testServer.call(openAppContract.options, operator, {}))
      .data[0] ?? {
      id: 0,
    };
    await testServer.call(openAppContract.issue, operator, {
      params: { id: appId },
      body: { overlapHours: 1 },
    });
    const rows = await testServer.database.read("platform", (db) =>
      db.many<{ text: string }>(sql`
        select coalesce(before::text, '') || coalesce(after::text, '') as text from audit_log
        where tenant_id = ${tenantId}`),
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain("cabsk_");
  });
});

describe("rate limit", () => {
  it("refuses requests of an application above its rate, with Retry-After", async () => {
    const slow = await makeOpenApp(testServer, { tenantId, ratePerMinute: 3 });
    const replies = [];
    for (let n = 0; n < 4; n++) replies.push(await ask(slow));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(replies[3]).toMatchObject({ errCode: "RATE_LIMITED" });
    expect(Number(replies[3]?.headers["retry-after"])).toBeGreaterThan(0);
    expect(replies.map(({ headers }) => headers["ratelimit-remaining"])).toEqual([
      "2",
      "1",
      "0",
      "0",
    ]);
    expect(replies[3]?.headers).toMatchObject({
      ...{ "ratelimit-limit": "3", "ratelimit-reset": replies[3]?.headers["retry-after"] },
    });
    // The limit of the address, which is another one, has no headers.
    expect(Object.keys(replies[3]?.headers ?? {}).join()).not.toContain("x-ratelimit");
    // Limits are per application, and unauthenticated requests do not count.
    expect(await ask(app)).toMatchObject({ status: 200 });
  });

  it("caps the records of refused requests", async () => {
    const watched = await makeOpenApp(testServer, { tenantId });
    await Promise.all(Array.from({ length: 75 }, () => ask({ ...watched, secret: "cabsk_wrong" })));
    const { data } = await testServer.call(openCallContract.list, operator, {
      query: { appId: watched.appId },
    });
    expect(data.total).toBe(60);
  });

  it("treats unread bodies as unauthenticated and caps their records too", async () => {
    const watched = await makeOpenApp(testServer, { tenantId });
    const long = { raw: "x".repeat(300_000), contentType: "application/json" };
    const send = () =>
      callOpen(
        testServer,
        { ...watched, secret: "cabsk_wrong" },
        openApiContract.createOrder,
        {},
        long,
      );
    expect(await send()).toMatchObject({ status: 413, errCode: "BODY_TOO_LARGE" });
    expect(await lastCall(watched)).toMatchObject({ outcome: "UNPROVEN", refusal: "UNREAD" });
    await Promise.all(Array.from({ length: 65 }, send));
    const { data } = await testServer.call(openCallContract.list, operator, {
      query: { appId: watched.appId },
    });
    expect(data.total).toBe(60);
  });

  it("caps the records of an application's own requests above its rate", async () => {
    const hasty = await makeOpenApp(testServer, { tenantId, ratePerMinute: 1 });
    await Promise.all(Array.from({ length: 66 }, () => ask(hasty)));
    const { data } = await testServer.call(openCallContract.list, operator, {
      query: { appId: hasty.appId },
    });
    expect(data.total).toBe(61);
  });
});

describe("call record", () => {
  it.each([
    ["+8613812345678"],
    ["008613812345678"],
    ["138 1234 5678"],
    ["138-1234-5678"],
    ["1381234567"],
  ])("hides a phone that is written %s", async (phone) => {
    const body = { recipientPhone: phone, itemNote: `请打 ${phone}`, list: [{ mobile: phone }] };
    await callOpen(
      testServer,
      app,
      openApiContract.createOrder,
      {},
      {
        ...{ raw: JSON.stringify(body), contentType: "application/json" },
      },
    );
    const call = await lastCall(app);
    expect(call.requestBody).toContain("****");
    const digits = JSON.stringify(JSON.parse(call.requestBody ?? "").recipientPhone);
    expect(digits).not.toMatch(/\d{5}/);
    if (phone.length !== 10) expect(call.requestBody).not.toMatch(/1234\D?5678/);
  });

  it("hides a phone in the URL of a call", async () => {
    const query = { thirdPartyNo: "x&phone=13812345678" };
    await callOpen(testServer, app, openApiContract.findOrder, { query });
    const { target, signedText } = await lastCall(app);
    expect(target).toContain("138****5678");
    expect(signedText).not.toContain("13812345678");
  });
});

describe("invalid input", () => {
  const wrong = { thirdPartyNo: "SF 1", size: "XXL", recipientPhone: "123", colour: "red" };
  const send = (headers: Record<string, string> = {}) =>
    callOpen(testServer, app, openApiContract.createOrder, { body: wrong, headers });

  it("names all mistakes, each with its field; errMsg is the first one", async () => {
    const reply = (await send()) as unknown as Refused;
    const fields = ["cabinetSn", "colour", "recipientPhone", "size", "thirdPartyNo"];
    expect(reply).toMatchObject({
      code: 1,
      errCode: "VALIDATION",
      param: reply.mistakes?.[0]?.param,
    });
    expect(reply.errMsg).toBe(reply.mistakes?.[0]?.errMsg);
    expect(reply.mistakes?.map(({ param }) => param).sort()).toEqual(fields);
    expect(reply.mistakes).toContainEqual({
      param: "size",
      errMsg: "“格口大小”只能是：S、M、L、XL",
    });
  });

  it("names mistakes of path and query together, at most 20", async () => {
    const query = { limit: "many", after: "-1", from: "yesterday", state: "GONE" } as object;
    const reply = await callOpen(testServer, app, openApiContract.orders, { query });
    const { mistakes = [] } = reply as unknown as Refused;
    expect(mistakes.map(({ param }) => param).sort()).toEqual(["after", "from", "limit", "state"]);
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, n]));
    const many = await callOpen(testServer, app, openApiContract.createOrder, { body: unknown });
    expect((many as unknown as Refused).mistakes).toHaveLength(20);
  });

  it("in English where Accept-Language prefers it", async () => {
    const reply = (await send({ "accept-language": "en-US,en;q=0.9" })) as unknown as Refused;
    expect(JSON.stringify({ ...reply, docUrl: "" })).not.toMatch(/\p{Script=Han}/u);
    expect(reply.mistakes).toContainEqual({
      ...{ param: "size", errMsg: "size must be equal to one of the allowed values: S, M, L, XL" },
    });
    expect(reply).toMatchObject({ headers: { "content-language": "en" } });
    const missing = await callOpen(testServer, app, openApiContract.cabinet, {
      ...{ params: { sn: "A9999999" }, headers: { "accept-language": "en" } },
    });
    expect(missing).toMatchObject({
      ...{ status: 404, errCode: "NOT_FOUND", resource: "cabinet" },
      errMsg: "There is no such cabinet, or it is not the application's",
    });
    expect(
      await callOpen(testServer, null, openApiContract.whoAmI, {
        headers: { "accept-language": "en" },
      }),
    ).toMatchObject({
      ...{ status: 401, errMsg: expect.stringContaining("not authenticated") },
    });
  });

  it("NOT_FOUND names the resource", async () => {
    const id = 383217384136704;
    const uuid = "1f0c0a52-6d2c-4b7e-a3cc-0f6a2f0c9f11";
    const order = await callOpen(testServer, app, openApiContract.order, { params: { id } });
    expect(order).toMatchObject({ resource: "order", errMsg: expect.stringContaining("订单") });
    const opening = await callOpen(testServer, app, openApiContract.opening, {
      params: { id: uuid },
    });
    expect(opening).toMatchObject({ resource: "opening", errMsg: expect.stringContaining("开门") });
    expect(
      await callOpen(testServer, app, openApiContract.findOrder, {
        query: { thirdPartyNo: "none" },
      }),
    ).toMatchObject({ errCode: "NOT_FOUND", resource: "order" });
  });

  it.each(["99999999999999999999", "1e300"])("a number like %s is refused", async (after) => {
    const query = { after } as unknown as { after: number };
    expect(await callOpen(testServer, app, openApiContract.orders, { query })).toMatchObject({
      ...{ status: 400, errCode: "VALIDATION" },
    });
  });

  it("accepts an unknown address without an allow-list, and matches IPv4-mapped IPv6 addresses as IPv4", async () => {
    expect(await ask(app, { address: "unknown" })).toMatchObject({ status: 200 });
    const near = await makeOpenApp(testServer, { tenantId, networks: ["203.0.113.0/24"] });
    expect(await ask(near, { address: "unknown" })).toMatchObject(refusal);
    expect(await ask(near, { address: "::ffff:203.0.113.9" })).toMatchObject({ status: 200 });
  });
});
