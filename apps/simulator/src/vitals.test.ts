// Measurements follow the config: temperature control, and alarms at their limits.
import type { ConfigValues } from "@cabinet/link";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithin, Vitals } from "./vitals.ts";
import { realWorld } from "./world.ts";

/** 10:00 in Shanghai. */
const MORNING = Date.parse("2026-11-21T02:00:00Z");

function beats(config: ConfigValues, { seed = 1, times = 60, unixMs = MORNING } = {}) {
  const vitals = new Vitals(realWorld(seed));
  const rounds = Array.from({ length: times }, () => vitals.measure(config, unixMs));
  return { vitals, events: rounds.flatMap((round) => round.events) };
}

describe("temperature", () => {
  it("is controlled to its target, within its hours only", () => {
    const config = { temperatureTargetC: 4, temperatureFromAt: "08:00", temperatureToAt: "22:00" };
    expect(beats(config).vitals.temperatureC).toBeCloseTo(4, 0);
    const night = beats(config, { unixMs: MORNING + 14 * 3_600_000 });
    expect(night.vitals.temperatureC).toBeGreaterThan(7);
    expect(beats({ temperatureTargetC: 4 }).vitals.temperatureC).toBeCloseTo(4, 0);
  });

  it("raises one alarm above and one below its limits", () => {
    const high = beats({ temperatureTargetC: 30, temperatureHighC: 25, temperatureLowC: 2 });
    expect(high.events.filter(({ type }) => type === "TEMPERATURE_HIGH")).toEqual([
      { type: "TEMPERATURE_HIGH", active: true, value: expect.any(Number) },
    ]);
    const low = beats({ temperatureTargetC: -5, temperatureHighC: 40, temperatureLowC: 2 });
    expect(low.events.filter(({ type }) => type === "TEMPERATURE_LOW")).toHaveLength(1);
  });
});

describe("alarm", () => {
  it("alternates between raised and cleared for any limits", () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.integer({ min: -110, max: -60 }),
        fc.constantFrom(11, 12.2, 13),
        (seed, signalPoorDbm, supplyLowVolts) => {
          const { events } = beats({ signalPoorDbm, supplyLowVolts }, { seed, times: 300 });
          for (const alarm of ["NETWORK_POOR", "POWER_LOW"]) {
            const alarms = events.filter(({ type }) => type === alarm).map(({ active }) => active);
            expect(alarms).toEqual(alarms.map((_, index) => index % 2 === 0));
          }
          const power = events.filter(({ type }) => type === "POWER_LOW");
          expect(power.length > 0).toBe(supplyLowVolts > 12);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is cleared when its limit is removed", () => {
    const vitals = new Vitals(realWorld(1));
    const first = vitals.measure({ supplyLowVolts: 13 }, MORNING).events;
    expect(first).toContainEqual({ type: "POWER_LOW", active: true, value: expect.any(Number) });
    const then = vitals.measure({}, MORNING).events;
    expect(then).toContainEqual({ type: "POWER_LOW", active: false, value: expect.any(Number) });
  });
});

describe("time of day", () => {
  it.each([
    ["10:00", "08:00", "22:00", true],
    ["22:00", "08:00", "22:00", false],
    ["23:30", "22:00", "06:00", true],
    ["05:59", "22:00", "06:00", true],
    ["12:00", "22:00", "06:00", false],
  ])("%s is within %s–%s: %s", (now, from, to, is) => expect(isWithin(now, from, to)).toBe(is));
});
