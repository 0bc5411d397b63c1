// Tests firmware versions and signatures against vectors of another implementation.
import { createHash, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import firmware from "../vectors/firmware.json" with { type: "json" };
import { compareVersions, isFirmwareVersion, signFirmware, verifyFirmware } from "./index.ts";

const digestOf = (image: string) => createHash("sha256").update(image).digest("hex");

describe("the maker's signature", () => {
  test.each(firmware.vectors)("$name", ({ image, sha256, signature, holds }) => {
    expect(digestOf(image)).toBe(sha256);
    expect(verifyFirmware(sha256, signature, firmware.publicKey)).toBe(holds);
  });

  test("verifies its own signatures, and none of another key or key type", () => {
    const mine = generateKeyPairSync("ed25519");
    const other = generateKeyPairSync("ed25519");
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = (key: typeof mine.publicKey) => key.export({ type: "spki", format: "pem" });
    const sha256 = digestOf("image");
    const privateKey = mine.privateKey.export({ type: "pkcs8", format: "pem" });
    const signature = signFirmware(sha256, String(privateKey));
    expect(verifyFirmware(sha256, signature, String(pem(mine.publicKey)))).toBe(true);
    for (const key of [pem(other.publicKey), pem(rsa.publicKey), "no key", ""]) {
      expect(verifyFirmware(sha256, signature, String(key))).toBe(false);
    }
  });
});

describe("versions", () => {
  test("compare in the given order", () => {
    for (const [at, version] of firmware.order.entries()) {
      for (const [otherAt, other] of firmware.order.entries()) {
        expect(Math.sign(compareVersions(version, other)), `${version} ${other}`).toBe(
          Math.sign(at - otherAt),
        );
      }
    }
  });

  test("compare as a total order", () => {
    const number = fc.integer({ min: 0, max: 30 });
    const suffix = fc.constantFrom("", "-rc.1", "-rc.2", "-beta");
    const version = fc
      .tuple(number, number, number, suffix)
      .map(([major, minor, patch, tail]) => `${major}.${minor}.${patch}${tail}`);
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(isFirmwareVersion(a)).toBe(true);
        expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
        expect(compareVersions(a, b) === 0).toBe(a === b);
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
