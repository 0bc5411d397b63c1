// Tests that a flood of refused connects leaves one line in ten minutes, with all of them counted.
import { expect, it } from "vitest";
import { RefusalRateLimit } from "./refusal-rate-limit.rules.ts";

const MINUTE = 60_000;

it("refusal throttle: one per key passes in ten minutes, with the count of the suppressed ones", () => {
  const rateLimit = new RefusalRateLimit();
  expect(rateLimit.admit("A WRONG_PROOF", 0)).toBe(1);
  for (let at = 1; at < 10 * MINUTE; at += MINUTE) {
    expect(rateLimit.admit("A WRONG_PROOF", at)).toBeNull();
  }
  expect(rateLimit.admit("A ADDRESS_NOT_ALLOWED", MINUTE)).toBe(1);
  expect(rateLimit.admit("B WRONG_PROOF", MINUTE)).toBe(1);
  expect(rateLimit.admit("A WRONG_PROOF", 10 * MINUTE)).toBe(11);
  expect(rateLimit.admit("A WRONG_PROOF", 10 * MINUTE + 1)).toBeNull();
});

it("refusal throttle: the oldest keys are evicted when thousands of serial numbers are tried", () => {
  const rateLimit = new RefusalRateLimit();
  for (let index = 0; index <= 10_000; index++) rateLimit.admit(`N${index}`, 0);
  expect(rateLimit.admit("N10000", 1)).toBeNull();
  expect(rateLimit.admit("N0", 1)).toBe(1);
});
