// Centre and zoom of the map for given stores.
import { describe, expect, it } from "vitest";
import { mapView, nameSide, type PlacedStore } from "./placed-store.rules.ts";

const storeAt = (longitude: number, latitude: number) => ({ longitude, latitude }) as PlacedStore;
/** The width of the view in degrees; the country is 62 wide. */
const widthOf = (stores: PlacedStore[]) => 62 / (mapView(stores).zoom ?? 1);

describe("map view", () => {
  it("one store: about 20 km around it", () => {
    expect(widthOf([storeAt(104.07, 30.54)])).toBeCloseTo(0.2);
  });

  it("stores of one town: as close as several towns, so that their names do not collide", () => {
    const stores = [storeAt(120.01, 30.28), storeAt(120.35, 30.31)];
    expect(widthOf(stores)).toBeCloseTo(0.34 * 1.8);
  });

  it("several towns: all stores, with a margin, around their centre", () => {
    const stores = [storeAt(104, 30), storeAt(121.6, 31.2)];
    expect(mapView(stores).center).toEqual([112.8, 30.6]);
    expect(widthOf(stores)).toBeCloseTo(17.6 * 1.8);
  });

  it("name of a store: on the left if another store is close to its right", () => {
    const stores = [storeAt(120.01, 30.28), storeAt(120.05, 30.28), storeAt(120.35, 30.31)];
    expect(stores.map((store) => nameSide(store, stores))).toEqual(["left", "right", "right"]);
  });

  it("no store: the whole country", () => {
    expect(mapView([])).toEqual({});
  });
});
