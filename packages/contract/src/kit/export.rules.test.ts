// Tests the export rules (specification §2, §4, §7, §9; promise I4).
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { endpoint } from "./endpoint.ts";
import {
  EXPORT_CHUNK_ROWS,
  EXPORT_PAGE_SIZE,
  exportFilename,
  exportMaxPage,
  exportPageSize,
  exportPercent,
  isExportable,
  listOfReply,
  namedColumns,
  sheetCell,
} from "./export.rules.ts";
import { PageOf, PageQuery } from "./pagination.ts";

describe("specification §9, export", () => {
  it("fetches pages of 49 rows", () => {
    expect(EXPORT_PAGE_SIZE).toBe(49);
    expect(exportMaxPage(0, EXPORT_PAGE_SIZE)).toBe(0);
    expect(exportMaxPage(49, EXPORT_PAGE_SIZE)).toBe(1);
    expect(exportMaxPage(50, EXPORT_PAGE_SIZE)).toBe(2);
  });

  it("shows floor(page / maxPage × 100)", () => {
    expect(exportPercent(1, 3)).toBe(33);
    expect(exportPercent(2, 3)).toBe(66);
    expect(exportPercent(3, 3)).toBe(100);
    expect(exportPercent(0, 0)).toBe(100);
    fc.assert(
      fc.property(fc.nat(500), fc.integer({ min: 1, max: 500 }), (page, maxPage) => {
        const percent = exportPercent(page, maxPage);
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
        if (page < maxPage) expect(percent).toBeLessThan(100);
      }),
    );
  });

  it("default file name is 报表.xlsx", () => {
    expect(exportFilename()).toBe("报表.xlsx");
    expect(exportFilename("设备列表")).toBe("设备列表.xlsx");
    expect(exportFilename("a/b.xlsx")).toBe("a_b.xlsx");
    expect(exportFilename("  ")).toBe("报表.xlsx");
  });

  it("removes columns with empty headers", () => {
    expect(namedColumns([{ header: "编号" }, { header: " " }, { header: "" }])).toEqual([
      { header: "编号" },
    ]);
  });
});

describe("large lists", () => {
  it("pages divide the chunk that the server keeps without remainder", () => {
    expect(exportPageSize(0)).toBe(EXPORT_PAGE_SIZE);
    expect(exportPageSize(EXPORT_CHUNK_ROWS)).toBe(EXPORT_PAGE_SIZE);
    expect(exportPageSize(EXPORT_CHUNK_ROWS + 1)).toBe(EXPORT_CHUNK_ROWS);
    expect(EXPORT_CHUNK_ROWS % EXPORT_PAGE_SIZE).toBe(0);
  });
});

describe("isExportable", () => {
  const list = endpoint({
    method: "GET",
    path: "/admin/v1/thing/list",
    access: "thing:read",
    summary: "列表",
    query: PageQuery({}),
    reply: PageOf(Type.Object({})),
  });

  it("accepts a list call for accounts", () => {
    expect(isExportable(list)).toBe(true);
    expect(isExportable({ ...list, access: "platform" })).toBe(true);
    expect(isExportable({ ...list, access: "signed-in" })).toBe(true);
  });

  it("rejects public calls, writing calls and calls that return no list", () => {
    expect(isExportable({ ...list, access: "public" })).toBe(false);
    expect(isExportable({ ...list, access: "end-user" })).toBe(false);
    expect(isExportable({ ...list, method: "POST" })).toBe(false);
    expect(isExportable({ ...list, params: Type.Object({}) })).toBe(false);
    expect(isExportable({ ...list, reply: Type.Array(Type.Object({})) })).toBe(false);
  });
});

describe("specification §7, export page fetch", () => {
  it("reads the list from data.data, data.list or data itself", () => {
    expect(listOfReply({ data: [1] })).toEqual([1]);
    expect(listOfReply({ list: [2], total: 1 })).toEqual([2]);
    expect(listOfReply([3])).toEqual([3]);
    expect(listOfReply(null)).toBeNull();
    expect(listOfReply({ total: 3 })).toBeNull();
  });
});

describe("promise I4, cells", () => {
  it.each(["=1+1", "+1", "-a", "@SUM(A1)", "\tx", "\rx", "-1+2", "-12345678901234567"])(
    "%j becomes text",
    (input) => {
      expect(sheetCell(input)).toEqual({ value: input, isText: true });
    },
  );

  it("negative amounts are numbers, texts stay texts", () => {
    expect(sheetCell(-5)).toEqual({ value: -5, isText: false });
    expect(sheetCell("-001")).toEqual({ value: "-001", isText: true });
  });

  it("text never starts a formula unless it is marked as text", () => {
    fc.assert(
      fc.property(fc.string(), (input) => {
        const cell = sheetCell(input);
        if (typeof cell.value === "string" && /^[=+\-@\t\r]/.test(cell.value)) {
          expect(cell.isText).toBe(true);
        }
      }),
    );
  });

  it("null, undefined and empty text become an empty cell", () => {
    expect([null, undefined, ""].map(sheetCell)).toEqual(
      Array(3).fill({ value: null, isText: false }),
    );
  });
});
