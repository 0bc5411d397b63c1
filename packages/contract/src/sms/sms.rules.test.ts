// Messages cost by the segment: where carriers cut, and that what we say usually fits into one.
import { describe, expect, it } from "vitest";
import {
  overdueText,
  pickupCodeText,
  signedText,
  signInCodeText,
  smsSegments,
} from "./sms.rules.ts";

describe("segments", () => {
  it.each([
    [1, 1],
    [70, 1],
    [71, 2],
    [134, 2],
    [135, 3],
    [201, 3],
    [202, 4],
  ])("%i characters are %i", (length, segments) => {
    expect(smsSegments("字".repeat(length))).toBe(segments);
  });

  it("count what takes two units as two", () => {
    expect(smsSegments("😀".repeat(35))).toBe(1);
    expect(smsSegments("😀".repeat(36))).toBe(2);
  });
});

describe("what is said", () => {
  const place = "仓前小镇店 4 号柜";
  const price = "前 30 分钟免费，之后每 1 小时 1.50 元，单次最高 10 元";

  it("names place, door, code and price", () => {
    const text = pickupCodeText({ place, no: 4, code: "012345", price });
    for (const part of [place, "4 号格口", "取件码 012345", price]) expect(text).toContain(part);
    expect(signInCodeText("012345", 5)).toContain("验证码 012345，5 分钟内有效");
  });

  it("usually costs one segment", () => {
    for (const text of [
      signInCodeText("012345", 5),
      pickupCodeText({ place, no: 4, code: "012345", price }),
      overdueText({ place, no: 4, price: "每 1 小时 1.50 元" }),
    ]) {
      expect(smsSegments(signedText("", text))).toBe(1);
    }
  });

  it("begins with the tenant's sign, or the product's name", () => {
    expect(signedText("顺达快柜", "您好")).toBe("【顺达快柜】您好");
    expect(signedText("", "您好")).toBe("【智能存取】您好");
  });
});
