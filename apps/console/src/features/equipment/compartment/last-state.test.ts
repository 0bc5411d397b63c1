// Text for a cabinet that is not online.
import type { Connectivity } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { expect, it } from "vitest";
import { lastStateText } from "./last-state.ts";

it("last state: names the time of the last known state, with the day unless it is today", () => {
  const now = Date.parse("2026-11-22T12:00:00.000Z");
  const text = (connectivity: Connectivity, lastSeenAt: string | null) =>
    lastStateText({ connectivity, lastSeenAt }, now);
  expect(text("ONLINE", "2026-11-22T11:05:09.000Z")).toBeNull();
  expect(text("OFFLINE", "2026-11-22T11:05:09.000Z")).toBe("离线，19:05 起的最后状态");
  expect(text("OFFLINE", "2026-11-21T11:05:09.000Z")).toBe("离线，11-21 19:05 起的最后状态");
  expect(text("CONNECTING", "2026-11-22T11:05:09.000Z")).toBe("连接中，19:05 的最后状态");
  expect(text("NEVER", null)).toBe("从未连接，没有上报状态");
});
