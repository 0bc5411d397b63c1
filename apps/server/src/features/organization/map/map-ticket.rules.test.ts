// Claims of a ticket: round-trip until they expire.
import fc from "fast-check";
import { expect, it } from "vitest";
import { readClaims, writeClaims } from "./map-ticket.rules.ts";

const claims = fc.record({
  tenantId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  operatorId: fc.integer({ min: 1, max: 2 ** 50 }),
  expiresAt: fc.integer({ min: 1_700_000_000, max: 4_000_000_000 }),
});

it("map ticket claims: are valid until they expire and not a moment longer", () => {
  fc.assert(
    fc.property(claims, (given) => {
      const text = writeClaims(given);
      expect(readClaims(text, given.expiresAt * 1000 - 1)).toEqual(given);
      expect(readClaims(text, given.expiresAt * 1000)).toBeNull();
    }),
  );
});

it.each(["", "1.2", "1.2.3.4", "a.b.c", "1.2.-3", "1.2.3 "])(
  "map ticket claims: %j is rejected",
  (text) => {
    expect(readClaims(text, 0)).toBeNull();
  },
);
