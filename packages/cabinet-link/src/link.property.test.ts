// Tests that hostile input is refused: flipped bits, foreign cabinets, garbage, unknown fields.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  deriveKeys,
  downTopics,
  makeConnectPassword,
  mayPublish,
  maySubscribe,
  mayWill,
  newCabinetSecret,
  newNonce,
  openDown,
  openFrame,
  openUp,
  parseConnectPassword,
  parseTopic,
  sealFrame,
  sealUp,
  UP_KINDS,
  upTopic,
  verifyConnectPassword,
} from "./index.ts";

const keys = deriveKeys(newCabinetSecret());
const cabinetIds = fc.stringMatching(/^[A-Z0-9]{8,32}$/);
const topic = "c1/CAB00001/up/evt";

function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = Math.floor(bit / 8) % copy.length;
  copy[at] = copy[at]! ^ (1 << (bit % 8));
  return copy;
}

test("frame: opens as sealed, and not with any bit flipped", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), fc.nat(1e6), (payload, bit) => {
      const bytes = sealFrame(keys.up, topic, payload);
      const opened = openFrame(keys.up, topic, bytes);
      expect(opened.ok && JSON.stringify(opened.value)).toBe(JSON.stringify(payload));
      expect(openFrame(keys.up, topic, flipBit(bytes, bit)).ok).toBe(false);
      expect(openFrame(keys.down, topic, bytes).ok).toBe(false);
      expect(openFrame(keys.up, `${topic} `, bytes).ok).toBe(false);
    }),
  );
});

test("connect password: every bit, the cabinet and the key matter", () => {
  fc.assert(
    fc.property(cabinetIds, cabinetIds, fc.nat(1e6), (cabinetId, otherId, bit) => {
      const password = makeConnectPassword({ cabinetId, kid: "k1", nonce: newNonce(), keys });
      const parsed = parseConnectPassword(password);
      expect(parsed && verifyConnectPassword(cabinetId, parsed, keys)).toBe(true);
      const foreign = deriveKeys(newCabinetSecret());
      expect(parsed && verifyConnectPassword(cabinetId, parsed, foreign)).toBe(false);
      if (otherId !== cabinetId) {
        expect(parsed && verifyConnectPassword(otherId, parsed, keys)).toBe(false);
      }
      const flipped = parseConnectPassword(
        Buffer.from(flipBit(Buffer.from(password), bit)).toString("latin1"),
      );
      expect(flipped !== undefined && verifyConnectPassword(cabinetId, flipped, keys)).toBe(false);
    }),
  );
});

test("topics: one cabinet's are never another's", () => {
  fc.assert(
    fc.property(cabinetIds, cabinetIds, (mine, other) => {
      fc.pre(mine !== other);
      for (const kind of UP_KINDS) {
        expect(mayPublish(mine, upTopic(mine, kind))).toBe(true);
        expect(mayPublish(mine, upTopic(other, kind))).toBe(false);
      }
      for (const filter of downTopics(mine)) {
        expect(maySubscribe(mine, filter)).toBe(true);
        expect(mayPublish(mine, filter)).toBe(false);
        expect(maySubscribe(other, filter)).toBe(false);
        expect(parseTopic(filter)).toMatchObject({ cabinetId: mine, direction: "dn" });
      }
      expect(mayWill(mine, upTopic(mine, "will"))).toBe(true);
      expect(mayWill(mine, upTopic(mine, "hb"))).toBe(false);
      expect(mayWill(mine, upTopic(other, "will"))).toBe(false);
    }),
  );
});

test.each([
  "#",
  "+/+/+/+",
  "c1/#",
  "c1/+/dn/cmd",
  "c1/CAB00001/#",
  "c1/CAB00001/dn/#",
  "c1/CAB00001/dn/+",
  "c1/CAB00001/dn",
  "c1/CAB00001/dn/cmd/",
  "c1/CAB00001/dn/cmd/x",
  "/c1/CAB00001/dn/cmd",
  "c1/cab00001/dn/cmd",
  "c1/CAB00002/dn/cmd",
  "c1/CAB00001/up/evt",
  "$share/g/c1/CAB00001/dn/cmd",
  "$SYS/broker",
  "",
  "c1/CAB00001/dn/toString",
])("a cabinet may not subscribe to %j", (filter) => {
  expect(maySubscribe("CAB00001", filter)).toBe(false);
});

test("opening a frame: never throws for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 9000 }), fc.string(), (bytes, anyTopic) => {
      expect(openFrame(keys.up, topic, bytes).ok).toBe(false);
      expect(openUp(keys, anyTopic, bytes).ok).toBe(false);
      expect(openDown(keys, "CAB00001", "c1/CAB00001/dn/cmd", bytes).ok).toBe(false);
      expect(parseConnectPassword(anyTopic)).toBeUndefined();
    }),
  );
});

test("authentic but invalid JSON: refused with a typed error", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 12 }), (text) => {
      const value: unknown = JSON.parse(text);
      for (const kind of ["cmd", "hello", "cfg"] as const) {
        const dn = `c1/CAB00001/dn/${kind}`;
        let bytes: Buffer;
        try {
          bytes = sealFrame(keys.down, dn, value as object);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          continue;
        }
        const opened = openDown(keys, "CAB00001", dn, bytes);
        if (opened.ok && opened.kind === "cmd") expect(opened.command.ok).toBe(false);
        else expect(opened.ok).toBe(false);
      }
    }),
  );
});

test("unknown fields: dropped", () => {
  const head = { bootNo: 1, n: 1, mono: 5 };
  const extra = { cmdId: "cmd-0001", stage: "ACKED", colour: "red", constructor: 1 } as const;
  const sealed = sealUp(keys, "CAB00001", "ack", { ...head, ...extra });
  const opened = openUp(keys, sealed.topic, sealed.payload);
  expect(opened.ok && opened.message).toEqual({ v: 1, ...head, cmdId: "cmd-0001", stage: "ACKED" });
});

test("limits: enforced on both ends", () => {
  expect(() => sealFrame(keys.up, topic, { text: "x".repeat(8192) })).toThrow(RangeError);
  const full = sealFrame(keys.up, topic, { text: "x".repeat(8192 - 44 - 11) });
  expect(full.length).toBe(8192);
  expect(openFrame(keys.up, topic, full).ok).toBe(true);
  const long = Buffer.concat([full, Buffer.from(" ")]);
  expect(openFrame(keys.up, topic, long)).toEqual({ ok: false, error: "TOO_LONG" });
  expect(() => deriveKeys("short")).toThrow(TypeError);
});
