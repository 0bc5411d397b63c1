// A store that the map can show.
import type { Screen } from "@cabinet/contract/statistics/statistics.contract.ts";

type Store = Screen["stores"][number];
export type PlacedStore = Store & { longitude: number; latitude: number };

export function isPlaced(store: Store): store is PlacedStore {
  return store.longitude !== null && store.latitude !== null;
}
