// Lifecycle of a roll-out: stages contain every cabinet once, and failures stop it early.
import { stageSizes } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideStep, drawOrder, isTooMany, type StageCounts } from "./rollout-progress.rules.ts";

const percents = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 5 })
  .map((list) => [...list.toSorted((one, other) => one - other), 100]);

describe("stages", () => {
  test("1 % → 10 % → 100 % of some sizes", () => {
    expect(stageSizes(1000, [1, 10, 100])).toEqual([10, 90, 900]);
    expect(stageSizes(40, [1, 10, 100])).toEqual([1, 3, 36]);
    expect(stageSizes(3, [1, 10, 100])).toEqual([1, 1, 1]);
    expect(stageSizes(2, [1, 10, 100])).toEqual([1, 1, 0]);
    expect(stageSizes(1, [1, 10, 100])).toEqual([1, 0, 0]);
  });

  test("contain every cabinet once, and none is empty while cabinets are left", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), percents, (count, stages) => {
        const sizes = stageSizes(count, stages);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
        expect(sizes.every((size) => size >= 0)).toBe(true);
        const firstEmpty = sizes.indexOf(0);
        if (firstEmpty >= 0) expect(sizes.slice(firstEmpty).every((size) => size === 0)).toBe(true);
        // A stage is at most its percentage, but at least one cabinet.
        let upTo = 0;
        for (const [at, size] of sizes.entries()) {
          const said = Math.ceil((count * (stages[at] ?? 0)) / 100);
          expect(upTo + size).toBeLessThanOrEqual(Math.max(said, upTo + 1));
          upTo += size;
        }
      }),
    );
  });

  test("random but reproducible draw, online cabinets first", () => {
    const cabinet = fc.record({ id: fc.integer({ min: 1, max: 1e6 }), isOnline: fc.boolean() });
    const fleet = fc.uniqueArray(cabinet, { selector: ({ id }) => id, maxLength: 60 });
    fc.assert(
      fc.property(fleet, fc.nat(), fc.infiniteStream(fc.nat()), (cabinets, seed, order) => {
        const shuffled = cabinets
          .map((each) => ({ each, place: order.next().value }))
          .toSorted((one, other) => one.place - other.place)
          .map(({ each }) => each);
        const drawn = drawOrder(cabinets, seed);
        expect(drawOrder(shuffled, seed)).toEqual(drawn);
        expect(drawn.map(({ id }) => id).sort()).toEqual(cabinets.map(({ id }) => id).sort());
        const firstOffline = drawn.findIndex(({ isOnline }) => !isOnline);
        if (firstOffline >= 0) {
          expect(drawn.slice(firstOffline).some(({ isOnline }) => isOnline)).toBe(false);
        }
      }),
    );
    const ids = Array.from({ length: 400 }, (_, at) => ({ id: at + 1, isOnline: true }));
    const firsts = new Set(Array.from({ length: 60 }, (_, seed) => drawOrder(ids, seed)[0]?.id));
    expect(firsts.size).toBeGreaterThan(40);
  });
});

const none: StageCounts = { waiting: 0, waitingOffline: 0, inFlight: 0, succeeded: 0, failed: 0 };
const settings = { advancePercent: 90, stopPercent: 5, dwellMs: 60_000, reachedForMs: null };
const progress = (stages: Partial<StageCounts>[], more: object = {}) => ({
  ...settings,
  stage: 0,
  stages: stages.map((each) => ({ ...none, ...each })),
  ...more,
});

describe("advancing", () => {
  test("one failure in a first stage of one stops it", () => {
    expect(decideStep(progress([{ failed: 1 }, { waiting: 9 }]))).toEqual({
      do: "STOP",
      failed: 1,
      executed: 1,
    });
  });

  test("waits for the success share, then the dwell, then enters the next non-empty stage", () => {
    const soon = [{ succeeded: 8, inFlight: 2 }, {}, { waiting: 90 }];
    expect(decideStep(progress(soon))).toEqual({ do: "WAIT" });
    const enough = [{ succeeded: 9, inFlight: 1 }, {}, { waiting: 90 }];
    expect(decideStep(progress(enough))).toEqual({ do: "REACHED" });
    expect(decideStep(progress(enough, { reachedForMs: 59_999 }))).toEqual({ do: "WAIT" });
    expect(decideStep(progress(enough, { reachedForMs: 60_000 }))).toEqual({
      do: "ADVANCE",
      to: 2,
    });
    expect(decideStep(progress(soon, { reachedForMs: 60_000 }))).toEqual({ do: "NOT_REACHED" });
  });

  test("offline cabinets stay waiting and block nobody", () => {
    const away = { succeeded: 3, waiting: 7, waitingOffline: 7 };
    expect(decideStep(progress([away, { waiting: 1 }]))).toEqual({ do: "REACHED" });
    expect(decideStep(progress([away]))).toEqual({ do: "WAIT" });
    const nobody = { waiting: 2, waitingOffline: 2 };
    expect(decideStep(progress([nobody, { waiting: 1 }]))).toEqual({ do: "WAIT" });
  });

  test("finishes when nobody is left, and passes a stage whose failures were excused", () => {
    expect(decideStep(progress([{ succeeded: 99, failed: 1 }]))).toEqual({ do: "FINISH" });
    expect(decideStep(progress([{}, { waiting: 9 }]))).toEqual({ do: "REACHED" });
  });
});

test("rollout: failures never exceed the threshold plus the cabinets in flight when it is passed", () => {
  const run = fc.record({
    count: fc.integer({ min: 1, max: 1_500 }),
    percents,
    stopPercent: fc.integer({ min: 0, max: 30 }),
    atOnce: fc.integer({ min: 1, max: 60 }),
    failRate: fc.constantFrom(0, 0.01, 0.1, 0.5, 1),
    chance: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
  });
  fc.assert(
    fc.property(run, ({ count, percents, stopPercent, atOnce, failRate, chance }) => {
      const stages = stageSizes(count, percents).map((waiting) => ({ ...none, waiting }));
      let stage = 0;
      let outcome = "";
      for (let turn = 0; turn < 20_000 && outcome === ""; turn++) {
        const open = stages.slice(0, stage + 1);
        for (const each of open) {
          const busy = open.reduce((sum, { inFlight }) => sum + inFlight, 0);
          const begin = Math.min(each.waiting, atOnce - busy);
          each.waiting -= begin;
          each.inFlight += begin;
        }
        const working = open.find(({ inFlight }) => inFlight > 0);
        if (working) {
          working.inFlight--;
          if (chance.next().value < failRate) working.failed++;
          else working.succeeded++;
        }
        const rules = { ...settings, stage, stages, stopPercent, dwellMs: 0 };
        let step = decideStep(rules);
        if (step.do === "REACHED") step = decideStep({ ...rules, reachedForMs: 0 });
        if (step.do === "ADVANCE") {
          expect(step.to).toBeGreaterThan(stage);
          stage = step.to;
        }
        if (step.do === "STOP" || step.do === "FINISH") outcome = step.do;
        // Stuck below the share with nothing in flight: a person has to decide.
        if (step.do === "WAIT" && !working) outcome = "WAIT";
      }
      const total = (of: (each: StageCounts) => number) =>
        stages.reduce((sum, each) => sum + of(each), 0);
      const failed = total((each) => each.failed);
      const executed = failed + total((each) => each.succeeded);
      const reached = stages
        .slice(0, stage + 1)
        .reduce((sum, { waiting, inFlight }) => sum + waiting + inFlight, executed);
      if (failRate === 0) expect(outcome).toBe("FINISH");
      if (outcome !== "STOP") {
        expect(isTooMany({ failed, executed, reached }, stopPercent)).toBe(false);
      } else {
        // Before the last failure the threshold was not exceeded.
        const before = { failed: failed - 1, executed: executed - 1, reached };
        expect(isTooMany(before, stopPercent)).toBe(false);
      }
      const untouched = stages.slice(stage + 1);
      expect(untouched.every((each) => each.succeeded + each.failed + each.inFlight === 0)).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});
