// Tests the rule for names.
import fc from "fast-check";
import { expect, it } from "vitest";
import { nameKey, nameProblem, normalizeName } from "./name.rules.ts";

const limits = { minLength: 2, maxLength: 5 };

it.each(["李伟", "O'Ne", "A-1 门", "𠮷野家", "❤️店", "José"])("%s: accepted", (name) => {
  expect(nameProblem(name, limits)).toBeNull();
});

it.each([
  ["zero width", "李\u200b伟"],
  ["zero width alone", "\u200b\u200b"],
  ["right to left", "李\u202e伟"],
  ["bell", "李\u0007伟"],
  ["line", "李\n伟"],
  ["line separator", "李\u2028伟"],
  ["half pair", "李\ud800伟"],
  ["Hangul filler", "\u3164\u3164"],
  ["braille blank", "\u2800\u2800"],
  ["grapheme joiner", "李\u034f伟"],
  ["tag", "李\u{e0041}伟"],
])("%s: refused as invisible", (_, name) => {
  expect(nameProblem(name, limits)).toBe("含有看不见的字符，请删去后重试");
});

it.each(["", "   ", "\u3000\u00a0", "\u0301\u0301"])(
  "nothing to see (%#): refused as empty",
  (name) => {
    expect(nameProblem(name, limits)).toBe("不能为空");
  },
);

it("length: counted in characters, after trimming", () => {
  expect(nameProblem(" 李 ", limits)).toBe("至少 2 个字");
  expect(nameProblem("𠮷𠮷𠮷𠮷𠮷", limits)).toBeNull();
  expect(nameProblem("一二三四五六", limits)).toBe("最多 5 个字");
});

it("optional name: may be empty, and follows the rule otherwise", () => {
  expect(nameProblem(" ", {})).toBeNull();
  expect(nameProblem("\u200b", {})).not.toBeNull();
});

it("normalised: one spelling and single spaces; twice changes nothing", () => {
  expect(normalizeName(" Jose\u0301\u3000 A ")).toBe("José A");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(normalizeName(normalizeName(text))).toBe(normalizeName(text));
    }),
  );
});

it("key: width, case and blanks do not count", () => {
  expect(nameKey("ＡＤｍｉｎ 1")).toBe(nameKey("admin1"));
  expect(nameKey("系 统")).toBe(nameKey("系统"));
});
