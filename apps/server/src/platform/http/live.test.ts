// Tests the live channel during a database outage.
import type { AddressInfo } from "node:net";
import { LIVE_PATH, LIVE_PING_MS } from "@cabinet/contract/live/live.rules.ts";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Listener } from "../db/notify.ts";
import type { Gatekeeper, LiveSession } from "./http-access.ts";
import { addLiveRoute } from "./live.ts";

let reconnect = () => {};
const listener = {
  on: () => () => {},
  onReconnect: (handler: () => void) => {
    reconnect = handler;
  },
} as unknown as Listener;
const session = {
  ...{ operatorId: 1, tenantId: 2, homeTenantId: 2, userType: 1, storeIds: null },
} as LiveSession;
let findLiveSession: () => Promise<LiveSession | null>;
let app: FastifyInstance;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  findLiveSession = async () => session;
  const gatekeeper = {
    findSession: async () => session,
    findLiveSession: () => findLiveSession(),
  } as unknown as Gatekeeper;
  app = Fastify();
  app.decorateRequest("session", null);
  addLiveRoute(app, listener, gatekeeper);
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

async function openChannel() {
  const { port } = app.server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}${LIVE_PATH}`, {
    headers: { "auth-token": "token" },
  });
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toBe(": ready\n\n");
  return read;
}

test("live channel: a ping during an outage ends neither the channel nor the server", async () => {
  const read = await openChannel();
  const refused = vi.fn(() => Promise.reject(new Error("connection terminated")));
  findLiveSession = refused;
  await vi.advanceTimersByTimeAsync(LIVE_PING_MS);
  expect(refused).toHaveBeenCalledOnce();
  findLiveSession = async () => session;
  await vi.advanceTimersByTimeAsync(LIVE_PING_MS);
  expect(await read()).toBe(": ping\n\n");
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
