// Coordinate fields that several contracts share.
import { Type } from "typebox";
import { Nullable } from "./fields.ts";
import { LATITUDE_RANGE, LONGITUDE_RANGE } from "./place.rules.ts";

/** Degrees in GCJ-02. */
export const Longitude = Nullable(Type.Number({ title: "经度", ...LONGITUDE_RANGE }));
export const Latitude = Nullable(Type.Number({ title: "纬度", ...LATITUDE_RANGE }));
