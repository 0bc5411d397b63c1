// Tests the live channel during a database outage.
import type { AddressInfo } from "node:net";
import { LIVE_MISSED_HEADER, LIVE_PATH, LIVE_PING_MS } from "@cabinet/contract/live/live.rules.ts";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Listener } from "../db/notify.ts";
import { TenantUse } from "../limits/tenant-use.rules.ts";
import type { Gatekeeper, LiveSession } from "./http-access.ts";
import { sendError } from "./http-error.ts";
import { addLiveRoute } from "./live.ts";

let reconnect = () => {};
const handlers = new Set<(payload: unknown) => void>();
const publish = (event: object) => {
  for (const handler of handlers) handler(event);
};
const listener = {
  on: (channel: string, handler: (payload: unknown) => void) => {
    if (channel === "live") handlers.add(handler);
    return () => handlers.delete(handler);
  },
  onReconnect: (handler: () => void) => {
    reconnect = handler;
  },
} as unknown as Listener;
const session = {
  ...{
    operatorId: 1,
    tenantId: 2,
    homeTenantId: 2,
    userType: 1,
    storeIds: null,
    permissions: new Set(),
  },
} as unknown as LiveSession;
let findLiveSession: () => Promise<LiveSession | null>;
let app: FastifyInstance;
let use: TenantUse;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  findLiveSession = async () => session;
  const gatekeeper = {
    findSession: async () => session,
    findLiveSession: () => findLiveSession(),
  } as unknown as Gatekeeper;
  app = Fastify();
  app.decorateRequest("session", null);
  app.setErrorHandler(sendError);
  use = new TenantUse();
  addLiveRoute(app, { listener, gatekeeper, use });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  handlers.clear();
  await app.close();
});

async function openChannel(headers: Record<string, string> = {}) {
  const { port } = app.server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}${LIVE_PATH}`, {
    headers: { "auth-token": "token", ...headers },
  });
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  /** The next message; several may come in one piece. */
  const read = async () => {
    while (!text.includes("\n\n")) {
      const { value, done } = await reader.read();
      if (done) return text;
      text += new TextDecoder().decode(value);
    }
    const end = text.indexOf("\n\n") + 2;
    const message = text.slice(0, end);
    text = text.slice(end);
    return message;
  };
  expect(await read()).toBe(": ready\n\n");
  return read;
}

const pings = (count: number) => vi.advanceTimersByTimeAsync(count * LIVE_PING_MS);

test("live channel: a ping during an outage ends neither the channel nor the server", async () => {
  const read = await openChannel();
  const refused = vi.fn(() => Promise.reject(new Error("connection terminated")));
  findLiveSession = refused;
  await pings(3);
  expect(refused).not.toHaveBeenCalled();
  for (let ping = 0; ping < 3; ping++) expect(await read()).toBe(": ping\n\n");
  // From the first failed reload on, each ping tries again, and none is sent.
  await pings(2);
  expect(refused).toHaveBeenCalledTimes(2);
  findLiveSession = async () => session;
  await pings(1);
  publish({ topic: "setting", tenantId: null, cabinetId: null, storeId: null });
  expect(await read()).toBe(": ping\n\n");
  expect(await read()).toContain('"setting"');
});

test("live channel: an account has thirty at a time; another account has its own", async () => {
  const port = (app.server.address() as AddressInfo).port;
  const open = () => {
    const connection = new AbortController();
    const reply = fetch(`http://127.0.0.1:${port}${LIVE_PATH}`, {
      headers: { "auth-token": "token" },
      signal: connection.signal,
    });
    return { reply, close: () => connection.abort() };
  };
  const statusOf = async ({ reply }: ReturnType<typeof open>) => (await reply).status;
  const channels = Array.from({ length: 30 }, open);
  expect(new Set(await Promise.all(channels.map(statusOf)))).toEqual(new Set([200]));
  const refused = await open().reply;
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  findLiveSession = async () => ({ ...session, operatorId: 2 });
  expect(await statusOf(open())).toBe(200);
  findLiveSession = async () => session;
  channels[0]?.close();
  await expect.poll(() => statusOf(open())).toBe(200);
});

test("live channel: a tenant's limit counts the channels of its accounts in all processes", async () => {
  use.learn(
    [
      {
        ...{ tenantId: 2, requests: 0, maxRequests: null },
        ...{ maxLiveChannels: 3, otherLiveChannels: 1, secondsLeft: 60 },
      },
    ],
    performance.now(),
  );
  const read = await openChannel();
  findLiveSession = async () => ({ ...session, operatorId: 2 });
  await openChannel();
  findLiveSession = async () => ({ ...session, operatorId: 3 });
  const { port } = app.server.address() as AddressInfo;
  const open = () =>
    fetch(`http://127.0.0.1:${port}${LIVE_PATH}`, { headers: { "auth-token": "token" } });
  const refused = await open();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(await refused.json()).toMatchObject({
    errCode: "TENANT_CHANNELS_USED_UP",
    errMsg: expect.stringContaining("3 个实时通道"),
  });
  findLiveSession = async () => null;
  await pings(4);
  await read().catch(() => {});
  findLiveSession = async () => session;
  await openChannel();
});

test("live channel: a listener that reconnects closes the channels, so that consoles refetch", async () => {
  const { port } = app.server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}${LIVE_PATH}`, {
    headers: { "auth-token": "token" },
  });
  const whole = reply.text();
  reconnect();
  expect(await whole).toBe(": ready\n\n");
});

test("live channel: begins with what its console may have missed", async () => {
  const now = performance.now.bind(performance);
  let laterMs = 10_000;
  vi.spyOn(performance, "now").mockImplementation(() => now() + laterMs);
  publish({ topic: "announcement", tenantId: 2, cabinetId: null, storeId: null });
  publish({ topic: "order", tenantId: 3, cabinetId: null, storeId: null });
  laterMs = 15_000;
  const firstOf = async (missedMs: string) =>
    (await openChannel({ [LIVE_MISSED_HEADER]: missedMs }))();
  const missed = 'data: {"topic":"announcement","cabinetId":null}\n\n';
  expect(await firstOf("6000")).toBe(missed);
  // The process does not know what was before its start: anything may have changed.
  expect(await firstOf("20000")).toBe('data: {"topic":"access","cabinetId":null}\n\n');
  const read = await openChannel({ [LIVE_MISSED_HEADER]: "2000" });
  publish({ topic: "setting", tenantId: 2, cabinetId: null, storeId: null });
  expect(await read()).toBe('data: {"topic":"setting","cabinetId":null}\n\n');
});
