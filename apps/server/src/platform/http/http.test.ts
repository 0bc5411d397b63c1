// Tests the HTTP layer of every call: access, content types, strict inputs, one envelope.
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { contracts } from "@cabinet/contract/contracts.ts";
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { errorText } from "@cabinet/contract/kit/errors.ts";
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Person, useTestServer } from "../../../../../tests/support/test-server.ts";
import { Database, openDatabase } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { BODY_MS } from "./http.ts";

const testServer = useTestServer({ trustedProxies: ["loopback", "10.0.0.0/24"] });
let platform: Person;
beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});

const draft = {
  parentId: null,
  title: "测试菜单",
  uri: "https://test.example/menu",
  icon: "",
  kind: "MENU",
  permissions: [],
  sort: 1,
};

test("http: access comes first: an unknown caller's bad body is 401, not a validation error", async () => {
  const calls = Object.values(contracts).flatMap((contract) => Object.values(contract));
  const closed = calls.filter((spec) => spec.access !== "public");
  expect(closed.length).toBeGreaterThan(20);
  for (const spec of closed) {
    const response = await testServer.app.inject({
      method: spec.method,
      url: urlPath(spec).replace(/\{\w+\}/g, "x"),
      ...(spec.method !== "GET" && {
        headers: { "content-type": "text/plain" },
        payload: "nonsense",
      }),
    });
    expect([spec.path, response.statusCode]).toEqual([spec.path, 401]);
    const errMsg = spec.access === "partner" ? /^请求没有通过验证/ : /^登录已过期，请重新登录$/;
    expect(response.json()).toMatchObject({
      ...{ code: 1, data: null },
      errMsg: expect.stringMatching(errMsg),
    });
  }
});

test("http: a write of an account without the permission is 403", async () => {
  const { people } = await testServer.makeTenant();
  const refused = await testServer.call(accessContract.createMenuEntry, people[1], { body: draft });
  expect([refused.status, refused.errMsg]).toEqual([403, "没有权限访问该资源"]);
});

test("O3: a call that misses its client's deadline is rolled back and opens no door", async () => {
  const now = performance.now.bind(performance);
  const { transaction } = Database.prototype;
  vi.spyOn(Database.prototype, "transaction").mockImplementationOnce(function (
    this: Database,
    scope,
    work,
    untilMs,
  ) {
    const slowly = async (...on: Parameters<typeof work>) => {
      const result = await work(...on);
      vi.spyOn(performance, "now").mockImplementation(() => now() + 9_000);
      return result;
    };
    return transaction.call(this, scope, slowly, untilMs) as ReturnType<typeof work>;
  });
  const body = { ...draft, title: "来得太晚", uri: "https://too.example/late" };
  const late = await testServer.call(accessContract.createMenuEntry, platform, { body });
  vi.restoreAllMocks();
  expect(late).toMatchObject({ status: 503, errMsg: "服务繁忙，请稍后重试" });
  const { data } = await testServer.call(accessContract.menuTree, platform);
  expect(JSON.stringify(data)).not.toContain("https://too.example/late");
});

test("http: an incomplete request does not hold its connection for ever", () => {
  expect(testServer.app.server.requestTimeout).toBe(10 * 60_000);
});

test("http: a body that does not arrive in time is answered with 408, and its connection closed", async () => {
  if (!testServer.app.server.listening) await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = testServer.app.server.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const socket = connect(port, "127.0.0.1");
  socket.write(
    "POST /api/auth/token/admin/login HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n" +
      "Content-Type: application/x-www-form-urlencoded\r\n\r\nusername=ad",
  );
  await vi.waitUntil(() => vi.getTimerCount() > 0, 30_000);
  vi.advanceTimersByTime(BODY_MS);
  vi.useRealTimers();
  const answer = Buffer.concat(await socket.toArray()).toString();
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toContain("请求没有按时收完，请重试");
});

test.each([accessContract.menu, announcementContract.latest])(
  "specification §7 $path: unknown query parameters are ignored",
  async (spec) => {
    const query = { t: "1763790000000", page: "x" };
    expect(await testServer.call<EndpointSpec>(spec, platform, { query })).toMatchObject({
      code: 0,
    });
  },
);

test("http: a menu tree with children passes the response schema whole", async () => {
  const { data } = await testServer.call(accessContract.menuTree, platform);
  const cabinets = data.find((entry) => entry.uri === "/cupboard");
  const list = cabinets?.children.find((entry) => entry.uri === "/cupboard/index");
  expect(list?.title).toBe("设备列表");
  expect(list?.children.map((button) => button.kind)).toContain("BUTTON");
});

test.each([
  [{ ...draft, extra: 1 }, "不认识的字段“extra”"],
  [{ ...draft, title: "" }, "“名称”不能为空"],
  [{ ...draft, sort: "7" }, "“排序”的类型不对，应为整数"],
  [{ ...draft, kind: "OTHER" }, "“类型”只能是：MENU、BUTTON"],
  [{ ...draft, title: undefined }, "缺少“名称”"],
])(
  "I2: a JSON body is accepted exactly or refused with an explanation (%#)",
  async (body, words) => {
    const refused = await testServer.call(accessContract.createMenuEntry, platform, { body });
    expect(refused).toMatchObject({ status: 200, code: 1, data: null });
    expect(refused.errMsg).toContain(words);
  },
);

test("I2: a missing body is refused, never read as empty", async () => {
  const refused = await testServer.call(accessContract.createMenuEntry, platform, {
    headers: { "content-type": "application/json" },
  });
  expect(refused.code).toBe(1);
});

test("I2: another content type is 415, a large body 413, broken JSON a refusal", async () => {
  const send = (type: string, payload: string) =>
    testServer.app.inject({
      method: "POST",
      url: "/api/admin/v1/menu/save",
      headers: { "auth-token": platform.token, "content-type": type },
      payload,
    });
  expect((await send("text/plain", "x")).statusCode).toBe(415);
  expect((await send("application/x-www-form-urlencoded", "title=x")).statusCode).toBe(415);
  expect((await send("application/json", `{"title":"${"x".repeat(300_000)}"}`)).statusCode).toBe(
    413,
  );
  const broken = await send("application/json", "{");
  expect([broken.statusCode, broken.json().code]).toEqual([200, 1]);
});

test("http: a writing call adds exactly one audit entry, a refused one none", async () => {
  const count = () =>
    testServer.database.read("platform", (db) =>
      db.one<{ n: number }>(sql`select count(*)::int as n from audit_log`),
    );
  const before = (await count()).n;
  expect(
    (await testServer.call(accessContract.createMenuEntry, platform, { body: draft })).code,
  ).toBe(0);
  expect((await count()).n).toBe(before + 1);
  const again = await testServer.call(accessContract.createMenuEntry, platform, { body: draft });
  expect(again.errMsg).toContain("已被“测试菜单”使用");
  expect((await count()).n).toBe(before + 1);
});

test("http: an unknown path is 404 in the envelope; a page of the console is index.html", async () => {
  const missing = await testServer.app.inject({ url: "/api/admin/v1/nothing" });
  expect([missing.statusCode, missing.json().errMsg]).toEqual([404, "请求不存在：404"]);
});

test.each([
  ["malformed escape", "GET /api/%zz HTTP/1.1\r\nhost: x\r\nconnection: close", 400, "BAD_REQUEST"],
  [
    "malformed escape",
    "GET /open/v1/%zz HTTP/1.1\r\nhost: x\r\nconnection: close",
    400,
    "BAD_REQUEST",
  ],
  [
    "long id",
    `GET /open/v1/order/${"1".repeat(900)} HTTP/1.1\r\nhost: x\r\nconnection: close`,
    404,
    "ROUTE_NOT_FOUND",
  ],
  ["no HTTP", "HELO x", 400, "BAD_REQUEST"],
  ["bad header", "GET /healthz HTTP/1.1\r\nhost x", 400, "BAD_REQUEST"],
  [
    "large headers",
    `GET /healthz HTTP/1.1\r\nhost: x\r\na: ${"b".repeat(20_000)}`,
    431,
    "HEADERS_TOO_LARGE",
  ],
] as const)(
  "framework errors: %s is answered in the envelope",
  async (_, head, status, errCode) => {
    const reply = await sendRaw(`${head}\r\n\r\n`);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(reply).not.toMatch(/FST_|Error/);
    const body = JSON.parse(reply.slice(reply.indexOf("\r\n\r\n") + 4));
    expect(body).toMatchObject({ code: 1, data: null, errMsg: errorText(errCode) });
    if (!head.includes("/api/")) expect(body.errCode).toBe(errCode);
  },
);

test("refusals: the app's message does not mention refreshing a page", async () => {
  const { id } = await testServer.makeTenant();
  const rider = await testServer.makeAppPerson(id);
  const input = { params: { id: 1 }, body: { agreedFen: 100 } };
  const { errMsg } = await testServer.call(appWalletContract.buyPackage, rider, input);
  expect(errMsg).toBe(errorText("PACKAGE_NOT_ON_SALE", {}, "api"));
});

/** Sends these bytes and reads until the server closes. */
async function sendRaw(bytes: string): Promise<string> {
  if (!testServer.app.server.listening) await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = testServer.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

test("http: a request id is the server's, whatever the caller sends", async () => {
  for (const given of ["browser-0001", "<bad>"]) {
    const { headers } = await testServer.app.inject({
      url: "/healthz",
      headers: { "x-request-id": given },
    });
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test.each([
  "/api",
  "/api/nothing",
  "/open",
  "/device",
  "/.well-known/security.txt",
  "/.well-known/x",
  "/doc",
  "/doc/nothing",
  "/doc/sdk/nothing",
  "/vectors/",
  "/vectors/open-api/nothing.json",
  "/sdk/",
  "/sdk/samples/nothing.sh",
])("http: %s is no page of the console, not even for a browser", async (url) => {
  const { statusCode, headers } = await testServer.app.inject({
    url,
    headers: { accept: "text/html,*/*" },
  });
  expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
});

describe("headers by kind of answer", () => {
  /** Drops headers about the connection, the request or the content itself. */
  const policyOf = (headers: object) =>
    Object.entries(headers)
      .filter(
        ([name]) => !/^(connection|content-(type|length|encoding)|date|etag|vary)$/.test(name),
      )
      .filter(
        ([name]) =>
          !/^(accept-ranges|last-modified|retry-after|x-(request-id|server-time|ratelimit-))/.test(
            name,
          ),
      );
  const get = (url: string, headers: Record<string, string> = {}) =>
    testServer.app.inject({ url, headers });
  const lean = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  };

  test.each([
    "/healthz",
    "/api/admin/v1/nothing",
    "/api/admin/v1/menu",
    "/api/auth/captcha",
    "/open/v1/app",
    "/api/%zz",
  ])("%s: the headers of data", async (url) => {
    const { headers } = await get(url);
    expect(Object.fromEntries(policyOf(headers))).toEqual(lean);
    expect(headers["content-type"]).toMatch(/; charset=utf-8$/);
  });

  test("signed in: the headers of data", async () => {
    const { headers } = await get("/api/admin/v1/menu", { "auth-token": platform.token });
    expect(Object.fromEntries(policyOf(headers))).toEqual(lean);
  });

  test.each([
    ["TRACE", "/api/admin/v1/menu"],
    ["GET", "/package.json"],
    ["GET", "/assets/../package.json"],
    ["GET", "/assets/index.js.map"],
  ] as const)("%s %s: nothing is there", async (method, url) => {
    const { statusCode, headers } = await testServer.app.inject({ method: method as "GET", url });
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  });

  test("a document: the whole policy", async () => {
    const { headers } = await get("/login", { accept: "text/html" });
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(headers["content-security-policy"]).toContain("base-uri 'none'");
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers).toMatchObject({
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "permissions-policy": expect.stringContaining("camera=()"),
      "referrer-policy": "same-origin",
    });
    expect(policyOf(headers).length).toBeGreaterThan(8);
    // The browser would start a second process for the page.
    expect(headers).not.toHaveProperty("cross-origin-opener-policy");
  });

  test("a built file: cached for a year, without a policy", async () => {
    const page = await get("/login", { accept: "text/html" });
    const [asset = ""] = /\/assets\/[^"]+\.js/.exec(page.body) ?? [];
    expect(Object.fromEntries(policyOf((await get(asset)).headers))).toEqual({
      // The map's frame has an origin of its own.
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
  });
});

test("llms.txt: every link of it answers", async () => {
  const { body, headers } = await testServer.app.inject({ url: "/llms.txt" });
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, url = ""]) => url);
  expect(links.length).toBeGreaterThan(5);
  for (const url of links) {
    expect((await testServer.app.inject({ url })).statusCode, url).toBe(200);
  }
});

test("status: says to everybody whether the platform serves, and no more", async () => {
  const reply = await testServer.app.inject({ url: "/status", headers: { accept: "text/html" } });
  expect([reply.statusCode, reply.json()]).toEqual([200, { status: "operational" }]);
});

test("http: health, readiness and metrics answer", async () => {
  expect((await testServer.app.inject({ url: "/healthz" })).statusCode).toBe(200);
  expect((await testServer.app.inject({ url: "/readyz" })).json()).toEqual({
    status: "ready",
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: "",
    database: true,
    write: true,
  });
  const metrics = await testServer.app.inject({ url: "/metrics" });
  expect(metrics.body).toContain("http_request_seconds_bucket");
  expect(metrics.body).toMatch(/^job_waiting \d+$/m);
  expect(metrics.body).toMatch(/^build_info\{version="\d+\.\d+\.\d+",commit="",node="v\d+/m);
});

test("metrics: refusals by code, connections of open databases, requests that wait for one", async () => {
  const figureOf = async (name: string) => {
    const { body } = await testServer.app.inject({ url: "/metrics" });
    const line = body.split("\n").find((each) => each.startsWith(`${name} `));
    return Number(line?.split(" ")[1] ?? 0);
  };
  const unknownRoute = 'refusals_total{code="ROUTE_NOT_FOUND"}';
  const before = await figureOf(unknownRoute);
  await testServer.app.inject({ url: "/api/admin/v1/nothing" });
  expect(await figureOf(unknownRoute)).toBe(before + 1);

  const [busy, waiting] = ['database_connections{state="busy"}', "database_waiting"];
  const database = openDatabase(testServer.url, { max: 1 });
  const held = Promise.withResolvers<void>();
  const first = database.read("platform", () => held.promise);
  await expect.poll(() => figureOf(busy)).toBeGreaterThan(0);
  const second = database.read("platform", async () => {});
  await expect.poll(() => figureOf(waiting)).toBe(1);
  held.resolve();
  await Promise.all([first, second]);
  expect(await figureOf(waiting)).toBe(0);
  await database.close();
});

test("openapi: the document holds every call of the contract", async () => {
  const document = (await testServer.app.inject({ url: "/api/openapi.json" })).json();
  for (const contract of Object.values(contracts)) {
    for (const spec of Object.values(contract)) {
      const operation = document.paths[urlPath(spec)]?.[spec.method.toLowerCase()];
      expect(operation?.summary).toBe(spec.summary);
    }
  }
  const names = document.tags.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(Object.keys(contracts).sort());
  const login = document.paths["/api/auth/token/admin/login"].post;
  expect(Object.keys(login.requestBody.content)).toEqual(["application/x-www-form-urlencoded"]);
});

test("rate limit: public calls are limited per address", async () => {
  const ask = () =>
    testServer.call(authContract.captcha, null, { headers: { "x-forwarded-for": "192.0.2.9" } });
  const results = await Promise.all(Array.from({ length: 260 }, ask));
  const limited = results.filter((result) => result.status === 429);
  expect(limited.length).toBeGreaterThan(0);
  expect(limited[0]?.errMsg).toMatch(/操作太频繁，请 \d+ 秒后再试/);
});

test.each([
  ["10.0.0.7", 200],
  ["10.0.1.7", 429],
])(
  "rate limit: a proxy at %s that names another client each time is answered %i at last",
  async (from, last) => {
    const ask = (_: unknown, no: number) =>
      testServer.app.inject({
        url: urlPath(authContract.captcha),
        remoteAddress: from,
        headers: { "x-forwarded-for": `198.51.100.${no % 250}` },
      });
    const answers = await Promise.all(Array.from({ length: 250 }, ask));
    expect(answers.filter(({ statusCode }) => statusCode === last).length).toBeGreaterThan(5);
    if (last === 200) expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  },
);
