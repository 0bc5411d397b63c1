// postMessage protocol between the console and the map iframe.

/** Degrees in GCJ-02. */
export interface Point {
  longitude: number;
  latitude: number;
}

export interface FoundPlace extends Point {
  name: string;
  /** District and street, to distinguish places with the same name. */
  detail: string;
}

export type ToFrame =
  | { kind: "start"; key: string; serviceHost: string; point: Point | null }
  /** Moves the marker; null removes it. */
  | { kind: "show"; point: Point | null }
  /** Like `show`, and replies with the address. */
  | { kind: "pick"; point: Point }
  /** `isWhole`: the words are complete, not a prefix that is still being typed. */
  | { kind: "search"; id: number; words: string; isWhole: boolean }
  | { kind: "locate" };

export type FromFrame =
  | { kind: "hello" }
  | { kind: "ready" }
  | { kind: "failed" }
  /** Click on the map, dragged marker, or the user's position (`isRough`). */
  | { kind: "picked"; point: Point; isRough: boolean }
  | { kind: "address"; point: Point; region: string; address: string }
  /** Null: the service did not answer. */
  | { kind: "found"; id: number; places: FoundPlace[] | null }
  | { kind: "notLocated" };
