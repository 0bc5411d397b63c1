// Tests validation of import rows for any typed text.
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { SN_PATTERN } from "../../vocabulary/hardware.rules.ts";
import { judgeLines, normalizeSn, snProblem } from "./device-stock.rules.ts";

test.each([
  ["ZC26S24A0001", null],
  ["", "设备编号为空"],
  ["ZC26", "编号只有 4 位，应为 8–32 位"],
  ["Z".repeat(33), "编号有 33 位，应为 8–32 位"],
  ["1E23456789", null],
  ["1.2E+15", "编号被表格软件改成了科学计数法，请把该列设为“文本”后重新填写"],
  ["ZC26-0001", "编号含有“-”，只能是大写字母和数字"],
  ["ZC26 S24A0001", "编号中间有空格，请删除"],
  ["设备编号00000001", "编号含有“设”，只能是大写字母和数字"],
])("%s", (sn, problem) => {
  expect(snProblem(sn)).toBe(problem);
});

it("accepts exactly the cabinet numbers that the protocol accepts", () => {
  const pattern = new RegExp(SN_PATTERN);
  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.stringMatching(/^[A-Za-z0-9]{6,34}$/),
    fc.stringMatching(/^[Ａ-Ｚａ-ｚ０-９]{8,32}$/),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const sn = normalizeSn(text);
      expect(normalizeSn(sn)).toBe(sn);
      if (snProblem(sn) === null) expect(sn).toMatch(pattern);
      else expect(sn).not.toMatch(pattern);
    }),
  );
});

test.each([
  ["zc26-0001", "ZC260001"],
  ["编号：ZC26 0001", "ZC260001"],
  ["\u202dZC26\u200b0001\u202c", "ZC260001"],
  ["ZC26_0001", "ZC26_0001"],
  ["1.20261234E+15", "1.20261234E+15"],
])("device number as typed: %j is %s", (typed, sn) => {
  expect(normalizeSn(typed)).toBe(sn);
});

describe("lines", () => {
  const known = { models: new Map([["单面柜", 1]]), taken: new Map([["TAKEN00001", "已登记过"]]) };
  const line = (at: number, sn: string, model = "单面柜") => {
    return { line: at, sn, model, batch: "", remark: "" };
  };

  it("are judged in order; the first of two equal ones is valid", () => {
    const judged = judgeLines(
      [
        line(2, "zc260001"),
        line(3, " ＺＣ２６０００１"),
        line(4, "taken00001"),
        line(5, "ZC260002", "?"),
      ],
      known,
    );
    expect(judged.map(({ result, message }) => [result, message])).toEqual([
      ["READY", "可导入"],
      ["DUPLICATE", "与第 2 行的编号重复"],
      ["EXISTS", "已登记过"],
      ["INVALID", "没有型号“?”，请先在“设备型号”中新增或改正"],
    ]);
    expect(judged[1]?.sn).toBe("ZC260001");
  });

  it("valid lines never repeat a number", () => {
    const sns = fc.array(fc.stringMatching(/^[A-Ba-b]{8}$/), { maxLength: 30 });
    fc.assert(
      fc.property(sns, (typed) => {
        const judged = judgeLines(
          typed.map((sn, index) => line(index + 2, sn)),
          known,
        );
        const ready = judged.filter(({ result }) => result === "READY").map(({ sn }) => sn);
        expect(new Set(ready).size).toBe(ready.length);
        expect(new Set(ready)).toEqual(new Set(typed.map(normalizeSn)));
      }),
    );
  });
});
