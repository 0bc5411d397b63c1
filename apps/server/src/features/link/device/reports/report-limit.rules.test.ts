// Tests the rate limit of reports per cabinet: burst, rate, and which reports share a bucket.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketOf, REPORT_BURST, REPORTS_PER_SECOND, TokenBuckets } from "./report-limit.rules.ts";

const limit = () => new TokenBuckets({ burst: REPORT_BURST, perSecond: REPORTS_PER_SECOND });
const takeMany = (buckets: TokenBuckets, key: string, count: number, now: number) =>
  Array.from({ length: count }, () => buckets.take(key, now)).filter(Boolean).length;

describe("token bucket", () => {
  it("passes the queued reports of two reconnects in a row", () => {
    const buckets = limit();
    expect(takeMany(buckets, "a", 500, 0)).toBe(500);
    expect(takeMany(buckets, "a", 500, 0)).toBe(500);
    expect(buckets.take("a", 0)).toBe(false);
    expect(buckets.take("b", 0)).toBe(true);
  });

  it("refills by time, up to the burst", () => {
    const buckets = limit();
    takeMany(buckets, "a", REPORT_BURST, 0);
    expect(takeMany(buckets, "a", 100, 2_000)).toBe(2 * REPORTS_PER_SECOND);
    expect(takeMany(buckets, "a", 5_000, 86_400_000)).toBe(REPORT_BURST);
  });

  it("does not count a token that was given back", () => {
    const buckets = limit();
    takeMany(buckets, "a", REPORT_BURST, 0);
    buckets.giveBack("a");
    expect(buckets.take("a", 0)).toBe(true);
    expect(buckets.take("a", 0)).toBe(false);
  });

  it("never passes more than the burst and the rate allow", () => {
    const waits = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 300 });
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 20 }), (steps, burst) => {
        const buckets = new TokenBuckets({ burst, perSecond: 1 });
        let now = 0;
        let taken = 0;
        for (const step of steps) {
          now += step;
          if (buckets.take("a", now)) taken++;
          expect(taken).toBeLessThanOrEqual(burst + now / 1_000 + 1e-6);
        }
      }),
    );
  });
});

describe("buckets of a cabinet", () => {
  const of = (kind: string, message: object) =>
    bucketOf("CAB00001", kind, Buffer.from(`signature.${JSON.stringify(message)}`));

  it("separate routine sensor reports from those that doors and orders depend on", () => {
    const essential = of("ack", {});
    expect(of("birth", {})).toBe(essential);
    expect(of("state", {})).toBe(essential);
    for (const type of ["DOOR_OPENED", "DOOR_CLOSED", "ITEM_TAKEN", "JOB"]) {
      expect(of("evt", { type })).toBe(essential);
    }
    const routine = of("hb", {});
    expect(routine).not.toBe(essential);
    for (const type of ["VIBRATION", "TAMPER", "TEMPERATURE_HIGH", "JOBLESS"]) {
      expect(of("evt", { type })).toBe(routine);
    }
  });
});
