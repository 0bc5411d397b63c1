// Stores with coordinates, and the map section that fits them.
import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";

type Store = Screen["stores"][number];
export type PlacedStore = Store & { longitude: number; latitude: number };

export function isPlaced(store: Store): store is PlacedStore {
  return store.longitude !== null && store.latitude !== null;
}

const COUNTRY_DEGREES = 62;
/** Minimum width of the view: the outline has provinces only, closer views show no border. */
const LEAST_DEGREES = 5;
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
