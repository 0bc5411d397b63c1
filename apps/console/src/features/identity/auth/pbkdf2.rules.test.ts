// Our PBKDF2 returns the same result as node:crypto.
import { pbkdf2Sync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pbkdf2Sha256 } from "./pbkdf2.rules.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("PBKDF2-HMAC-SHA-256", () => {
  it("agrees with node:crypto", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.uint8Array({ maxLength: 90 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 80 }),
        (password, salt, iterations, length) => {
          const expected = pbkdf2Sync(password, salt, iterations, length, "sha256");
          expect(hex(pbkdf2Sha256(password, salt, iterations, length))).toBe(hex(expected));
        },
      ),
      { numRuns: 60 },
    );
  });
});
