// postMessage protocol between the console and the map iframe, whose script is a third party's.

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
  /** The browser's position (WGS-84), which the frame itself may not ask for. */
  | { kind: "locate"; gps: Point | null };

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

const MAX_TEXT = 500;
const MAX_PLACES = 50;

/** The message with its known fields only; null if malformed: the frame runs a third party's script. */
export function readFromFrame(data: unknown): FromFrame | null {
  const { kind, ...given } = fieldsOf(data);
  switch (kind) {
    case "hello":
    case "ready":
    case "failed":
    case "notLocated":
      return { kind };
    case "picked": {
      const point = readPoint(given.point);
      return point && { kind, point, isRough: given.isRough === true };
    }
    case "address": {
      const point = readPoint(given.point);
      const { region, address } = given;
      return point && isText(region) && isText(address) ? { kind, point, region, address } : null;
    }
    case "found": {
      const { id, places } = given;
      if (!Number.isSafeInteger(id)) return null;
      if (places === null) return { kind, id: id as number, places };
      if (!Array.isArray(places)) return null;
      return { kind, id: id as number, places: places.slice(0, MAX_PLACES).flatMap(readPlace) };
    }
    default:
      return null;
  }
}

function fieldsOf(data: unknown): Record<string, unknown> {
  return typeof data === "object" && data !== null ? { ...data } : {};
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT;
}

function readPoint(data: unknown): Point | null {
  const { longitude, latitude } = fieldsOf(data);
  const isWithin = (degrees: unknown, most: number): degrees is number =>
    typeof degrees === "number" && Math.abs(degrees) <= most;
  return isWithin(longitude, 180) && isWithin(latitude, 90) ? { longitude, latitude } : null;
}

function readPlace(data: unknown): FoundPlace[] {
  const { name, detail } = fieldsOf(data);
  const point = readPoint(data);
  return point && isText(name) && isText(detail) ? [{ name, detail, ...point }] : [];
}
