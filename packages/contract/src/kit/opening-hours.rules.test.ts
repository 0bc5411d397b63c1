// Tests opening hours: one text for each meaning, and parsing it back.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatOpeningHours,
  OPENING_HOURS_PATTERN,
  openingHoursProblem,
  parseOpeningHours,
} from "./opening-hours.rules.ts";

const times = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
const days = fc.oneof(
  fc.constant("ALL_DAY" as const),
  fc.constant(null),
  fc.record({ from: times, to: fc.oneof(times, fc.constant("24:00")) }),
);

describe("opening hours", () => {
  it("parsing a formatted text returns the same hours", () => {
    fc.assert(
      fc.property(fc.record({ weekdays: days, weekend: days }), (hours) => {
        const text = formatOpeningHours(hours);
        expect(text).toMatch(new RegExp(OPENING_HOURS_PATTERN));
        expect(parseOpeningHours(text)).toEqual(hours);
        expect(formatOpeningHours(parseOpeningHours(text) ?? hours)).toBe(text);
      }),
    );
  });

  it("formats one line, weekdays and weekend apart where they differ", () => {
    const day = { from: "08:00", to: "22:00" };
    expect(formatOpeningHours({ weekdays: day, weekend: day })).toBe("08:00-22:00");
    expect(formatOpeningHours({ weekdays: "ALL_DAY", weekend: "ALL_DAY" })).toBe("全天");
    expect(formatOpeningHours({ weekdays: day, weekend: null })).toBe(
      "工作日 08:00-22:00，周末 休息",
    );
  });

  it("accepts empty text and hours past midnight", () => {
    for (const text of ["", "全天", "18:00-02:00", "00:00-24:00"]) {
      expect(openingHoursProblem(text)).toBeNull();
    }
  });

  it.each([
    ["8:00-22:00", "不完整"],
    ["08:00-25:00", "不完整"],
    ["随时", "不完整"],
    ["09:00-09:00", "不能相同"],
    ["工作日 休息，周末 休息", "不能都休息"],
  ])("%s is refused: %s", (text, words) => {
    expect(openingHoursProblem(text)).toContain(words);
  });
});
