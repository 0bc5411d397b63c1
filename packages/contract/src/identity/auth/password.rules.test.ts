// Tests promise A5: reasons for rejecting weak passwords.
import { expect, test } from "vitest";
import { passwordWeakness } from "./password.rules.ts";

test.each([
  ["short1!", "至少 10 个字符"],
  ["onlyletterss", "大写、小写、数字、符号至少两种"],
  ["a1a1a1a1a1a1", "至少 5 个不同的字符"],
  ["zhang-san-88", "不含账号和常见密码"],
  ["Password#2026", "不含账号和常见密码"],
])("A5: %s is too weak", (password, why) => {
  expect(passwordWeakness(password, "zhang-san")).toBe(why);
});

test("A5: a strong password is accepted", () => {
  expect(passwordWeakness("晴天 7 点出发-Kite", "zhang-san")).toBeNull();
});
