// Reconnect backoff and patience of the live channel.

import { LIVE_PING_MS } from "@cabinet/contract/live/live.rules.ts";
import { describe, expect, it } from "vitest";
import { reconnectDelayMs, silenceMs } from "./live.rules.ts";

describe("silence", () => {
  it("one ping may be lost, and the last one is never older than ten seconds", () => {
    expect(silenceMs(String(LIVE_PING_MS))).toBeGreaterThan(2 * LIVE_PING_MS);
    expect(silenceMs(String(LIVE_PING_MS))).toBeLessThanOrEqual(10_000);
  });

  it("a server that does not say how often it pings is given the time of older ones", () => {
    expect(silenceMs(null)).toBe(37_500);
  });
});

describe("reconnect backoff", () => {
  it("starts at one second at most, doubles, and is capped at 30 seconds", () => {
    expect(reconnectDelayMs(0, 1)).toBe(1_000);
    expect(reconnectDelayMs(0, 0)).toBe(500);
    expect(reconnectDelayMs(3, 1)).toBe(8_000);
    expect(reconnectDelayMs(40, 1)).toBe(30_000);
  });
});
