// Tests the conversion of URL text into a query that the call accepts.
import fc from "fast-check";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { cabinetContract } from "../fleet/cabinet/cabinet.contract.ts";
import { queryFromText } from "./query-text.rules.ts";

const schema = cabinetContract.list.query;

describe("queryFromText", () => {
  it("reads each text as its field's type", () => {
    expect(
      queryFromText(schema, { page: "2", keyword: " 东门 ", hasFault: "true", side: "DOUBLE" }),
    ).toEqual({ page: 2, keyword: "东门", hasFault: true, side: "DOUBLE" });
  });

  it("cuts a text by characters, never in half of one", () => {
    const { keyword } = queryFromText(schema, { keyword: "😀".repeat(100) });
    expect(keyword).toBe("😀".repeat(64));
  });

  it("drops values that do not fit the field", () => {
    expect(
      queryFromText(schema, {
        page: "0",
        pageSize: "1e9",
        side: "ROUND",
        storeId: "x",
        foreign: "1",
      }),
    ).toEqual({});
  });

  it("returns a valid query for any URL text", () => {
    const names = Object.keys(schema.properties);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (texts) => {
        const query = { page: 1, pageSize: 10, ...queryFromText(schema, texts) };
        expect(Value.Check(schema, query)).toBe(true);
      }),
    );
  });
});
