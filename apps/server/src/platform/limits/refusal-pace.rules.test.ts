// Refusals wait longer the more often a caller is refused.
import { expect, test } from "vitest";
import { LONGEST_WAIT_MS, PACES, RefusalPace } from "./refusal-pace.rules.ts";

const ADDRESS = "203.0.113.7";

function waits(count: number, ask: (pace: RefusalPace, at: number) => number) {
  const pace = new RefusalPace();
  return Array.from({ length: count }, (_, at) => ask(pace, at));
}

test("the first refusals do not wait, the next wait longer and longer, to a limit", () => {
  const { burst, perSecond } = PACES.address;
  const all = waits(burst + 1_000, (pace) => pace.ofAddress(ADDRESS, 0));
  expect(all.slice(0, burst)).toEqual(Array(burst).fill(0));
  expect(all[burst]).toBeCloseTo(1_000 / perSecond);
  expect(all[burst + 9]).toBeCloseTo(10_000 / perSecond);
  expect(all.at(-1)).toBe(LONGEST_WAIT_MS);
});

test("a caller that pauses does not wait again", () => {
  const pace = new RefusalPace();
  for (let n = 0; n < 10_000; n++) pace.ofAddress(ADDRESS, 0);
  const paidAt = LONGEST_WAIT_MS + (PACES.address.burst * 1_000) / PACES.address.perSecond;
  expect(pace.ofAddress(ADDRESS, paidAt + 1)).toBe(0);
});

test("accounts and addresses wait for their own refusals alone", () => {
  const pace = new RefusalPace();
  for (let n = 0; n < 10_000; n++) pace.ofAddress(ADDRESS, 0);
  expect(pace.ofAddress("203.0.113.8", 0)).toBe(0);
  expect(pace.ofAccount("1", 0)).toBe(0);
  const own = waits(PACES.account.burst + 1, (each) => each.ofAccount("1", 0));
  expect(own.at(-1)).toBeGreaterThan(0);
});

test.each([
  ["addresses of one /64", (at: number) => `2001:db8:0:1::${at.toString(16)}`, 1],
  ["the /64s of one /56", (at: number) => `2001:db8:0:${(at % 256).toString(16)}::1`, 4],
  ["the /64s of one /48", (at: number) => `2001:db8:0:${at.toString(16)}::1`, 16],
])("%s wait together", (_, address, times) => {
  const free = PACES.address.burst * times;
  const all = waits(free + 1, (pace, at) => pace.ofAddress(address(at), 0));
  expect(all.filter((wait) => wait > 0)).toHaveLength(1);
});
