// Tests spans of days and figures derived from sums, with properties over any of them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../../kit/shanghai.rules.ts";
import { defaultPricing } from "../../money/pricing/pricing.rules.ts";
import {
  changeOf,
  DEFAULT_DAYS,
  daysOf,
  earningReasons,
  fullMinutesADay,
  MAX_DAYS,
  meanStayMinutes,
  overdueShare,
  type SizeUse,
  sizeVerdict,
  spanBefore,
  spanOf,
  stayText,
  turnoverOf,
} from "./statistics.rules.ts";

const now = Date.parse("2026-11-21T18:00:00Z");
const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays("2000-01-01", days));

describe("days", () => {
  it("default to the last 30, or end today where only the start is given", () => {
    expect(spanOf({}, now)).toEqual({ from: "2026-10-24", to: "2026-11-22" });
    expect(spanOf({ from: "2026-11-20" }, now)).toEqual({ from: "2026-11-20", to: "2026-11-22" });
    expect(spanOf({ to: "2026-03-01" }, now)).toEqual({ from: "2026-01-31", to: "2026-03-01" });
    expect(daysOf(spanOf({}, now) as { from: string; to: string })).toBe(DEFAULT_DAYS);
  });

  it("form a span exactly when in order and at most MAX_DAYS", () => {
    fc.assert(
      fc.property(anyDay, anyDay, (from, to) => {
        const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
        expect(spanOf({ from, to }, now) !== null).toBe(days >= 1 && days <= MAX_DAYS);
      }),
    );
  });

  it.each([
    ["2026-10-01", "2026-10-31", "2026-09-01"],
    ["2026-03-01", "2026-03-31", "2026-02-01"],
    ["2026-01-01", "2026-01-31", "2025-12-01"],
    ["2026-07-01", "2026-09-30", "2026-04-01"],
    ["2026-10-01", "2026-10-30", "2026-09-01"],
    ["2026-10-02", "2026-10-31", "2026-09-02"],
  ])("spanBefore of %s to %s begins on %s", (from, to, expected) => {
    expect(spanBefore({ from, to })).toEqual({ from: expected, to: addDays(from, -1) });
  });

  it("spanBefore has the same length, of days or of whole months, and ends on the day before", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: MAX_DAYS }), (from, days) => {
        const span = { from, to: addDays(from, days - 1) };
        const before = spanBefore(span);
        const isOfMonths = from.endsWith("-01") && addDays(span.to, 1).endsWith("-01");
        if (!isOfMonths) expect(daysOf(before)).toBe(daysOf(span));
        expect(before.from.endsWith("-01") || !isOfMonths).toBe(true);
        expect(addDays(before.to, 1)).toBe(span.from);
      }),
    );
  });
});

describe("derived figures", () => {
  it("are null where the divisor is zero", () => {
    expect(turnoverOf({ stored: 5 }, 0, 30)).toBeNull();
    expect(meanStayMinutes({ stayMinutes: 0, completed: 0 })).toBeNull();
    expect(overdueShare({ overdue: 0, stored: 0 })).toBeNull();
    expect(changeOf(5, 0)).toBeNull();
    expect(changeOf(null, 5)).toBeNull();
  });

  it("divide the sums that they are named after", () => {
    expect(turnoverOf({ stored: 60 }, 10, 3)).toBe(2);
    expect(meanStayMinutes({ stayMinutes: 100, completed: 3 })).toBe(33);
    expect(overdueShare({ overdue: 1, stored: 4 })).toBe(0.25);
    expect(changeOf(15, 10)).toBe(0.5);
  });

  it.each([
    [59, "59 分钟"],
    [60, "1.0 小时"],
    [732, "12.2 小时"],
    [3_600, "2.5 天"],
  ])("a mean of %i minutes reads %s", (minutes, text) => {
    expect(stayText(minutes)).toBe(text);
  });
});

describe("size verdict", () => {
  const week = 7 * 288;
  const use = (over: Partial<SizeUse>): SizeUse => ({
    samples: week,
    occupied: 0,
    total: week * 10,
    fullSamples: 0,
    peak: 7,
    compartments: 10,
    ...over,
  });

  it.each([
    ["is full half an hour a day", { fullSamples: 7 * 6, peak: 10 }, "SHORT"],
    ["is full a little less", { fullSamples: 7 * 6 - 7, peak: 10 }, "FIT"],
    ["was never more than half used", { peak: 5 }, "SPARE"],
    ["was just more than half used", { peak: 6 }, "FIT"],
    ["has one compartment that nobody used", { peak: 0, compartments: 1 }, "FIT"],
    ["was watched for less than three days", { samples: 863, fullSamples: 863 }, "UNKNOWN"],
  ] as const)("that %s", (_, over, verdict) => {
    expect(sizeVerdict(use(over))).toBe(verdict);
  });

  it("fullMinutesADay averages over the sampled time", () => {
    expect(fullMinutesADay({ samples: 144, fullSamples: 6 })).toBe(60);
    expect(fullMinutesADay({ samples: 0, fullSamples: 0 })).toBeNull();
  });
});

describe("reasons of low earners", () => {
  const sound = {
    ...{ compartments: 10, days: 30, stored: 300, openings: 600, opened: 600 },
    ...{ incomeFen: 60_000, refundFen: 0, netFenBefore: 60_000, medianDayFen: 2_500 },
    ...{ fullMinutes: 0, offlineMinutes: 0, malfunctions: 0 },
    pricing: { ...defaultPricing, stepFen: 100 },
  };

  it.each([
    ["sound", {}, []],
    ["offline for more than 2% of the time", { offlineMinutes: 900 }, ["OFFLINE"]],
    ["a malfunction every ten days", { malfunctions: 3 }, ["MALFUNCTIONS"]],
    ["one malfunction in a week", { malfunctions: 1, days: 7 }, []],
    ["one opening in ten fails", { opened: 540 }, ["OPENING"]],
    ["full for half an hour a day", { fullMinutes: 900 }, ["FULL"]],
    ["free", { pricing: defaultPricing }, ["FREE"]],
    ["a fifth refunded", { refundFen: 12_000, netFenBefore: 48_000 }, ["REFUND"]],
    ["hardly used", { stored: 30 }, ["IDLE"]],
    ["a third less than before", { netFenBefore: 90_000 }, ["DROP"]],
    ["never used, without compartments", { stored: 0, compartments: 0 }, ["IDLE"]],
    ["registered this week", { days: 3, incomeFen: 6_000, netFenBefore: 6_000 }, ["NEW"]],
  ] as const)("%s", (_, change, reasons) => {
    expect(earningReasons({ ...sound, ...change })).toEqual(reasons);
  });

  it("belong to cabinets below the tenant's median and to those without income", () => {
    const broken = { ...sound, malfunctions: 9, netFenBefore: 90_000 };
    expect(earningReasons({ ...broken, medianDayFen: 2_000 })).toEqual([]);
    expect(earningReasons({ ...broken, medianDayFen: 2_001 })).toEqual(["MALFUNCTIONS", "DROP"]);
    expect(earningReasons({ ...sound, stored: 0, incomeFen: 0, medianDayFen: 0 })).toEqual([
      "IDLE",
      "DROP",
    ]);
  });
});
