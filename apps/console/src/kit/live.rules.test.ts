// How long a broken push channel waits.
import { describe, expect, it } from "vitest";
import { reconnectDelayMs } from "./live.rules.ts";

describe("Reconnecting", () => {
  it("starts at a second at most, doubles, stays within half a minute", () => {
    expect(reconnectDelayMs(0, 1)).toBe(1_000);
    expect(reconnectDelayMs(0, 0)).toBe(500);
    expect(reconnectDelayMs(3, 1)).toBe(8_000);
    expect(reconnectDelayMs(40, 1)).toBe(30_000);
  });
});
