// The URL of a list, read and written.
import { describe, expect, it } from "vitest";
import { pageSizeOf, sortOf, withTexts } from "./list-state.ts";

describe("list state in the URL", () => {
  it("takes only the page sizes on offer", () => {
    expect(pageSizeOf("30")).toBe(30);
    expect(pageSizeOf("49")).toBe(10);
    expect(pageSizeOf(undefined)).toBe(10);
  });

  it("reads the sort", () => {
    expect(sortOf({})).toBeNull();
    expect(sortOf({ sort: "sn" })).toEqual({ by: "sn", order: "asc" });
    expect(sortOf({ sort: "sn", order: "desc" })).toEqual({ by: "sn", order: "desc" });
  });

  it("keeps what is not changed and drops what is emptied", () => {
    expect(withTexts({ keyword: "东门", page: "3", id: "7" }, { keyword: "", page: "" })).toEqual({
      id: "7",
    });
  });
});
