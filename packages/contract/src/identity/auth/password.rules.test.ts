// Tests promise A5: reasons for rejecting weak passwords, as far as a form can tell.
import { expect, test } from "vitest";
import { passwordWeakness } from "./password.rules.ts";

test.each([
  ["short1!", "至少 10 个字符"],
  ["zhang-san-88", "不含账号"],
  ["correcthorsebatterystaple", null],
])("A5: %s: %s", (password, why) => {
  expect(passwordWeakness(password, "zhang-san")).toBe(why);
});
