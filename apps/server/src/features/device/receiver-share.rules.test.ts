// Each receiver has exactly one gateway, and no gateway goes without while there are enough.
import { expect, it } from "vitest";
import { RECEIVERS, receiversOf, speaksFor } from "./receiver-share.rules.ts";

it.each([1, 2, 3, 5, RECEIVERS, RECEIVERS + 3])("is shared out evenly among %i", (count) => {
  const alive = Array.from({ length: count }, (_, at) => `gateway-${at}`);
  const shares = alive.map((id) => receiversOf(id, alive));
  expect(shares.flat().sort((a, b) => a - b)).toEqual(Array.from(Array(RECEIVERS).keys()));
  const sizes = shares.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
});

it("gives nothing to whom nobody counts", () => {
  expect(receiversOf("gateway-9", ["gateway-1", "gateway-2"])).toEqual([]);
});

it("has one that does what is meant for a gateway, be it gone or never known", () => {
  const alive = ["gateway-1", "gateway-2", "gateway-3"];
  const doers = (meant: string | null) => alive.filter((id) => speaksFor(id, meant, alive));
  expect(alive.map(doers)).toEqual(alive.map((id) => [id]));
  expect([doers("gateway-9"), doers(null)]).toEqual([["gateway-1"], ["gateway-1"]]);
  // Before it has heard of the others.
  expect(speaksFor("gateway-2", "gateway-2", [])).toBe(true);
  expect(speaksFor("gateway-2", "gateway-1", [])).toBe(false);
});
