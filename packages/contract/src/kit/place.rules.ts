// Coordinates of a place in GCJ-02, the system of Chinese map services.

/** Degrees; null: not known. Both are known or neither is. */
export interface Coordinates {
  longitude: number | null;
  latitude: number | null;
}

/** Range that GCJ-02 is defined for (China); swapped coordinates fall outside it. */
export const LONGITUDE_RANGE = { minimum: 73, maximum: 136 } as const;
export const LATITUDE_RANGE = { minimum: 3, maximum: 54 } as const;

/** Six decimals are about a tenth of a metre. */
const DECIMALS = 6;

/** Rounds degrees to the stored precision. */
export function roundCoordinate(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS));
}

/** Problem of the coordinates and its remedy, in Chinese; null when there is none. */
export function coordinatesProblem({ longitude, latitude }: Coordinates): string | null {
  if (longitude === null && latitude === null) return null;
  if (longitude === null) return "还缺经度：经度和纬度要一起填写，或都留空";
  if (latitude === null) return "还缺纬度：经度和纬度要一起填写，或都留空";
  const isLongitude = (value: number) =>
    value >= LONGITUDE_RANGE.minimum && value <= LONGITUDE_RANGE.maximum;
  const isLatitude = (value: number) =>
    value >= LATITUDE_RANGE.minimum && value <= LATITUDE_RANGE.maximum;
  if (isLongitude(longitude) && isLatitude(latitude)) return null;
  if (isLongitude(latitude) && isLatitude(longitude)) return "经度和纬度填反了，请对调";
  return isLongitude(longitude)
    ? `纬度应在 ${LATITUDE_RANGE.minimum} 到 ${LATITUDE_RANGE.maximum} 之间`
    : `经度应在 ${LONGITUDE_RANGE.minimum} 到 ${LONGITUDE_RANGE.maximum} 之间`;
}

/** Parses `120.067600, 30.279900` as maps copy it, longitude first; null for any other text. */
export function parseCoordinates(text: string): { longitude: number; latitude: number } | null {
  const match = /^\s*(\d{1,3}(?:\.\d+)?)\s*[,，;\s]\s*(\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  if (!match) return null;
  return {
    longitude: roundCoordinate(Number(match[1])),
    latitude: roundCoordinate(Number(match[2])),
  };
}

/**
 * URL of the place on a third-party map; the user opens it in a new tab. Null without coordinates.
 */
export function mapLink({ longitude, latitude }: Coordinates, name: string): string | null {
  if (longitude === null || latitude === null) return null;
  const query = new URLSearchParams({
    position: `${longitude},${latitude}`,
    name,
    coordinate: "gaode",
  });
  return `https://uri.amap.com/marker?${query}`;
}
