// Tests the implementation against fixed vectors made by another implementation.
import { describe, expect, test } from "vitest";
import activation from "../vectors/activation.json" with { type: "json" };
import files from "../vectors/file.json" with { type: "json" };
import frames from "../vectors/frames.json" with { type: "json" };
import keys from "../vectors/keys.json" with { type: "json" };
import passwords from "../vectors/password.json" with { type: "json" };
import {
  ACTIVATION_CLAIM_PATTERN,
  deriveKeys,
  formatActivationCode,
  makeConnectPassword,
  makeFileAuthorization,
  newActivationClaim,
  newActivationCode,
  openDown,
  openFrame,
  openUp,
  parseActivationCode,
  parseActivationReply,
  parseConnectPassword,
  parseFileAuthorization,
  verifyConnectPassword,
  verifyFileProof,
} from "./index.ts";

test.each(keys.vectors)("keys of $secret", ({ secret, connect, down, up }) => {
  const derived = deriveKeys(secret);
  expect(derived.connect.toString("hex")).toBe(connect);
  expect(derived.down.toString("hex")).toBe(down);
  expect(derived.up.toString("hex")).toBe(up);
});

test.each(passwords.vectors)("password of $cabinetId", (vector) => {
  const { cabinetId, kid, nonce, password } = vector;
  const keysOf = deriveKeys(vector.secret);
  expect(makeConnectPassword({ cabinetId, kid, nonce, keys: keysOf })).toBe(password);
  const parsed = parseConnectPassword(password);
  expect(parsed).toMatchObject({ kid, nonce });
  expect(parsed && verifyConnectPassword(cabinetId, parsed, keysOf)).toBe(true);
});

test.each(files.vectors)("authorization of $file", (vector) => {
  const { cabinetId, kid, nonce, file, authorization } = vector;
  const keysOf = deriveKeys(vector.secret);
  const made = makeFileAuthorization({ cabinetId, kid, nonce, fileId: file, keys: keysOf });
  expect(made).toBe(authorization);
  const proof = parseFileAuthorization(authorization);
  if (!proof) throw new Error("not parsed");
  expect(proof).toMatchObject({ cabinetId, kid, nonce });
  expect(verifyFileProof(file, proof, keysOf)).toBe(true);
  expect(verifyFileProof(`${file}0`, proof, keysOf)).toBe(false);
  expect(verifyFileProof(file, { ...proof, cabinetId: "OTHER0001" }, keysOf)).toBe(false);
  // A connect password with the same nonce is no valid file proof.
  const password = makeConnectPassword({ cabinetId, kid, nonce, keys: keysOf });
  const stolen = parseFileAuthorization(`Cabinet v1.${cabinetId}.${password.slice(3)}`);
  expect(stolen && verifyFileProof(file, stolen, keysOf)).toBe(false);
});

test.each(["", "Cabinet", "Cabinet v1.a.b.c.d", "Bearer x", "Cabinet v2.CAB00001.k1.x.y"])(
  "%j is no authorization",
  (header) => expect(parseFileAuthorization(header)).toBeUndefined(),
);

test.each(activation.codes)("activation code typed as “$typed”", ({ typed, code }) => {
  expect(parseActivationCode(typed) ?? null).toBe(code);
  if (code) expect(parseActivationCode(formatActivationCode(code))).toBe(code);
});

test("activation: the reply gives all that the first connection needs", () => {
  const { request, reply, nonce, password } = activation.exchange;
  expect(parseActivationCode(request.code)).toBe(request.code);
  expect(request.claim).toMatch(new RegExp(ACTIVATION_CLAIM_PATTERN));
  const given = parseActivationReply(reply.data);
  expect(given).toEqual(reply.data);
  if (!given) return;
  const keysOf = deriveKeys(given.secret);
  const of = { cabinetId: request.sn, kid: given.kid, nonce, keys: keysOf };
  expect(makeConnectPassword(of)).toBe(password);
  expect(parseActivationReply({ ...reply.data, secret: "short" })).toBeUndefined();
  expect(parseActivationReply(null)).toBeUndefined();
});

test("new codes and claims: well formed and distinct", () => {
  const codes = Array.from({ length: 200 }, newActivationCode);
  for (const code of codes) expect(parseActivationCode(code)).toBe(code);
  expect(new Set(codes).size).toBe(200);
  expect(newActivationClaim()).toMatch(new RegExp(ACTIVATION_CLAIM_PATTERN));
});

describe("frames", () => {
  test.each(frames.vectors)("$name", ({ secret, use, topic, frame, opens, error }) => {
    const keysOf = deriveKeys(secret);
    const bytes = Buffer.from(frame);
    const opened = openFrame(use === "down" ? keysOf.down : keysOf.up, topic, bytes);
    expect(opened.ok ? undefined : opened.error).toBe(error);
    expect(opened.ok).toBe(opens);
    if (!opened.ok) return;
    const message =
      use === "down" ? openDown(keysOf, "CAB00001", topic, bytes) : openUp(keysOf, topic, bytes);
    expect(message).toMatchObject({ ok: true });
    if (message.ok && message.kind === "cmd") expect(message.command.ok).toBe(true);
  });
});
