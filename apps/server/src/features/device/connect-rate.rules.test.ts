// Protocol §1: 15 connects a minute, then five minutes' ban.
import { expect, it } from "vitest";
import { ConnectRate } from "./connect-rate.rules.ts";

const MINUTE = 60_000;

it("bans for five minutes after 15 connects within a minute, and only that key", () => {
  const rate = new ConnectRate();
  for (let each = 0; each < 14; each++) rate.count("A", each);
  expect(rate.isBanned("A", 15)).toBe(false);
  rate.count("A", 15);
  expect(rate.isBanned("A", 16)).toBe(true);
  expect(rate.isBanned("B", 16)).toBe(false);
  expect(rate.isBanned("A", 5 * MINUTE + 14)).toBe(true);
  expect(rate.isBanned("A", 5 * MINUTE + 15)).toBe(false);
});

it("counts anew after a minute", () => {
  const rate = new ConnectRate();
  for (let each = 0; each < 14; each++) rate.count("A", each);
  rate.count("A", MINUTE);
  expect(rate.isBanned("A", MINUTE + 1)).toBe(false);
});
