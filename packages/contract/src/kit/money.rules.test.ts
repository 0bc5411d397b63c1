// Tests yuan and fen: exact in both directions, and only amounts are accepted.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenOfYuan, yuanOfFen } from "./money.rules.ts";

describe("yuan and fen", () => {
  it.each([
    ["3", 300],
    ["3.5", 350],
    ["3.50", 350],
    [" 0.07 ", 7],
    ["1.10", 110],
    ["4.35", 435],
    ["9999999.99", 999_999_999],
    ["¥1,000.50", 100_050],
    ["￥３．５", 350],
    ["3.50 元", 350],
  ])("reads %s yuan as %i fen", (text, fen) => expect(fenOfYuan(text)).toBe(fen));

  it.each([
    "",
    "-1",
    "1.234",
    "1,00",
    "1,000,0",
    "1e3",
    ".5",
    "3.",
    "三元",
    "12345678",
    "٣",
    "3²",
    "3 50",
    "①",
  ])("rejects %j as an amount", (text) => expect(fenOfYuan(text)).toBeNull());

  it("typing and parsing round-trip", () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), (fen) => {
        expect(fenOfYuan(yuanOfFen(fen))).toBe(fen);
      }),
    );
  });
});
