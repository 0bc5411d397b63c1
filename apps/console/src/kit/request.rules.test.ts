// Path, query string and body of a request.
import { describe, expect, it } from "vitest";
import { queryText, requestBody, requestPath } from "./request.rules.ts";

describe("§7 requests", () => {
  it("fill path parameters", () => {
    expect(requestPath("/api/locker/{id}/compartments/{no}", { id: 7, no: "a/b" })).toBe(
      "/api/locker/7/compartments/a%2Fb",
    );
  });

  it("leave empty query parameters out of a read", () => {
    expect(
      queryText({ page: 1, keyword: "", storeId: undefined, hasFault: false, side: null }),
    ).toBe("page=1&hasFault=false");
  });

  it("send empty values in a write and leave out undefined ones", () => {
    const query = { id: 7, remark: "", maxCabinets: null, contactName: undefined };
    expect(queryText(query, "PUT")).toBe("id=7&remark=&maxCabinets=");
  });

  it("send JSON or a form", () => {
    expect(requestBody(undefined, "", { reason: "测试", note: null })).toEqual({
      text: '{"reason":"测试","note":null}',
      headers: { "content-type": "application/json" },
    });
    expect(requestBody("form", "", { username: "a b", password: "p&=" })).toEqual({
      text: "username=a+b&password=p%26%3D",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  });

  it("drop the body if query parameters are present", () => {
    expect(requestBody(undefined, "page=1", { reason: "测试" })).toBeNull();
    expect(requestBody(undefined, "", undefined)).toBeNull();
  });
});
