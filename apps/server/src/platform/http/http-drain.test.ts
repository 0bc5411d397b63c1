// Tests graceful shutdown (S1): it waits for requests in flight, and for nothing else.
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeInTime } from "./http-drain.ts";
import { sendError } from "./http-error.ts";

const DRAIN_MS = 500;
const FAR_LESS_THAN_A_TIMEOUT_MS = 3_000;
let app: FastifyInstance;
let answer: () => void;

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: "idle", return503OnClosing: false });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  closeInTime(app, DRAIN_MS);
  const { promise, resolve } = Promise.withResolvers<void>();
  answer = resolve;
  app.get("/slow", async () => {
    await promise;
    return "done";
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => app.close());

const port = () => (app.server.address() as AddressInfo).port;

async function speak(text: string) {
  const accepted = once(app.server, "connection");
  const socket = connect(port(), "127.0.0.1");
  await accepted;
  socket.write(text);
  const replied = new Response(socket).text().catch(() => "");
  return { socket, replied };
}

async function closingMs(): Promise<number> {
  const since = performance.now();
  await app.close();
  return performance.now() - since;
}

test("shutdown: an unused preconnected socket does not delay it", async () => {
  await speak("");
  expect(await closingMs()).toBeLessThan(FAR_LESS_THAN_A_TIMEOUT_MS);
});

test("shutdown: a request in flight is answered", async () => {
  const asked = once(app.server, "request");
  const { replied } = await speak("GET /slow HTTP/1.1\r\nhost: x\r\n\r\n");
  await asked;
  const closing = closingMs();
  setTimeout(answer, DRAIN_MS / 2);
  expect(await replied).toContain("done");
  expect(await closing).toBeLessThan(FAR_LESS_THAN_A_TIMEOUT_MS);
});

test("shutdown: a request that never ends is cut off after the drain", async () => {
  await speak("GET /slow HTTP/1.1\r\nhost: x\r\n");
  expect(await closingMs()).toBeLessThan(FAR_LESS_THAN_A_TIMEOUT_MS);
});

test("shutdown: a new request on an open connection is refused in the envelope", async () => {
  const asked = once(app.server, "request");
  const { socket, replied } = await speak("GET /slow HTTP/1.1\r\nhost: x\r\n\r\n");
  await asked;
  const closing = closingMs();
  while (app.server.listening) await new Promise(setImmediate);
  const askedAgain = once(app.server, "request");
  socket.write("GET /slow HTTP/1.1\r\nhost: x\r\n\r\n");
  await askedAgain;
  answer();
  await closing;
  const text = await replied;
  expect(text).toContain("HTTP/1.1 503 ");
  expect(text).toContain("retry-after: 1");
  expect(text).toContain('"code":1');
});
