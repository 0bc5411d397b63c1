// Shanghai's clock and calendar, whatever the zone of the machine.
import { expect, it } from "vitest";
import { addDays, shanghaiClock, shanghaiDay, shanghaiToIso } from "./shanghai.rules.ts";

it("shanghaiToIso: time is in Shanghai's time zone, whatever the browser's zone", () => {
  expect(shanghaiToIso("2026-11-21T08:00:00")).toBe("2026-11-21T00:00:00.000Z");
  expect(shanghaiToIso("2026-01-01T00:00:00")).toBe("2025-12-31T16:00:00.000Z");
});

it("shanghaiToIso: a time reads back as it was typed", () => {
  const ms = Date.parse(shanghaiToIso("2026-11-21T23:59:59"));
  expect(shanghaiClock(ms)).toBe("2026-11-21T23:59:59.000");
});

it("shanghaiDay: a day begins at midnight in Shanghai", () => {
  expect(shanghaiDay(Date.parse("2026-11-21T15:59:59Z"))).toBe("2026-11-21");
  expect(shanghaiDay(Date.parse("2026-11-21T16:00:00Z"))).toBe("2026-11-22");
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
});
