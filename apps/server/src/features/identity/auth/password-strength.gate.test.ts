// Passwords that lists and guessing programs find soon are refused; long ones need no mixture of characters.
import { GUESSABLE_RULE } from "@cabinet/contract/identity/auth/password.rules.ts";
import { expect, test } from "vitest";
import { weaknessOf } from "./password-strength.gate.ts";

test("A5: judging a password leaves the main thread to doors and calls", async () => {
  const before = { thread: process.threadCpuUsage(), all: process.cpuUsage() };
  await weaknessOf("Welcome2024!", "zhang-san");
  const thread = process.threadCpuUsage(before.thread);
  const all = process.cpuUsage(before.all);
  expect(thread.user / all.user).toBeLessThan(0.25);
});

test("A5: passwords that are judged at once get their own answers", async () => {
  const passwords = ["Welcome2024!", "kT7m-Qp2x-Vb4n", "Hangzhou2026", "correcthorsebatterystaple"];
  expect(await Promise.all(passwords.map((each) => weaknessOf(each, "zhang-san")))).toEqual([
    GUESSABLE_RULE,
    null,
    GUESSABLE_RULE,
    null,
  ]);
});

test.each([
  "Welcome2024!",
  "1q2w3e4r5t",
  "zxcvbnm123",
  "asdfghjkl1",
  "P@ssword2024",
  "Qwer1234!@",
  "woaini1314520",
  "a1b2c3d4e5",
  "Hangzhou2026",
  "kuaigui168888",
  "Password#2026",
  "aaaaaaaaaaaaaaaaaaaa",
])("A5: %s is refused", async (password) => {
  expect(await weaknessOf(password, "zhang-san")).toBe(GUESSABLE_RULE);
});

test.each([
  "correcthorsebatterystaple",
  "晴天 7 点出发-Kite",
  "kT7m-Qp2x-Vb4n",
  "x".repeat(10) + "Tnz4-kWq7-Rm2x".repeat(8),
])("A5: %s is accepted", async (password) => {
  expect(await weaknessOf(password, "zhang-san")).toBeNull();
});

test("A5: the account's name does not make a password", async () => {
  expect(await weaknessOf("zhang-san-88", "zhang-san")).toBe("不含账号");
  expect(await weaknessOf("zh4ng-s4n-2026", "zhang-san")).toBe(GUESSABLE_RULE);
});
