// Messages of the map iframe: a hostile script's are dropped or reduced to their known fields.
import fc from "fast-check";
import { expect, it } from "vitest";
import { readFromFrame } from "./map-messages.rules.ts";

const point = { longitude: 120.1, latitude: 30.2 };

it.each([
  { kind: "hello" },
  { kind: "ready" },
  { kind: "failed" },
  { kind: "notLocated" },
  { kind: "picked", point, isRough: true },
  { kind: "address", point, region: "浙江省 杭州市", address: "文二西路 808 号" },
  { kind: "found", id: 3, places: null },
  { kind: "found", id: 3, places: [{ name: "西溪站", detail: "", ...point }] },
])("map message: %j is read as it is", (message) => {
  expect(readFromFrame(message)).toEqual(message);
});

it.each([
  null,
  "ready",
  { kind: "start" },
  { kind: "picked", point: { longitude: "120", latitude: 30 } },
  { kind: "picked", point: { longitude: 181, latitude: 30 } },
  { kind: "picked", point: { longitude: Number.NaN, latitude: 30 } },
  { kind: "address", point, region: {}, address: "x" },
  { kind: "address", point, region: "x", address: "x".repeat(501) },
  { kind: "found", id: "1", places: [] },
  { kind: "found", id: 1, places: "all" },
])("map message: %j is dropped", (message) => {
  expect(readFromFrame(message)).toBeNull();
});

it("map message: other fields and malformed places are removed", () => {
  const place = { name: "西溪站", detail: "西湖区", ...point };
  const places = [{ ...place, html: "<b>" }, { ...place, name: {} }, null];
  expect(readFromFrame({ kind: "found", id: 1, places, more: 1 })).toEqual({
    kind: "found",
    id: 1,
    places: [place],
  });
  expect(readFromFrame({ kind: "ready", more: 1 })).toEqual({ kind: "ready" });
});

it("map message: no value makes the reader throw", () => {
  fc.assert(fc.property(fc.anything(), (data) => void readFromFrame(data)));
});
