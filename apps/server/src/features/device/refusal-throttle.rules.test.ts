// A flood of refused connects leaves one line in ten minutes, and none of them uncounted.
import { expect, it } from "vitest";
import { RefusalThrottle } from "./refusal-throttle.rules.ts";

const MINUTE = 60_000;

it("lets one of a kind through in ten minutes and counts what it held back", () => {
  const throttle = new RefusalThrottle();
  expect(throttle.admit("A WRONG_PROOF", 0)).toBe(1);
  for (let at = 1; at < 10 * MINUTE; at += MINUTE) {
    expect(throttle.admit("A WRONG_PROOF", at)).toBeNull();
  }
  expect(throttle.admit("A ADDRESS_NOT_ALLOWED", MINUTE)).toBe(1);
  expect(throttle.admit("B WRONG_PROOF", MINUTE)).toBe(1);
  expect(throttle.admit("A WRONG_PROOF", 10 * MINUTE)).toBe(11);
  expect(throttle.admit("A WRONG_PROOF", 10 * MINUTE + 1)).toBeNull();
});

it("forgets the longest unheard when thousands of numbers are tried", () => {
  const throttle = new RefusalThrottle();
  for (let index = 0; index <= 10_000; index++) throttle.admit(`N${index}`, 0);
  expect(throttle.admit("N10000", 1)).toBeNull();
  expect(throttle.admit("N0", 1)).toBe(1);
});
