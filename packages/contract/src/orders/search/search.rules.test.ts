import { expect, test } from "vitest";
import { meaningOf } from "./search.rules.ts";

test("search text: four digits are the end of a phone, or a part of a name", () => {
  expect(meaningOf(" 4618 ")).toEqual({
    keyword: "4618",
    thirdPartyNo: "4618",
    phoneTail: "4618",
  });
});

test("search text: other parts of a phone are none, so that nobody finds out masked digits", () => {
  for (const text of ["13899", "81234567", "1381234567"]) {
    expect(meaningOf(text)).toEqual({ keyword: text, thirdPartyNo: text });
  }
});

test("search text: the address of a cabinet's label is the cabinet's number", () => {
  expect(meaningOf("https://cabinets.example/m/c/ax0012345").keyword).toBe("AX0012345");
  expect(meaningOf("https://cabinets.example/m/t/2").keyword).toBe(
    "https://cabinets.example/m/t/2",
  );
});

test("search text: a whole phone in any spelling, an order number, a name", () => {
  expect(meaningOf("+86 138-1234-5678").phone).toBe("13812345678");
  expect(meaningOf("386547056640001").orderId).toBe(386_547_056_640_001);
  expect(meaningOf("386547056640001").phoneTail).toBeUndefined();
  expect(meaningOf("西湖 1 号柜")).toEqual({ keyword: "西湖 1 号柜", thirdPartyNo: "西湖 1 号柜" });
  expect(meaningOf("123").phoneTail).toBeUndefined();
});
