// What the console and the map in its frame say to each other.

/** Degrees in GCJ-02. */
export interface Point {
  longitude: number;
  latitude: number;
}

export interface FoundPlace extends Point {
  name: string;
  /** District and street, to tell places of one name apart. */
  detail: string;
}

export type ToFrame =
  | { kind: "start"; key: string; serviceHost: string; point: Point | null }
  /** Puts the marker there; null takes it away. */
  | { kind: "show"; point: Point | null }
  /** As `show`, and tells the address. */
  | { kind: "pick"; point: Point }
  /** `isWhole`: the words are all that was meant, not the beginning of them. */
  | { kind: "search"; id: number; words: string; isWhole: boolean }
  | { kind: "locate" };

export type FromFrame =
  | { kind: "hello" }
  | { kind: "ready" }
  | { kind: "failed" }
  /** A click on the map, a marker that was dragged, or where the user is. */
  | { kind: "picked"; point: Point; isRough: boolean }
  | { kind: "address"; point: Point; region: string; address: string }
  /** Null: the service did not answer. */
  | { kind: "found"; id: number; places: FoundPlace[] | null }
  | { kind: "notLocated" };
