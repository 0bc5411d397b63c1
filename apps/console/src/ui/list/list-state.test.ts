// Reading and writing a list's URL.
import { contracts } from "@cabinet/contract/contracts.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import { describe, expect, it } from "vitest";
import { pageSizeOf, sortOf, textsOf, withSearchValues } from "./list-state.ts";

describe("list state in the URL", () => {
  it("accepts only the offered page sizes", () => {
    expect(pageSizeOf("30")).toBe(30);
    expect(pageSizeOf("49")).toBe(10);
    expect(pageSizeOf(undefined)).toBe(10);
  });

  it("reads the sort", () => {
    expect(sortOf({})).toBeNull();
    expect(sortOf({ sort: "sn" })).toEqual({ by: "sn", order: "asc" });
    expect(sortOf({ sort: "sn", order: "desc" })).toEqual({ by: "sn", order: "desc" });
  });

  it("keeps unchanged parameters and removes emptied ones", () => {
    expect(
      withSearchValues({ keyword: "东门", page: "3", id: "7" }, { keyword: "", page: "" }),
    ).toEqual({
      id: "7",
    });
  });

  it("empty parameters: every list reads them as absent", () => {
    const specs: EndpointSpec[] = Object.values(contracts).flatMap((contract) =>
      Object.values(contract),
    );
    for (const { path, query } of specs) {
      if (!query) continue;
      const names = [...Object.keys(query.properties), "view", "open", "page", "sort"];
      const empty = textsOf(new URLSearchParams(names.map((name) => [name, ""])));
      expect(empty, path).toEqual({});
      expect(queryFromText(query, empty), path).toEqual({});
    }
    expect(textsOf(new URLSearchParams("state=&keyword=%20a&page=2"))).toEqual({
      keyword: " a",
      page: "2",
    });
  });
});
