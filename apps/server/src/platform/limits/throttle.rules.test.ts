// Tests the backoff of promise A2.
import fc from "fast-check";
import { expect, test } from "vitest";
import { blockSeconds, FAILURES_BEFORE_BLOCK } from "./throttle.rules.ts";

test("A2: the first failures block nothing, later ones longer, up to a quarter of an hour", () => {
  for (let failures = 0; failures < FAILURES_BEFORE_BLOCK; failures++) {
    expect(blockSeconds(failures)).toBe(0);
  }
  expect(blockSeconds(FAILURES_BEFORE_BLOCK)).toBe(30);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (failures) => {
      expect(blockSeconds(failures + 1)).toBeGreaterThanOrEqual(blockSeconds(failures));
      expect(blockSeconds(failures)).toBeLessThanOrEqual(900);
    }),
  );
});
