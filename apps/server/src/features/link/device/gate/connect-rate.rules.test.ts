// Checks that the connect rate limit is the one that the protocol promises to cabinets.
import { CONNECT_BAN_MS, CONNECT_WINDOW_MS, MAX_CONNECTS } from "@cabinet/link";
import { expect, it } from "vitest";
import { ConnectRate } from "./connect-rate.rules.ts";

it("connect rate limit: the promised number of connects within the window bans that key alone", () => {
  const rate = new ConnectRate();
  const last = MAX_CONNECTS;
  for (let each = 1; each < MAX_CONNECTS; each++) rate.count("A", each);
  expect(rate.isBanned("A", last)).toBe(false);
  rate.count("A", last);
  expect(rate.isBanned("A", last + 1)).toBe(true);
  expect(rate.isBanned("B", last + 1)).toBe(false);
  expect(rate.isBanned("A", last + CONNECT_BAN_MS - 1)).toBe(true);
  expect(rate.isBanned("A", last + CONNECT_BAN_MS)).toBe(false);
});

it("connect rate limit: the count restarts after the window", () => {
  const rate = new ConnectRate();
  for (let each = 1; each < MAX_CONNECTS; each++) rate.count("A", each);
  rate.count("A", CONNECT_WINDOW_MS + 1);
  expect(rate.isBanned("A", CONNECT_WINDOW_MS + 2)).toBe(false);
});

it("connect rate limit: a connect that is given back does not count, and ends the ban", () => {
  const rate = new ConnectRate();
  for (let each = 1; each <= 3 * MAX_CONNECTS; each++) {
    rate.count("A", each);
    rate.giveBack("A");
  }
  expect(rate.isBanned("A", 3 * MAX_CONNECTS + 1)).toBe(false);
  for (let each = 1; each <= MAX_CONNECTS; each++) rate.count("A", each);
  rate.giveBack("A");
  expect(rate.isBanned("A", MAX_CONNECTS + 1)).toBe(false);
});
