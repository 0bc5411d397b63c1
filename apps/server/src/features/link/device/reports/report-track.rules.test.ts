// Tests that missing reports do not depend on arrival order, and that snapshots replace them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isNewer,
  type ReportTrack,
  type TrackedReport,
  trackReport,
} from "./report-track.rules.ts";

const unknown: ReportTrack = { bootNo: null, lastN: null, missing: [] };

function trackAll(reports: TrackedReport[], start = unknown): ReportTrack {
  return reports.reduce(trackReport, start);
}

describe("report track", () => {
  it("lists the reports between two as missing", () => {
    const track = trackAll([
      { bootNo: 1, n: 1, coversBefore: 1 },
      { bootNo: 1, n: 4 },
    ]);
    expect(track).toEqual({ bootNo: 1, lastN: 4, missing: [2, 3] });
    expect(trackReport(track, { bootNo: 1, n: 2 }).missing).toEqual([3]);
  });

  it("learns from a heartbeat that the last report is missing", () => {
    const track = trackAll([
      { bootNo: 1, n: 1 },
      { bootNo: 1, n: 2, isHeartbeat: true },
    ]);
    expect(track.missing).toEqual([2]);
    expect(trackReport(track, { bootNo: 1, n: 2 }).missing).toEqual([]);
    expect(trackReport(track, { bootNo: 1, n: 2, isHeartbeat: true }).missing).toEqual([2]);
  });

  it("takes a snapshot for the reports before it, not for those between its parts", () => {
    const track = trackAll([
      { bootNo: 3, n: 5 },
      { bootNo: 3, n: 9, coversBefore: 8 },
    ]);
    expect(track.missing).toEqual([8]);
  });

  it("forgets an earlier boot and ignores its late reports", () => {
    const track = trackAll([
      { bootNo: 1, n: 7 },
      { bootNo: 2, n: 1 },
      { bootNo: 1, n: 8 },
    ]);
    expect(track).toEqual({ bootNo: 2, lastN: 1, missing: [] });
  });

  it("stays bounded whatever number a cabinet claims", () => {
    const track = trackReport(unknown, { bootNo: 1, n: Number.MAX_SAFE_INTEGER });
    expect(track.missing.length).toBe(50);
  });

  it("ends the same when the stream is shuffled and contains duplicates", () => {
    const stream = fc
      .uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1 })
      .chain((numbers) => {
        const doubled = fc.array(fc.constantFrom(...numbers));
        return doubled.chain((extra) =>
          fc.tuple(
            fc.constant(numbers),
            fc.shuffledSubarray([...numbers, ...extra], {
              minLength: numbers.length + extra.length,
            }),
          ),
        );
      });
    fc.assert(
      fc.property(stream, ([numbers, arrived]) => {
        const track = trackAll(arrived.map((n) => ({ bootNo: 1, n })));
        const last = Math.max(...numbers);
        const missing = Array.from({ length: last }, (_, at) => at + 1).filter(
          (n) => !numbers.includes(n),
        );
        expect(track.lastN).toBe(last);
        expect([...track.missing].sort((a, b) => a - b)).toEqual(missing);
      }),
    );
  });

  it("orders by boot first, then by number", () => {
    expect(isNewer({ bootNo: 2, n: 1 }, { bootNo: 1, n: 9 })).toBe(true);
    expect(isNewer({ bootNo: 1, n: 9 }, { bootNo: 1, n: 9 })).toBe(false);
    expect(isNewer({ bootNo: 1, n: 1 }, { bootNo: null, n: null })).toBe(true);
  });
});
