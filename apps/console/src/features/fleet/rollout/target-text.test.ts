// Text for the state of a roll-out's target.
import { expect, it } from "vitest";
import { targetText } from "./target-text.ts";

it("roll-out target: names the connectivity that a waiting device waits for", () => {
  const waiting = { state: "WAITING", notBefore: null } as const;
  expect(targetText({ ...waiting, connectivity: "OFFLINE" })).toBe("离线，上线后下发");
  expect(targetText({ ...waiting, connectivity: "CONNECTING" })).toBe("连接中，上线后下发");
  expect(targetText({ ...waiting, connectivity: "NEVER" })).toBe("从未连接，上线后下发");
  expect(targetText({ ...waiting, connectivity: "ONLINE" })).toBe("等待下发");
  expect(targetText({ ...waiting, state: "FAILED", connectivity: "OFFLINE" })).toBe("失败");
});
