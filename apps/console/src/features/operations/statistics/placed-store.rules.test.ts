// Centre and zoom of the map for given stores.
import { describe, expect, it } from "vitest";
import { mapView, type PlacedStore } from "./placed-store.rules.ts";

const storeAt = (longitude: number, latitude: number) => ({ longitude, latitude }) as PlacedStore;
/** The width of the view in degrees; the country is 62 wide. */
const widthOf = (stores: PlacedStore[]) => 62 / (mapView(stores).zoom ?? 1);

describe("map view", () => {
  it("one store or one town: wide enough to show a border of its province", () => {
    expect(widthOf([storeAt(104.07, 30.54)])).toBeCloseTo(5);
    expect(widthOf([storeAt(120.01, 30.28), storeAt(120.35, 30.31)])).toBeCloseTo(5);
  });

  it("several towns: all stores, with a margin, around their centre", () => {
    const stores = [storeAt(104, 30), storeAt(121.6, 31.2)];
    expect(mapView(stores).center).toEqual([112.8, 30.6]);
    expect(widthOf(stores)).toBeCloseTo(17.6 * 1.8);
  });

  it("no store: the whole country", () => {
    expect(mapView([])).toEqual({});
  });
});
