// Times typed in Shanghai's time zone are sent in UTC.
import { describe, expect, it } from "vitest";
import { formatDateTime } from "../../kit/format.ts";
import { shanghaiToIso } from "./shanghai-time.rules.ts";

describe("time of a filter", () => {
  it("is in Shanghai's time zone, whatever the browser's zone", () => {
    expect(shanghaiToIso("2026-11-21T08:00:00")).toBe("2026-11-21T00:00:00.000Z");
    expect(shanghaiToIso("2026-01-01T00:00:00")).toBe("2025-12-31T16:00:00.000Z");
  });

  it("reads back as it was typed", () => {
    expect(formatDateTime(shanghaiToIso("2026-11-21T23:59:59"))).toBe("2026-11-21 23:59:59");
  });
});
