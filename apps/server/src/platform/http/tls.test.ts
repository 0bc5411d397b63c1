// Tests HTTPS of the server itself: HTTP/2 and its fallback, every kind of call, renewal and shutdown.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import https from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { authorize, newNonce } from "@cabinet/open-api-client";
import Fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { PIXEL_PNG } from "../../../../../tests/support/adverts.ts";
import { writeTlsFiles } from "../../../../../tests/support/certificate.ts";
import { makeOpenApp } from "../../../../../tests/support/open-apps.ts";
import {
  bodyOf,
  credentialsOf,
  type Person,
  useTestServer,
} from "../../../../../tests/support/test-server.ts";
import { homePrefetch } from "../../home-prefetch.ts";
import { SettingsError } from "../env.ts";
import { liveConnections } from "../metrics.ts";
import { BODY_MS } from "./http.ts";
import { closeInTime } from "./http-drain.ts";
import { pushLive } from "./live.ts";
import { endStalled, readCertificate, renewCertificate, secureOptions } from "./tls.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "tls-"));
const files = writeTlsFiles(folder);
const testServer = useTestServer({ tls: files });
let platform: Person;
let session: ClientHttp2Session;

const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;
const originOf = (app: FastifyInstance) => `https://127.0.0.1:${portOf(app)}`;
const ca = () => readCertificate(files).cert;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  session = connect(originOf(testServer.app), { ca: ca() });
});
afterAll(() => {
  session.destroy();
  rmSync(folder, { recursive: true });
});

let other: FastifyInstance | undefined;
afterEach(() => other?.close());

async function answerOf(stream: ClientHttp2Stream) {
  const [headers] = await once(stream, "response");
  const text = Buffer.concat(await stream.toArray()).toString();
  return { headers, text };
}

function send(headers: Record<string, string>, body?: string | Buffer) {
  const stream = session.request(headers);
  stream.end(body);
  return answerOf(stream);
}

test("https: HTTP/2 is negotiated, with a limit of streams and HSTS for pages", async () => {
  const { headers } = await send({ ":path": "/login", accept: "text/html" });
  expect(session.alpnProtocol).toBe("h2");
  expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
  expect(headers[":status"]).toBe(200);
  expect(headers["strict-transport-security"]).toBe("max-age=31536000");
});

test("https: a client without HTTP/2 is served by HTTP/1.1", async () => {
  const request = https.get(`${originOf(testServer.app)}/healthz`, { ca: ca(), agent: false });
  const [response] = await once(request, "response");
  response.resume();
  expect([response.httpVersion, response.statusCode]).toEqual(["1.1", 200]);
});

test("HTTP/2: calls, a body without length, uploads", async () => {
  const menu = await send({ ":path": urlPath(accessContract.menu), ...credentialsOf(platform) });
  expect(JSON.parse(menu.text)).toMatchObject({ code: 0 });

  const login = await send(
    {
      ":method": "POST",
      ":path": urlPath(authContract.login),
      "content-type": "application/x-www-form-urlencoded",
    },
    "username=nobody",
  );
  expect(JSON.parse(login.text)).toMatchObject({ code: 1, data: null });

  const { type = "", body } = await bodyOf(advertContract.upload, {
    file: { name: "a.png", bytes: PIXEL_PNG },
  });
  const upload = await send(
    {
      ":method": "POST",
      ":path": urlPath(advertContract.upload),
      "content-type": type,
      ...credentialsOf(platform),
    },
    body,
  );
  expect(JSON.parse(upload.text)).toMatchObject({ code: 0, data: { kind: "IMAGE" } });
});

test("HTTP/2: the sign-in prefetches 首页 by calls within the server", async () => {
  const origin = { requestId: "-", address: "127.0.0.1", network: "127.0.0.1", userAgent: "" };
  const prefetched = await homePrefetch(() => testServer.app)(platform, shanghaiDay(Date.now()), {
    origin,
    log: pino({ level: "silent" }),
  });
  expect(prefetched).toMatchObject({
    menu: expect.arrayContaining([expect.objectContaining({ kind: "MENU" })]),
    home: expect.objectContaining({ cabinets: expect.anything() }),
  });
});

test("HTTP/2: a stream whose client does not read ends, and a connection without one, too", async () => {
  const app = Fastify({ ...secureOptions(readCertificate(files)) } as object);
  other = app;
  endStalled(app, 200);
  app.get("/", (_request, reply) => reply.send(Buffer.alloc(5_000_000)));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const client = connect(originOf(app), { ca: ca(), settings: { initialWindowSize: 0 } });
  const stream = client.request({ ":path": "/" });
  stream.on("error", () => {});
  await once(stream, "close");
  expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
  await once(client, "close");
});

test("HTTP/2: a list of headers has a limit", async () => {
  expect(session.remoteSettings.maxHeaderListSize).toBe(16_384);
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`x-${at}`, "a".repeat(1_000)]),
  );
  const stream = session.request({ ":path": "/healthz", ...many });
  const [error] = await once(stream, "error");
  expect(String(error)).toMatch(/ENHANCE_YOUR_CALM|PROTOCOL_ERROR|CANCEL/);
});

test("HTTP/2: a signature over the host of `:authority` is accepted", async () => {
  const { id } = await testServer.makeTenant();
  const app = await makeOpenApp(testServer, { tenantId: id });
  const target = urlPath(openApiContract.whoAmI);
  const host = `127.0.0.1:${portOf(testServer.app)}`;
  const authorization = authorize(
    { method: "GET", host, target, contentType: "", idempotencyKey: "", body: "" },
    { app: app.code, kid: app.kid, ts: Math.floor(Date.now() / 1_000), nonce: newNonce() },
    app.secret,
  );
  const { headers, text } = await send({ ":path": target, authorization });
  expect([headers[":status"], JSON.parse(text)]).toMatchObject([200, { code: 0 }]);
});

test("HTTP/2: a body that does not arrive in time is answered with 408, its stream alone ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stream = session.request({
    ":method": "POST",
    ":path": urlPath(authContract.login),
    "content-type": "application/x-www-form-urlencoded",
  });
  stream.on("error", () => {});
  stream.write("username=ad");
  await vi.waitUntil(() => vi.getTimerCount() > 0, 30_000);
  vi.advanceTimersByTime(BODY_MS);
  vi.useRealTimers();
  const { headers, text } = await answerOf(stream);
  expect(headers[":status"]).toBe(408);
  expect(text).toContain("请求没有按时收完，请重试");
  await expect.poll(() => stream.closed).toBe(true);
  expect((await send({ ":path": "/healthz" })).headers[":status"]).toBe(200);
});

test("HTTP/2: the live channel sends events, and closing it leaves no channel behind", async () => {
  const { database } = testServer;
  const openChannels = async () => (await liveConnections.get()).values[0]?.value;
  const stream = session.request({ ":path": LIVE_PATH, ...credentialsOf(platform) });
  let text = "";
  stream.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  await expect.poll(() => text).toContain(": ready");
  await database.transaction("platform", (db) =>
    pushLive(db, { tenantId: 1, topic: "cabinet", cabinetId: null }),
  );
  await expect.poll(() => text).toContain('"topic":"cabinet"');
  expect(await openChannels()).toBe(1);
  stream.close();
  await expect.poll(openChannels).toBe(0);
});

test("settings: files that are missing or no pair are refused by name", () => {
  const strangers = writeTlsFiles(mkdtempSync(path.join(folder, "other-")));
  expect(() => readCertificate({ ...files, certFile: "/absent.pem" })).toThrow(SettingsError);
  expect(() => readCertificate({ ...files, certFile: "/absent.pem" })).toThrow("TLS_CERT_FILE");
  expect(() => readCertificate({ ...files, keyFile: strangers.keyFile })).toThrow("TLS_KEY_FILE");
});

async function servedName(app: FastifyInstance): Promise<string | undefined> {
  const socket = connectTls({ port: portOf(app), host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const name = socket.getPeerCertificate().subject.CN;
  socket.destroy();
  return name as string;
}

async function secureServer(at: typeof files): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...(secureOptions(readCertificate(at)) as object),
    forceCloseConnections: "idle",
  });
  closeInTime(app, DRAIN_MS);
  app.get("/slow", () => new Promise(() => {}));
  other = app;
  return app;
}

test("certificate: a renewed one is served to new connections, a broken one is not", async () => {
  const own = mkdtempSync(path.join(folder, "renewed-"));
  const pair = writeTlsFiles(own, "first");
  const app = await secureServer(pair);
  renewCertificate(app, pair, { log: pino({ level: "silent" }), everyMs: 20 });
  await app.listen({ port: 0, host: "127.0.0.1" });
  expect(await servedName(app)).toBe("first");
  rmSync(pair.keyFile);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await servedName(app)).toBe("first");
  writeTlsFiles(own, "second");
  await expect.poll(() => servedName(app)).toBe("second");
});

const DRAIN_MS = 500;
const FAR_LESS_THAN_A_TIMEOUT_MS = 3_000;

test.each(["/absent", "/slow"])(
  "shutdown: a session that asked for %s does not delay it beyond the drain",
  async (asked) => {
    const app = await secureServer(files);
    await app.listen({ port: 0, host: "127.0.0.1" });
    const arrived = once(app.server, "request");
    const client = connect(originOf(app), { ca: ca() });
    const stream = client.request({ ":path": asked });
    for (const each of [client, stream]) each.on("error", () => {});
    const unused = connectTls({ port: portOf(app), host: "127.0.0.1", ca: ca() });
    unused.on("error", () => {});
    await once(unused, "secureConnect");
    if (asked === "/slow") await arrived;
    else await answerOf(stream);
    const since = performance.now();
    await app.close();
    expect(performance.now() - since).toBeLessThan(FAR_LESS_THAN_A_TIMEOUT_MS);
  },
);
