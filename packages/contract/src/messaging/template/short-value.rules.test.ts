// Tests shorter forms of message values: whole clauses, whole words, the cabinet's name kept.
import fc from "fast-check";
import { expect, it } from "vitest";
import { feeText } from "../../money/pricing/pricing.rules.ts";
import { shortValue } from "./short-value.rules.ts";
import { type VariableKey, variables } from "./template.rules.ts";

const price = (over: object) =>
  feeText({
    ...{ freeMinutes: 15, perUseFen: 100, stepMinutes: 60, stepFen: 150, capFen: 2_000 },
    ...{ overdueAfterMinutes: 1_440, ...over },
  });

it.each([
  [price({}), "前15分钟免费，起步1元，每1小时1.50元，最高20元"],
  [
    price({ freeMinutes: 43_199, perUseFen: 99_999 }),
    "前29天23小时59分钟免费，起步999.99元，最高20元",
  ],
  [price({ capFen: null }), "前 15 分钟免费，之后起步 1 元，每 1 小时 1.50 元"],
  [price({ capFen: null }), "起步1元，每1小时1.50元", 20],
  [price({ capFen: null, perUseFen: 0, freeMinutes: 43_199 }), "每1小时1.50元", 20],
  [
    price({ capFen: null, perUseFen: 99_999, stepMinutes: 43_199 }),
    "前 15 分钟免费，之后起步…",
    20,
  ],
])("price: whole clauses, never a lower price: %s", (text, short, most = 35) => {
  expect(shortValue("price", text, most)).toBe(short);
});

it.each([
  [
    "place",
    "杭州市余杭区仓前街道文一西路小镇东门便民服务中心南侧驿站店 4 号柜",
    35,
    "杭州市余杭区仓前街道文一西路小镇东门便民服务中心南侧驿站店 4 号柜",
  ],
  [
    "place",
    "杭州市余杭区仓前街道文一西路小镇东门店 4 号柜",
    20,
    "杭州市余杭区仓前街道文一西路… 4 号柜",
  ],
  [
    "place",
    "Starbucks Coffee West Lake Store No. 35 Hangzhou China 4 号柜",
    35,
    "Starbucks… 35 Hangzhou China 4 号柜",
  ],
  [
    "place",
    "很长的门店名称一二三四五六七八九十 电梯口 B 区 12 号柜旁边的柜",
    20,
    "很长的门店… B 区 12 号柜旁边的柜",
  ],
  ["path", "m/c/SC2410000012/pickup", 22, "m/c/SC2410000012"],
  ["path", "m/c/SC2410000012/pickup", 12, "m"],
  ["what", "门锁卡住😀😀", 7, "门锁卡住😀…"],
  ["what", "broken lock of the door", 14, "broken lock…"],
] as const)("%s: %s", (key, text, most, short) => {
  expect(shortValue(key, text, most)).toBe(short);
});

it("any value: within its room, well-formed, never half a word's letter", () => {
  const keys = Object.keys(variables) as VariableKey[];
  const anyValue = fc.string({ unit: "grapheme", maxLength: 80 });
  fc.assert(
    fc.property(
      fc.constantFrom(...keys),
      anyValue,
      fc.integer({ min: 5, max: 40 }),
      (key, value, most) => {
        const short = shortValue(key, value, most);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(true);
        if (value.length <= most) expect(short).toBe(value);
      },
    ),
  );
});
