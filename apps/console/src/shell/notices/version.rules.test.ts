// Version prompt and version notice.
import { describe, expect, it } from "vitest";
import {
  isNoticeNew,
  isPromptDue,
  VERSION_CHECK_INTERVAL_MS,
  versionUrl,
} from "./version.rules.ts";

const now = 1_800_000_000_000;
const due = (more: object) =>
  isPromptDue({ running: "a", fetched: "b", postponedAt: null, now, ...more });

describe("§4 version prompt", () => {
  it("requests version.json past every cache, every 8 s", () => {
    expect(versionUrl("https://x.example", 5)).toBe("https://x.example/version.json?t=5");
    expect(VERSION_CHECK_INTERVAL_MS).toBe(8_000);
  });

  it("prompts on a change only", () => {
    expect(due({})).toBe(true);
    expect(due({ fetched: "a" })).toBe(false);
  });

  it("waits three minutes after 稍后", () => {
    expect(due({ postponedAt: now - 179_999 })).toBe(false);
    expect(due({ postponedAt: now - 180_000 })).toBe(true);
  });
});

describe("§4 version notice", () => {
  const notice = { version: "2.0", content: "", updateTime: "2026-11-01T00:00:00.000Z" };
  const seen = { version: notice.version, versionUpdateTime: notice.updateTime };

  it("is shown when version or update time differ, hidden when both are equal", () => {
    expect(isNoticeNew(notice, seen)).toBe(false);
    expect(isNoticeNew({ ...notice, version: "2.1" }, seen)).toBe(true);
    expect(isNoticeNew({ ...notice, updateTime: "2026-11-02T00:00:00.000Z" }, seen)).toBe(true);
  });
});
