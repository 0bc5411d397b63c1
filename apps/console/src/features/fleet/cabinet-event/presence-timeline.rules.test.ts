// Ticks of the presence bar: in order, within the bar, on whole hours or midnights in Shanghai.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationText, ticksOf } from "./presence-timeline.rules.ts";
import { skewText } from "./skew-text.rules.ts";

const HOUR = 3_600_000;
const instant = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 });

describe("ticks of the presence bar", () => {
  it("are whole hours of a day or midnights of a week, in order and within the bar", () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(24, 168), (to, hours) => {
        const ticks = ticksOf(to - hours * HOUR, to);
        expect(ticks.length).toBeGreaterThanOrEqual(hours === 24 ? 5 : 6);
        expect(ticks.length).toBeLessThanOrEqual(7);
        for (const { at, share } of ticks) {
          expect((at + 8 * HOUR) % (hours === 24 ? 4 * HOUR : 24 * HOUR)).toBe(0);
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThan(1);
        }
        expect(ticks).toEqual(ticks.toSorted((one, other) => one.at - other.at));
      }),
    );
  });
});

describe("durations", () => {
  it.each([
    [45_000, "45 秒"],
    [12 * 60_000, "12 分钟"],
    [3 * HOUR, "3 小时"],
    [3 * HOUR + 5 * 60_000, "3 小时 5 分钟"],
    [52 * HOUR, "2 天 4 小时"],
  ])("%d ms are formatted as %s", (ms, text) => expect(durationText(ms)).toBe(text));

  it.each([
    [180, "设备时钟快 3 分钟"],
    [-7_200, "晚到 2 小时，或设备时钟慢"],
    [200_000, "设备时钟快 2 天"],
  ])("%d seconds ahead are formatted as %s", (seconds, text) =>
    expect(skewText(seconds)).toBe(text),
  );
});
