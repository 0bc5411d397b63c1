// Tests the MP4 scanner: split input, malformed and malicious files.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Mp4Scanner } from "./mp4.rules.ts";
import { box, makeMp4 } from "./testing/mp4.ts";

function scan(bytes: Uint8Array, pieces: readonly number[] = []) {
  const scanner = new Mp4Scanner();
  let at = 0;
  for (const length of pieces) {
    scanner.push(bytes.subarray(at, at + length));
    at += length;
  }
  scanner.push(bytes.subarray(at));
  return scanner.end();
}

const whyOf = (bytes: Uint8Array) => {
  const outcome = scan(bytes);
  return outcome.ok ? "" : outcome.why;
};

describe("an MP4", () => {
  it("has its picture size and duration read, with the index first or last", () => {
    const facts = { width: 1080, height: 1920, durationMs: 15_000 };
    expect(scan(makeMp4({}))).toEqual({ ok: true, facts });
    expect(scan(makeMp4({ isIndexLast: true }))).toEqual({ ok: true, facts });
    expect(scan(makeMp4({ isLong: true }))).toEqual({ ok: true, facts });
    expect(scan(makeMp4({ audio: null }))).toMatchObject({ ok: true });
  });

  it("is read the same in any pieces", () => {
    const bytes = makeMp4({ isIndexLast: true });
    const whole = scan(bytes);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 }), (pieces) => {
        expect(scan(bytes, pieces)).toEqual(whole);
      }),
    );
  });

  it("with a codec that cabinets cannot play is refused, naming the codec", () => {
    expect(whyOf(makeMp4({ video: "hvc1" }))).toContain("hvc1");
    expect(whyOf(makeMp4({ audio: "Opus" }))).toContain("Opus");
    expect(whyOf(makeMp4({ video: null }))).toContain("没有视频画面");
    expect(whyOf(makeMp4({ width: 7680 }))).toContain("过大");
    expect(whyOf(makeMp4({ duration: 0 }))).toContain("时长");
  });

  it("cut short anywhere is refused", () => {
    const bytes = makeMp4({});
    for (let end = 0; end < bytes.length; end += 7) {
      expect(scan(bytes.subarray(0, end)).ok, String(end)).toBe(false);
    }
  });

  it("made of random bytes never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
        scan(tail);
        scan(Buffer.concat([box("ftyp", Buffer.from("isom")), tail]));
        scan(
          Buffer.concat([
            box("ftyp", Buffer.from("isom")),
            box("mdat", Buffer.from("x")),
            box("moov", Buffer.from(tail)),
          ]),
        );
      }),
    );
  });

  it("that claims to last for weeks is refused", () => {
    expect(scan(makeMp4({ duration: 25 * 3_600_000 }))).toMatchObject({
      ok: false,
      why: expect.stringContaining("不能超过 24 小时"),
    });
  });

  it("with an oversized index is refused before it is buffered", () => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(0x7fffffff);
    head.write("moov", 4);
    const scanner = new Mp4Scanner();
    scanner.push(Buffer.concat([box("ftyp", Buffer.from("isom")), head]));
    scanner.push(Buffer.alloc(1000));
    expect(scanner.end().ok).toBe(false);
  });
});
