// Tests coordinates: validation messages and parsing of pasted text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  coordinatesProblem,
  LATITUDE_RANGE,
  LONGITUDE_RANGE,
  mapLink,
  parseCoordinates,
} from "./place.rules.ts";

const longitudes = fc.double({
  min: LONGITUDE_RANGE.minimum,
  max: LONGITUDE_RANGE.maximum,
  noNaN: true,
});
const latitudes = fc.double({
  min: LATITUDE_RANGE.minimum,
  max: LATITUDE_RANGE.maximum,
  noNaN: true,
});

describe("coordinates", () => {
  it("longitude and latitude are both set or both null", () => {
    expect(coordinatesProblem({ longitude: null, latitude: null })).toBeNull();
    expect(coordinatesProblem({ longitude: 120, latitude: null })).toContain("还缺纬度");
    expect(coordinatesProblem({ longitude: null, latitude: 30 })).toContain("还缺经度");
  });

  it("swapped or foreign coordinates are refused with an explanation", () => {
    expect(coordinatesProblem({ longitude: 30.28, latitude: 120.07 })).toContain("填反了");
    expect(coordinatesProblem({ longitude: 200, latitude: 30 })).toContain("经度应在");
    expect(coordinatesProblem({ longitude: 120, latitude: -30 })).toContain("纬度应在");
  });

  it("valid coordinates pass and parse back from the text that maps copy", () => {
    fc.assert(
      fc.property(
        longitudes,
        latitudes,
        fc.constantFrom(",", ", ", "，", " ", ";"),
        (longitude, latitude, between) => {
          expect(coordinatesProblem({ longitude, latitude })).toBeNull();
          const text = ` ${longitude.toFixed(6)}${between}${latitude.toFixed(6)}\n`;
          expect(parseCoordinates(text)).toEqual({
            longitude: Number(longitude.toFixed(6)),
            latitude: Number(latitude.toFixed(6)),
          });
        },
      ),
    );
  });

  it.each(["", "120.0676", "文二西路 808 号", "120.1,30.2,5", "a,b"])(
    "parser rejects %j",
    (text) => {
      expect(parseCoordinates(text)).toBeNull();
    },
  );

  it("link to a third-party map, null without coordinates", () => {
    expect(mapLink({ longitude: null, latitude: null }, "店")).toBeNull();
    const link = new URL(mapLink({ longitude: 120.1, latitude: 30.2 }, "A&B 店") ?? "");
    expect(link.origin).toBe("https://uri.amap.com");
    expect(link.searchParams.get("position")).toBe("120.1,30.2");
    expect(link.searchParams.get("name")).toBe("A&B 店");
  });
});
