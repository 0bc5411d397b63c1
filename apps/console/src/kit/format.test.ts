// Display formats of values.
import { describe, expect, it } from "vitest";
import {
  formatAge,
  formatDateTime,
  formatMoney,
  formatNear,
  formatNumber,
  formatTime,
} from "./format.ts";

describe("formats", () => {
  it("show time in Asia/Shanghai", () => {
    expect(formatDateTime("2026-11-21T16:30:05.123Z")).toBe("2026-11-22 00:30:05");
    expect(formatTime("2026-11-21T04:30:05Z")).toBe("12:30:05");
    expect(formatDateTime(null)).toBe("—");
    expect(formatDateTime("nonsense")).toBe("—");
  });

  it("show age in the largest fitting unit", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    expect(formatAge(now - 2_000, now)).toBe("刚刚");
    expect(formatAge(now + 60_000, now)).toBe("刚刚");
    expect(formatAge(now - 59_000, now)).toBe("59 秒前");
    expect(formatAge("2026-11-21T10:01:00Z", now)).toBe("1 小时前");
    expect(formatAge("2026-11-01T12:00:00Z", now)).toBe("20 天前");
  });

  it("show the time near an age, with the day where it is another one in Shanghai", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    expect(formatNear("2026-11-20T16:01:00Z", now)).toBe("00:01");
    expect(formatNear("2026-11-20T15:59:00Z", now)).toBe("11-20 23:59");
    expect(formatNear("2025-12-31T15:59:00Z", now)).toBe("2025-12-31 23:59");
  });

  it("group digits as the browser's English does", () => {
    for (const value of [0, 999, 1000, -1234, 123456, 1234567.25, -0.5, 1e12, 0.12345]) {
      expect(formatNumber(value)).toBe(value.toLocaleString("en-US"));
    }
  });

  it("turn fen into yuan without rounding", () => {
    expect(formatMoney(123456789)).toBe("¥1,234,567.89");
    expect(formatMoney(-5)).toBe("-¥0.05");
    expect(formatMoney(0)).toBe("¥0.00");
    expect(formatMoney(123450)).toBe("¥1,234.50");
    expect(formatMoney(-300)).toBe("-¥3.00");
    expect(formatMoney(null)).toBe("—");
  });
});
