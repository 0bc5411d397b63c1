// Specification §5: phone number; and how much of one is shown.
import { describe, expect, it } from "vitest";
import { isPhone, maskPhone } from "./phone.rules.ts";

describe("specification §5, phone number", () => {
  it.each(["13812345678", "+8613812345678", "008619912345678", "15000000000"])(
    "accepts %s",
    (text) => {
      expect(isPhone(text)).toBe(true);
    },
  );

  it.each([
    ["", "nothing"],
    ["12812345678", "second digit below 3"],
    ["1381234567", "too short"],
    ["138123456789", "too long"],
    ["8613812345678", "prefix without + or 00"],
    ["+86 13812345678", "a space"],
    ["+86008613812345678", "two prefixes"],
    ["13812345678\n", "a line break"],
    ["１３８１２３４５６７８", "full-width digits"],
  ])("refuses %j: %s", (text) => {
    expect(isPhone(text)).toBe(false);
  });
});

it("hides the middle, and keeps a country code in front", () => {
  expect(maskPhone("13812345678")).toBe("138****5678");
  expect(maskPhone("+8613812345678")).toBe("+86138****5678");
  expect(maskPhone("")).toBe("");
});
