// Tests that each receiver has exactly one gateway, and each gateway one if there are enough.
import { expect, it } from "vitest";
import { RECEIVERS, receiversOf, speaksFor } from "./receiver-share.rules.ts";

it.each([1, 2, 3, 5, RECEIVERS, RECEIVERS + 3])(
  "receivers: shared out evenly among %i gateways",
  (count) => {
    const alive = Array.from({ length: count }, (_, at) => `gateway-${at}`);
    const shares = alive.map((id) => receiversOf(id, alive));
    expect(shares.flat().sort((a, b) => a - b)).toEqual(Array.from(Array(RECEIVERS).keys()));
    const sizes = shares.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  },
);

it("receivers: a gateway that is not in the list gets none", () => {
  expect(receiversOf("gateway-9", ["gateway-1", "gateway-2"])).toEqual([]);
});

it("receivers: exactly one gateway handles work for a gateway that is gone or unknown", () => {
  const alive = ["gateway-1", "gateway-2", "gateway-3"];
  const doers = (meant: string | null) => alive.filter((id) => speaksFor(id, meant, alive));
  expect(alive.map(doers)).toEqual(alive.map((id) => [id]));
  expect([doers("gateway-9"), doers(null)]).toEqual([["gateway-1"], ["gateway-1"]]);
  // Before it has learnt of the other gateways.
  expect(speaksFor("gateway-2", "gateway-2", [])).toBe(true);
  expect(speaksFor("gateway-2", "gateway-1", [])).toBe(false);
});
