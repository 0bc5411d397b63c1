// Tests phone numbers (specification §5): accepted forms, normalisation and mask.
import { describe, expect, it } from "vitest";
import { fitsPhone, isPhone, maskPhone, normalizePhone } from "./phone.rules.ts";

describe("specification §5, phone number", () => {
  it.each([
    "13812345678",
    "+8613812345678",
    "008613812345678",
    "8613812345678",
    "138 1234 5678",
    "138-1234-5678",
    "+86 138 1234 5678",
    "0086-138-1234-5678",
    "86\u00a013812345678",
    " 13812345678\n",
  ])("accepts %j and normalises it", (text) => {
    expect(isPhone(text)).toBe(true);
    expect(normalizePhone(text)).toBe("13812345678");
    expect(fitsPhone("WHOLE", text)).toBe(true);
    expect(fitsPhone("PART", text)).toBe(true);
  });

  it.each([
    ["", "nothing"],
    ["12812345678", "second digit below 3"],
    ["1381234567", "too short"],
    ["138123456789", "too long"],
    ["+86008613812345678", "two prefixes"],
    ["+868613812345678", "two prefixes"],
    ["+8513812345678", "another country"],
  ])("refuses %j: %s", (text) => {
    expect(isPhone(text)).toBe(false);
    expect(fitsPhone("WHOLE", normalizePhone(text))).toBe(false);
  });
});

it("normalizePhone: is idempotent", () => {
  for (const text of ["+86 138 1234 5678", "+868613812345678", "0086", " 1234 ", "+86"]) {
    expect(normalizePhone(normalizePhone(text))).toBe(normalizePhone(text));
  }
});

it("optional phone: may be empty", () => {
  expect(fitsPhone("OPTIONAL", "")).toBe(true);
  expect(fitsPhone("OPTIONAL", " ")).toBe(true);
  expect(fitsPhone("OPTIONAL", "\u200b")).toBe(true);
  expect(fitsPhone("OPTIONAL", "-")).toBe(false);
  expect(fitsPhone("OPTIONAL", "1381234567")).toBe(false);
});

it("part of a phone: 4 to 11 digits, with spaces and dashes", () => {
  for (const [text, digits] of [
    ["1234", "1234"],
    [" 0123 ", "0123"],
    ["138-1234", "1381234"],
    ["00861234", "00861234"],
  ] as const) {
    expect(fitsPhone("PART", text)).toBe(true);
    expect(normalizePhone(text)).toBe(digits);
  }
  for (const text of ["", "123", "138123456789", "12a4", "%%%%", "+86 138 12"]) {
    expect(fitsPhone("PART", text)).toBe(false);
  }
});

it("maskPhone: hides the middle digits and keeps a leading country code", () => {
  expect(maskPhone("13812345678")).toBe("138****5678");
  expect(maskPhone("+8613812345678")).toBe("+86138****5678");
  expect(maskPhone("")).toBe("");
});
