// Rules of a store outage, with property-based tests over arbitrary stores.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findOutage, judgeOutage, outageText, type StoreCabinet } from "./outage.rules.ts";

const MINUTE = 60_000;
const at = (...seconds: (number | null)[]): StoreCabinet[] =>
  seconds.map((second, index) => ({
    cabinetId: index + 1,
    lastSeenMs: second === null ? null : second * 1_000,
  }));

describe("store outage: detection", () => {
  it.each<[string, StoreCabinet[], number[]]>([
    ["nobody is gone", at(null, null), []],
    ["one alone is gone", at(0, null), []],
    ["a store's only cabinet is gone", at(0), []],
    ["all are gone together", at(0, 30, 60), [1, 2, 3]],
    ["half are gone together", at(0, 20, null, null), [1, 2]],
    ["fewer than half are gone", at(0, 20, null, null, null), []],
    ["all are gone, one by one", at(0, 100, 200), []],
    ["one was gone long before", at(0, 5_000, 5_020, null), [2, 3]],
    ["another followed", at(0, 20, 300, null), [1, 2, 3]],
  ])("%s", (_, cabinets, expected) => {
    expect(findOutage(cabinets).sort()).toEqual(expected);
  });

  const store = fc
    .array(fc.option(fc.integer({ min: 0, max: 10 * MINUTE }), { nil: null }), { maxLength: 12 })
    .map((seen) => seen.map((lastSeenMs, cabinetId) => ({ cabinetId, lastSeenMs })));

  it("contains no online cabinet and at least two cabinets", () => {
    fc.assert(
      fc.property(store, (cabinets) => {
        const outage = findOutage(cabinets);
        const gone = new Set(
          cabinets
            .filter(({ lastSeenMs }) => lastSeenMs !== null)
            .map(({ cabinetId }) => cabinetId),
        );
        expect(outage.every((id) => gone.has(id))).toBe(true);
        expect(new Set(outage).size).toBe(outage.length);
        if (outage.length > 0) expect(outage.length).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  it("does not depend on the order of the cabinets", () => {
    fc.assert(
      fc.property(store, fc.infiniteStream(fc.nat()), (cabinets, keys) => {
        const shuffled = cabinets
          .map((cabinet) => ({ cabinet, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ cabinet }) => cabinet);
        const sorted = (ids: number[]) => [...ids].sort((a, b) => a - b);
        expect(sorted(findOutage(shuffled))).toEqual(sorted(findOutage(cabinets)));
      }),
    );
  });

  it("exists exactly when within one minute at least two and half of the connected cabinets went silent", () => {
    fc.assert(
      fc.property(store, (cabinets) => {
        const seen = cabinets.flatMap(({ lastSeenMs }) => lastSeenMs ?? []);
        const isOutage = seen.some((start) => {
          const together = seen.filter((ms) => ms >= start && ms <= start + MINUTE).length;
          const before = seen.filter((ms) => ms < start).length;
          return together >= 2 && together >= (cabinets.length - before) / 2;
        });
        expect(findOutage(cabinets).length > 0).toBe(isOutage);
      }),
    );
  });
});

describe("store outage: end", () => {
  it("waits while fewer than half are back, and forgets an earlier return of the line", () => {
    expect(judgeOutage({ total: 5, back: 2 }, 0, 99 * MINUTE)).toEqual({
      do: "WAIT",
      lineBackMs: null,
    });
  });

  it("splits off the remaining cabinets five minutes after the line is back", () => {
    expect(judgeOutage({ total: 4, back: 2 }, null, MINUTE)).toEqual({
      do: "WAIT",
      lineBackMs: MINUTE,
    });
    expect(judgeOutage({ total: 4, back: 3 }, MINUTE, 5 * MINUTE)).toEqual({
      do: "WAIT",
      lineBackMs: MINUTE,
    });
    expect(judgeOutage({ total: 4, back: 3 }, MINUTE, 6 * MINUTE)).toEqual({ do: "SPLIT" });
  });

  it("ends with the last cabinet, at any time", () => {
    expect(judgeOutage({ total: 4, back: 4 }, MINUTE, 99 * MINUTE)).toEqual({ do: "END" });
    expect(judgeOutage({ total: 0, back: 0 }, null, 0)).toEqual({ do: "END" });
  });

  it("describes its progress in numbers", () => {
    expect(outageText({ total: 6, back: 0 })).toBe("门店断网或断电：6 台设备同时离线");
    expect(outageText({ total: 6, back: 2 })).toBe("门店断网或断电：6 台设备离线，已恢复 2/6 台");
  });
});
