// Tests the code suggested for a new store.
import fc from "fast-check";
import { expect, it } from "vitest";
import { nextStoreCode } from "./store.rules.ts";

it.each([
  [[], "S001"],
  [["HZ-06"], "HZ-07"],
  [["HZ-09", "HZ-10", "HZ-11"], "HZ-12"],
  [["99"], "100"],
  [["flagship"], "flagship-02"],
])("after %j comes %s", (codes, next) => {
  expect(nextStoreCode(codes, codes[0] ?? null)).toBe(next);
});

it("nextStoreCode: is always free", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[A-C]-?\d{0,2}$/), { minLength: 1 }), (codes) => {
      expect(codes).not.toContain(nextStoreCode(codes, codes[0] ?? null));
    }),
  );
});
