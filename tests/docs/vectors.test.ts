// Open API test vectors, checked by two verifiers: the client's, and one written from the document
// alone.

import { checkCallback, verifyRequest } from "@cabinet/open-api-client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../packages/open-api-client/vectors/cab1.json" with { type: "json" };
import { judgeCallback, judgeRequest, textToSign } from "./second-verifier.ts";

const { now, app, requests, callbacks } = vectors;
const keys: Record<string, string> = vectors.keys;
const secretOf = (asked: string, kid: string) => (asked === app ? (keys[kid] ?? null) : null);

const bodyOf = ({ body, bodyBase64 }: { body?: string; bodyBase64?: string }) =>
  bodyBase64 ? Buffer.from(bodyBase64, "base64") : Buffer.from(body ?? "");

const judges = {
  "the document's": (request: Parameters<typeof judgeRequest>[0]) =>
    judgeRequest(request, secretOf, now),
  "the client's": (request: Parameters<typeof verifyRequest>[0]) =>
    verifyRequest(request, { secretOf, now }),
};

describe.each(Object.entries(judges))("requests, %s verifier", (_name, judge) => {
  it.each(requests)("$name: $expect", (vector) => {
    expect(judge({ ...vector, body: bodyOf(vector) })).toBe(vector.expect);
  });
});

it("string to sign: equals the vectors'", () => {
  for (const vector of requests.filter(({ stringToSign }) => stringToSign)) {
    const [, ts = "", nonce = ""] = /ts=(\d+),nonce=([^,]+)/.exec(vector.authorization) ?? [];
    expect(textToSign({ ...vector, body: bodyOf(vector) }, ts, nonce)).toBe(vector.stringToSign);
  }
});

describe("webhooks", () => {
  it.each(callbacks)("$name: $expect", ({ secrets, headers, body, expect: wanted }) => {
    expect(judgeCallback(secrets, headers, Buffer.from(body), now)).toBe(wanted);
    expect(checkCallback(secrets, headers, body, now)).toBe(wanted);
  });
});

it("mutated headers: both verifiers agree", () => {
  const good = requests.filter(({ expect: wanted }) => wanted === "OK");
  const change = fc.record({
    vector: fc.constantFrom(...good),
    at: fc.nat(220),
    cut: fc.nat(2),
    insert: fc.constantFrom("", " ", ",", "=", "A", "0", "+", "_", "\n", "é"),
    lateBy: fc.integer({ min: -302, max: 302 }),
  });
  fc.assert(
    fc.property(change, ({ vector, at, cut, insert, lateBy }) => {
      const { authorization: text } = vector;
      const authorization = text.slice(0, at) + insert + text.slice(at + cut);
      const request = { ...vector, body: bodyOf(vector), authorization };
      expect(judgeRequest(request, secretOf, now + lateBy)).toBe(
        verifyRequest(request, { secretOf, now: now + lateBy }),
      );
    }),
    { numRuns: 2_000 },
  );
});
