// The fixed vectors, made by another implementation, hold for this one.
import { describe, expect, test } from "vitest";
import frames from "../vectors/frames.json" with { type: "json" };
import keys from "../vectors/keys.json" with { type: "json" };
import passwords from "../vectors/password.json" with { type: "json" };
import {
  deriveKeys,
  makeConnectPassword,
  openDown,
  openFrame,
  openUp,
  parseConnectPassword,
  verifyConnectPassword,
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
