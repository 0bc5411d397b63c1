// Whether a request without an answer can have left: by when the browser had a network, and what was heard.
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const listeners = new Map<string, () => void>();

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: 1_000 });
  listeners.clear();
  vi.stubGlobal("window", {
    addEventListener: (name: string, run: () => void) => listeners.set(name, run),
  });
  vi.stubGlobal("localStorage", { getItem: () => null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const at = (ms: number) => vi.setSystemTime(ms);
const goOffline = () => listeners.get("offline")?.();

it("missKind: without a network from before the request on, nothing was sent; a late answer leaves it open", async () => {
  const { missKind } = await import("./api.ts");
  goOffline();
  expect(missKind(2_000, false)).toBe("offline");
  // Ten seconds passed: whatever the browser believes, the request may have arrived.
  expect(missKind(2_000, true)).toBe("timeout");
});

it("missKind: a network that was lost after the request had begun proves nothing", async () => {
  const { missKind } = await import("./api.ts");
  at(2_000);
  goOffline();
  expect(missKind(1_500, false)).toBe("network");
  expect(missKind(2_000, false)).toBe("offline");
  listeners.get("online")?.();
  expect(missKind(2_500, false)).toBe("network");
});

it("hear: an answer proves that the browser is wrong about having no network", async () => {
  const { missKind } = await import("./api.ts");
  const { hear, networkStore } = await import("./network.ts");
  goOffline();
  // An answer from before the network went proves nothing.
  at(1_500);
  hear();
  expect(networkStore.getState().lostAt).toBe(1_000);
  expect(missKind(1_500, false)).toBe("offline");
  at(2_000);
  hear();
  expect(networkStore.getState().lostAt).toBeNull();
  expect(missKind(1_000, false)).toBe("network");
});
