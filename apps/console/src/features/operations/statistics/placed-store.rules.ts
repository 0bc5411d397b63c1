// Stores with coordinates, and the map section that fits them.
import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";

type Store = Screen["stores"][number];
export type PlacedStore = Store & { longitude: number; latitude: number };

export function isPlaced(store: Store): store is PlacedStore {
  return store.longitude !== null && store.latitude !== null;
}

const COUNTRY_DEGREES = 62;
/** Minimum width of the view, about 20 km: without streets a closer one would say nothing more. */
const LEAST_DEGREES = 0.2;
/** Width of the view relative to the extent of the stores. */
const MARGIN = 1.8;

/** Centre and zoom of the map; the whole country without stores. */
export function mapView(stores: readonly PlacedStore[]): {
  center?: [longitude: number, latitude: number];
  zoom?: number;
} {
  if (stores.length === 0) return {};
  const longitudes = stores.map(({ longitude }) => longitude);
  const latitudes = stores.map(({ latitude }) => latitude);
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  const degrees = Math.max(Math.max(east - west, (north - south) * 1.3) * MARGIN, LEAST_DEGREES);
  return {
    center: [(west + east) / 2, (south + north) / 2],
    zoom: Math.max(1, COUNTRY_DEGREES / degrees),
  };
}

/** A store with another one close to its right has its name on the left, where that does not hide it. */
export function nameSide(store: PlacedStore, stores: readonly PlacedStore[]): "left" | "right" {
  const degrees = COUNTRY_DEGREES / (mapView(stores).zoom ?? 1);
  const hides = (other: PlacedStore) => {
    const right = (other.longitude - store.longitude) / degrees;
    const up = Math.abs(other.latitude - store.latitude) / degrees;
    return right > 0 && right < 0.15 && up < 0.025;
  };
  return stores.some(hides) ? "left" : "right";
}
