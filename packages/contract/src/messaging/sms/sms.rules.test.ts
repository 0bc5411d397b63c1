// Tests SMS segments and signs.
import { describe, expect, it } from "vitest";
import { signedText, smsSegments } from "./sms.rules.ts";

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

  it("characters of two UTF-16 units count as two", () => {
    expect(smsSegments("😀".repeat(35))).toBe(1);
    expect(smsSegments("😀".repeat(36))).toBe(2);
  });
});

it("signedText: starts with the tenant's sign, or the default sign", () => {
  expect(signedText("顺达快柜", "您好")).toBe("【顺达快柜】您好");
  expect(signedText("", "您好")).toBe("【智能存取】您好");
});
