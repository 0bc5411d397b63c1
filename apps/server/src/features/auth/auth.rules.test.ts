// Promise A2's back-off and A5's password rules.
import fc from "fast-check";
import { expect, test } from "vitest";
import { blockSeconds, FAILURES_BEFORE_BLOCK, passwordWeakness } from "./auth.rules.ts";

test("A2: the first failures block nothing, later ones longer and longer, up to a quarter of an hour", () => {
  for (let failures = 0; failures < FAILURES_BEFORE_BLOCK; failures++) {
    expect(blockSeconds(failures)).toBe(0);
  }
  expect(blockSeconds(FAILURES_BEFORE_BLOCK)).toBe(30);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (failures) => {
      expect(blockSeconds(failures + 1)).toBeGreaterThanOrEqual(blockSeconds(failures));
      expect(blockSeconds(failures)).toBeLessThanOrEqual(900);
    }),
  );
});

test.each([
  ["short1!", "至少 10 个字符"],
  ["zhang-san-88", "不能包含账号"],
  ["onlyletterss", "至少包含"],
  ["a1a1a1a1a1a1", "重复字符太多"],
  ["Password#2026", "不能包含常见密码"],
])("A5: %s is too weak", (password, why) => {
  expect(passwordWeakness(password, "zhang-san")).toContain(why);
});

test("A5: a good password is taken", () => {
  expect(passwordWeakness("晴天 7 点出发-Kite", "zhang-san")).toBeNull();
});
