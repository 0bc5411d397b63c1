// Passwords that lists and guessing programs find soon are refused; long ones need no mixture of characters.
import { GUESSABLE_RULE } from "@cabinet/contract/identity/auth/password.rules.ts";
import { expect, test } from "vitest";
import { weaknessOf } from "./password-strength.gate.ts";

const owner = { username: "zhang-san", displayName: "欧阳晓红", tenantName: "禾木智存" };

test("A5: judging a password leaves the main thread to doors and calls", async () => {
  const before = { thread: process.threadCpuUsage(), all: process.cpuUsage() };
  await weaknessOf("Welcome2024!", owner);
  const thread = process.threadCpuUsage(before.thread);
  const all = process.cpuUsage(before.all);
  expect(thread.user / all.user).toBeLessThan(0.25);
});

test("A5: passwords that are judged at once get their own answers", async () => {
  const passwords = ["Welcome2024!", "kT7m-Qp2x-Vb4n", "Hangzhou2026", "correcthorsebatterystaple"];
  expect(await Promise.all(passwords.map((each) => weaknessOf(each, owner)))).toEqual([
    expect.stringContaining(GUESSABLE_RULE),
    null,
    expect.stringContaining(GUESSABLE_RULE),
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
  expect(await weaknessOf(password, owner)).toContain(GUESSABLE_RULE);
});

test.each([
  "correcthorsebatterystaple",
  "晴天 7 点出发-Kite",
  "kT7m-Qp2x-Vb4n",
  "x".repeat(10) + "Tnz4-kWq7-Rm2x".repeat(8),
])("A5: %s is accepted", async (password) => {
  expect(await weaknessOf(password, owner)).toBeNull();
});

test("A5: the account's name does not make a password", async () => {
  expect(await weaknessOf("zhang-san-88", owner)).toBe("不含账号");
  expect(await weaknessOf("zh4ng-s4n-2026", owner)).toContain(GUESSABLE_RULE);
});

const people = [
  "zhangwei",
  "wangfang",
  "lihua",
  "chenjing",
  "liuyang",
  "zhaolei",
  "huangxiuying",
  "ouyangna",
];
const words = [
  "admin",
  "caiwu",
  "yunwei",
  "guanli",
  "kefu",
  "xiaoshou",
  "huawei",
  "taobao",
  "password",
  "welcome",
];
const own = ["hemuzhicun", "zhicun", "ouyangxiaohong", "cunqugui", "zhinengcunqu"];
const common = [
  ...people.flatMap((name) => [`${name}1990`, `${name}19900101`, `${name}@2026`, `${name}520`]),
  ...words.flatMap((word) => [
    `${word}@2026!!`,
    `${word[0]?.toUpperCase()}${word.slice(1)}@123456`,
    `${word}#888888`,
    `2026@${word}!`,
  ]),
  ...own.flatMap((name) => [`${name}2026`, `${name}@123`, `${name.toUpperCase()}_2026!`]),
  ...[
    "Admin@123456",
    "admin@2026!!",
    "Huawei@123",
    "Pass@word2026",
    "qwe123!@#ASD",
    "1qaz@WSX3edc",
    "caiwu@2026",
  ],
  ...[
    "P@ssw0rd!2026",
    "qazwsxedc123",
    "!QAZ2wsx#EDC",
    "Zhangwei@1990",
    "woaini@1314",
    "hmzc@2026.com",
    "wangfang1988",
    "yunwei2026!!",
    "tenant2hemu",
    "Huawei@123",
    "abc123!@#456",
  ],
].filter((password) => password.length >= 10);

test("A5: what Chinese users choose is refused, with the reason", async () => {
  expect(new Set(common).size).toBeGreaterThanOrEqual(60);
  const answers = await Promise.all(
    common.map(async (password) => ({ password, why: await weaknessOf(password, owner) })),
  );
  expect(answers.filter(({ why }) => why === null)).toEqual([]);
  expect(answers.filter(({ why }) => !why?.includes("四个不相干的词"))).toEqual([]);
});

/** Words and characters as a generator would draw them; the seed makes a failure repeatable. */
function drawnPasswords(seed: number): string[] {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const chars = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";
  const nouns =
    `lantern harbour quartz meadow walnut copper ribbon puddle thistle magnet saddle pepper orchid glacier trumpet
    velvet anchor compass juniper pebble`.split(/\s+/);
  const random = Array.from({ length: 20 }, () =>
    Array.from({ length: 14 }, () => chars[next(chars.length)]).join(""),
  );
  const phrases = Array.from({ length: 20 }, () =>
    Array.from({ length: 4 }, () => nouns[next(nouns.length)]).join("-"),
  );
  return [...random, ...phrases];
}

test("A5: random passwords and phrases of four words are accepted", async () => {
  const good = [
    ...drawnPasswords(20_261_130),
    "沿河 3 号-Kite",
    "mountain-harbour-4471",
    "Quartz-lantern-9-harbour",
  ];
  const answers = await Promise.all(
    good.map(async (password) => ({ password, why: await weaknessOf(password, owner) })),
  );
  expect(answers.filter(({ why }) => why !== null)).toEqual([]);
});

test("A5: the refusal says of what the password is made", async () => {
  expect(await weaknessOf("zhangwei1990", owner)).toContain("拼音或人名、常见数字组成");
  expect(await weaknessOf("hemuzhicun2026", owner)).toContain("租户或产品的名称、常见数字组成");
  expect(await weaknessOf("hemuzhicun2026kT7m", { username: "zhang-san" })).toBeNull();
});
