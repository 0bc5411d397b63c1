// Tests signatures against vectors of another implementation and against themselves.
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import vectors from "../vectors/cab1.json" with { type: "json" };
import {
  authorize,
  checkCallback,
  parseAuthorization,
  stringToSign,
  verifyRequest,
} from "./index.ts";

const { now, app, keys, requests, callbacks } = vectors;
const secretOf = (asked: string, kid: string) =>
  asked === app ? ((keys as Record<string, string>)[kid] ?? null) : null;

const requestOf = (vector: (typeof requests)[number]) => ({
  ...vector,
  body: vector.bodyBase64 ? Buffer.from(vector.bodyBase64, "base64") : (vector.body ?? ""),
});

test("vectors: at least thirty requests, valid and invalid", () => {
  expect(requests.length).toBeGreaterThanOrEqual(30);
  for (const word of ["OK", "SYNTAX", "TIME", "KEY", "SIGNATURE"]) {
    expect(requests.filter(({ expect: wanted }) => wanted === word).length).toBeGreaterThan(1);
  }
});

describe("requests", () => {
  it.each(requests)("$name: $expect", (vector) => {
    const request = requestOf(vector);
    expect(verifyRequest(request, { secretOf, now })).toBe(vector.expect);
    const claim = parseAuthorization(vector.authorization);
    expect(claim && stringToSign(request, claim)).toBe(vector.stringToSign);
  });

  it("own signatures verify, and fail after any change", () => {
    const visible = fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((n) => String.fromCharCode(n)),
    });
    const someRequest = fc.record({
      method: fc.constantFrom("GET", "POST"),
      host: fc.constantFrom("a.cn", "127.0.0.1:8080"),
      target: visible.map((text) => `/open/v1/${text}`),
      contentType: fc.constantFrom("", "application/json"),
      idempotencyKey: visible,
      body: fc.uint8Array(),
    });
    const [kid = "", secret = ""] = Object.entries(keys)[0] ?? [];
    fc.assert(
      fc.property(someRequest, someRequest, (request, other) => {
        const claim = { app, kid, ts: now, nonce: "Zk3q8m1XcV7bN0pLwE5tRg" };
        const authorization = authorize(request, claim, secret);
        expect(verifyRequest({ ...request, authorization }, { secretOf, now })).toBe("OK");
        const isSame = stringToSign(request, claim) === stringToSign(other, claim);
        expect(verifyRequest({ ...other, authorization }, { secretOf, now })).toBe(
          isSame ? "OK" : "SIGNATURE",
        );
      }),
    );
  });

  it("malformed headers are refused, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseAuthorization(text)).toBeNull();
      }),
    );
  });
});

test.each(callbacks)("callback: $name: $expect", ({ secrets, headers, body, expect: wanted }) => {
  expect(checkCallback(secrets, headers, body, now)).toBe(wanted);
});
