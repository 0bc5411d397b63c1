// Tests the pagination rules (specification §2, §5, §9).
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hasPrevious,
  lastPage,
  pageFromInput,
  pageSizeLabel,
  stripNonDigits,
  totalText,
} from "./pagination.rules.ts";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from "./pagination.ts";

describe("specification §9, pagination", () => {
  it("page sizes are 10, 20, 30, 40 and 50; default 10", () => {
    expect(PAGE_SIZES).toEqual([10, 20, 30, 40, 50]);
    expect(DEFAULT_PAGE_SIZE).toBe(10);
  });

  it("labels page sizes N条/页", () => {
    expect(PAGE_SIZES.map(pageSizeLabel)).toEqual([
      "10条/页",
      "20条/页",
      "30条/页",
      "40条/页",
      "50条/页",
    ]);
  });

  it("marks a capped total with a plus sign", () => {
    expect(totalText(86)).toBe("共 86 条");
    expect(totalText(10_000, true)).toBe("共 10000+ 条");
  });

  it("the last page holds the last row", () => {
    expect(lastPage(0, 10)).toBe(1);
    expect(lastPage(10, 10)).toBe(1);
    expect(lastPage(11, 10)).toBe(2);
  });
});

describe("specification §5, go-to-page input", () => {
  it("strips non-digits while typing", () => {
    expect(stripNonDigits("1a2-3.e")).toBe("123");
    expect(stripNonDigits("１２")).toBe("12");
    fc.assert(fc.property(fc.string(), (text) => /^[0-9]*$/.test(stripNonDigits(text))));
  });

  it("accepts page numbers from 1 up", () => {
    expect(pageFromInput("12")).toBe(12);
    expect(pageFromInput("007")).toBe(7);
    expect(pageFromInput("")).toBeNull();
    expect(pageFromInput("0")).toBeNull();
    expect(pageFromInput("99999999")).toBeNull();
  });

  it("disables previous on page 1 or lower", () => {
    expect([-1, 0, 1, 2].map(hasPrevious)).toEqual([false, false, false, true]);
  });
});
