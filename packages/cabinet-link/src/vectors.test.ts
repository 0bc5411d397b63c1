// The fixed vectors, made by another implementation, hold for this one.
import { describe, expect, test } from "vitest";
import files from "../vectors/file.json" with { type: "json" };
import frames from "../vectors/frames.json" with { type: "json" };
import keys from "../vectors/keys.json" with { type: "json" };
import passwords from "../vectors/password.json" with { type: "json" };
import {
  deriveKeys,
  makeConnectPassword,
  makeFileAuthorization,
  openDown,
  openFrame,
  openUp,
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
  // A connect password of the same nonce proves nothing here.
  const password = makeConnectPassword({ cabinetId, kid, nonce, keys: keysOf });
  const stolen = parseFileAuthorization(`Cabinet v1.${cabinetId}.${password.slice(3)}`);
  expect(stolen && verifyFileProof(file, stolen, keysOf)).toBe(false);
});

test.each(["", "Cabinet", "Cabinet v1.a.b.c.d", "Bearer x", "Cabinet v2.CAB00001.k1.x.y"])(
  "%j is no authorization",
  (header) => expect(parseFileAuthorization(header)).toBeUndefined(),
);

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
