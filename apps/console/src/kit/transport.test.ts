// Sending: how many requests at once, and what is repeated.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { send } from "./transport.ts";

const { signal } = new AbortController();
const busy = () => new Response("busy", { status: 429, headers: { "retry-after": "1" } });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function answerWith(...answers: (() => Response)[]) {
  const fetches = vi.fn(async () => (answers.shift() ?? (() => new Response("done")))());
  vi.stubGlobal("fetch", fetches);
  return fetches;
}

it("sends at once, before anything that waits in a microtask", async () => {
  const fetches = answerWith();
  const sent = send("/api", { signal, isWrite: false });
  expect(fetches).toHaveBeenCalledTimes(1);
  await sent;
});

it("repeats after the time that a busy server asks for", async () => {
  const fetches = answerWith(busy);
  const sent = send("/api", { signal, isWrite: false });
  await vi.advanceTimersByTimeAsync(900);
  expect(fetches).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_200);
  expect((await sent).text).toBe("done");
  expect(fetches).toHaveBeenCalledTimes(2);
});

it("gives the refusal to its caller after two repeats", async () => {
  const fetches = answerWith(busy, busy, busy, busy);
  const sent = send("/api", { signal, isWrite: false });
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await sent).response.status).toBe(429);
  expect(fetches).toHaveBeenCalledTimes(3);
});

it.each([
  ["a wait of its own", () => new Response("", { status: 429, headers: { "retry-after": "30" } })],
  ["no wait", () => new Response("", { status: 429 })],
  ["maintenance", () => new Response("", { status: 503, headers: { "retry-after": "1" } })],
])("does not repeat a refusal with %s", async (_, answer) => {
  const fetches = answerWith(answer);
  await send("/api", { signal, isWrite: false });
  expect(fetches).toHaveBeenCalledTimes(1);
});

it("a write is not repeated five seconds after the press, nor after a sleep", async () => {
  const fetches = answerWith(busy, busy, busy);
  vi.spyOn(Math, "random").mockReturnValue(0.9);
  const sent = send("/api", { signal, isWrite: true });
  await vi.advanceTimersByTimeAsync(1_900);
  expect(fetches).toHaveBeenCalledTimes(2);
  // The laptop sleeps: its clock goes on, its timers do not.
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await sent).response.status).toBe(429);
  expect(fetches).toHaveBeenCalledTimes(2);
});

it("stops waiting when its caller gives up", async () => {
  answerWith(busy);
  const leaving = new AbortController();
  const sent = send("/api", { signal: leaving.signal, isWrite: false });
  await vi.advanceTimersByTimeAsync(100);
  leaving.abort(new Error("left"));
  await expect(sent).rejects.toThrow("left");
});

it("sends eight requests at a time, and urgent ones beside them", async () => {
  const held: (() => void)[] = [];
  const fetches = vi.fn(
    () => new Promise<Response>((resolve) => held.push(() => resolve(new Response("done")))),
  );
  vi.stubGlobal("fetch", fetches);
  const all = Promise.all(
    Array.from({ length: 20 }, () => send("/api", { signal, isWrite: false })),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(fetches).toHaveBeenCalledTimes(8);
  const urgent = send("/api", { signal, isWrite: true });
  expect(fetches).toHaveBeenCalledTimes(9);
  for (let at = 0; at < 21; at++) {
    held[at]?.();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(await all).toHaveLength(20);
  expect((await urgent).text).toBe("done");
});
