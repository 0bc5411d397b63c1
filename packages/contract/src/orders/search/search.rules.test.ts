import { expect, test } from "vitest";
import { meaningOf } from "./search.rules.ts";

test("search text: four digits are the end of a phone, or a part of a name", () => {
  expect(meaningOf(" 4618 ")).toEqual({
    keyword: "4618",
    thirdPartyNo: "4618",
    phoneEnd: "4618",
  });
});

test("search text: digits after 1 are also the start of a phone", () => {
  expect(meaningOf("13899").phoneStart).toEqual({ from: "13899", before: "13900" });
  expect(meaningOf("1999").phoneStart).toEqual({ from: "1999", before: "2000" });
  expect(meaningOf("3899").phoneStart).toBeUndefined();
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
  expect(meaningOf("386547056640001").phoneEnd).toBeUndefined();
  expect(meaningOf("西湖 1 号柜")).toEqual({ keyword: "西湖 1 号柜", thirdPartyNo: "西湖 1 号柜" });
  expect(meaningOf("123").phoneEnd).toBeUndefined();
});
