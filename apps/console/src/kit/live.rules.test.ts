// Reconnect backoff of the live channel.
import { describe, expect, it } from "vitest";
import { reconnectDelayMs } from "./live.rules.ts";

describe("reconnect backoff", () => {
  it("starts at one second at most, doubles, and is capped at 30 seconds", () => {
    expect(reconnectDelayMs(0, 1)).toBe(1_000);
    expect(reconnectDelayMs(0, 0)).toBe(500);
    expect(reconnectDelayMs(3, 1)).toBe(8_000);
    expect(reconnectDelayMs(40, 1)).toBe(30_000);
  });
});
