// Map over HTTP: who gets the key, what a ticket permits, and the content security policy of
// console and frame.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mapContract } from "@cabinet/contract/organization/map/map.contract.ts";
import rateLimit from "@fastify/rate-limit";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { Vault } from "../../../platform/secrets.ts";
import { type Ask, addMapService } from "./map.routes.ts";
import { MapSetting } from "./map-setting.service.ts";

const amap = { key: "0123456789abcdef0123456789abcdef", securityCode: "hush-hush" };
const FRAME = "/map";
const policyOf = (headers: object) =>
  String((headers as Record<string, unknown>)["content-security-policy"]);

describe("map: installation without a key", () => {
  const testServer = useTestServer();

  it("reports that there is none, and allows no other origin anywhere", async () => {
    const { people } = await testServer.makeTenant();
    expect((await testServer.call(mapContract.setting, people[1])).data).toBeNull();
    for (const url of ["/", FRAME, "/map/x/_AMapService/v3/place/text"]) {
      const reply = await testServer.app.inject({ url, headers: { accept: "text/html" } });
      expect(policyOf(reply.headers)).not.toMatch(/amap|autonavi|unsafe|https:/);
      expect(reply.body).not.toContain("map-frame");
    }
  });
});

describe("map: installation with a key", () => {
  const testServer = useTestServer({ amap });

  it("returns the key to signed-in accounts, never the security code", async () => {
    const { people } = await testServer.makeTenant();
    for (const person of [people[0], people[1], people[2]]) {
      const { data } = await testServer.call(mapContract.setting, person);
      expect(data).toMatchObject({ key: amap.key });
      expect(data?.servicePath).toMatch(/^\/map\/[\w.-]+\/_AMapService$/);
      expect(JSON.stringify(data)).not.toContain(amap.securityCode);
    }
    expect((await testServer.call(mapContract.setting, null)).status).toBe(401);
  });

  it("allows the map's hosts in the frame only; the console's policy stays strict", async () => {
    const frame = policyOf((await testServer.app.inject({ url: FRAME })).headers);
    expect(frame).toContain("https://*.amap.com");
    expect(frame).toContain("frame-ancestors 'self'");
    expect(frame).toMatch(/(^|;)sandbox allow-scripts(;|$)/);
    for (const url of ["/", "/point/pointEdit", "/map.html", "/login"]) {
      const reply = await testServer.app.inject({ url, headers: { accept: "text/html" } });
      expect(policyOf(reply.headers)).not.toMatch(/amap|autonavi|unsafe/);
      expect(policyOf(reply.headers)).toContain("frame-ancestors 'none'");
    }
  });

  it("refuses service calls without a valid ticket", async () => {
    for (const ticket of ["x", "1.2.9999999999.forged", "1.2.9999999999."]) {
      const url = `/map/${ticket}/_AMapService/v3/place/text?keywords=a`;
      expect(await testServer.app.inject({ url })).toMatchObject({ statusCode: 403 });
    }
  });
});

describe("map proxy", () => {
  const testServer = useTestServer();
  const setting = new MapSetting(amap, new Vault(Buffer.alloc(32)));
  const ticket = setting.issueTicket({ tenantId: 2, operatorId: 7 });
  let app: FastifyInstance;
  let service: Server;
  let asked: { host: string; request: IncomingMessage }[] = [];
  let respond: (request: IncomingMessage) => { type: string; body: string; status?: number };

  beforeAll(async () => {
    service = createServer((request, response) => {
      asked.push({ host: String(request.headers["x-wanted-host"]), request });
      const { type, body, status = 200 } = respond(request);
      response.writeHead(status, { "content-type": type, "set-cookie": "theirs=1" }).end(body);
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const { port } = service.address() as AddressInfo;
    // Stands in for the third party's hosts, which a test must not call.
    const ask: Ask = (url, init) =>
      fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, {
        ...init,
        headers: { ...(init.headers as object), "x-wanted-host": url.host },
      });
    app = Fastify();
    await app.register(rateLimit, { global: false });
    addMapService(app, { setting, database: testServer.database, ask });
  });
  afterAll(async () => {
    await app.close();
    service.close();
  });
  afterEach(() => {
    asked = [];
  });

  const call = (path: string, headers = {}) =>
    app.inject({ url: `/map/${ticket}/_AMapService${path}`, headers });

  it("adds the security code, forwards no user data, and returns the answer", async () => {
    respond = () => ({ type: "text/javascript; charset=utf-8", body: 'jsonp_1_({"status":"1"})' });
    const reply = await call("/v3/place/text?keywords=%E5%BA%97&callback=jsonp_1_", {
      host: "console.example",
      referer: "http://elsewhere.example/point/pointEdit?id=3",
      cookie: "ours=1",
      "auth-token": "token",
    });
    expect(reply).toMatchObject({ statusCode: 200, body: 'jsonp_1_({"status":"1"})' });
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
    expect(asked).toHaveLength(1);
    const { request, host } = asked[0] as (typeof asked)[0];
    expect(host).toBe("restapi.amap.com");
    const query = new URL(String(request.url), "http://service").searchParams;
    expect(Object.fromEntries(query)).toEqual({
      keywords: "店",
      callback: "jsonp_1_",
      jscode: amap.securityCode,
    });
    expect(request.headers.referer).toBe("http://console.example/");
    expect(request.headers).not.toHaveProperty("cookie");
    expect(request.headers).not.toHaveProperty("auth-token");
  });

  it("refuses pages, failures, and other paths or methods", async () => {
    respond = () => ({ type: "text/html", body: "<script>alert(1)</script>" });
    expect(await call("/v3/place/text")).toMatchObject({ statusCode: 502 });
    respond = () => ({ type: "application/json", body: "{}", status: 500 });
    expect((await call("/v3/place/text")).body).not.toContain("{}");
    respond = () => ({ type: "application/json", body: "x".repeat(3_000_000) });
    expect((await call("/v3/place/text")).statusCode).toBe(502);
    asked = [];
    expect((await call("/v9/anything")).statusCode).toBe(404);
    expect((await call("/v3/place/text?callback=alert(1)")).statusCode).toBe(404);
    const post = { method: "POST", url: `/map/${ticket}/_AMapService/v3/place/text` } as const;
    expect((await app.inject(post)).statusCode).toBe(404);
    expect(asked).toEqual([]);
  });

  it("rejects expired tickets and those of another installation", () => {
    expect(setting.readTicket(ticket)).toMatchObject({ tenantId: 2, operatorId: 7 });
    const other = new MapSetting(amap, new Vault(Buffer.alloc(32, 1)));
    expect(setting.readTicket(other.issueTicket({ tenantId: 2, operatorId: 7 }))).toBeNull();
    expect(setting.readTicket(ticket.replace("2.7.", "1.7."))).toBeNull();
  });
});
