// Each receiver has exactly one gateway, and no gateway goes without while there are enough.
import { expect, it } from "vitest";
import { RECEIVERS, receiversOf } from "./receiver-share.rules.ts";

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
