// Named shapes in the API document: one component each, and another one where a request differs from the answers.
import { described, Id, Nullable, OneOf, Strict } from "@cabinet/contract/kit/fields.ts";
import { named } from "@cabinet/contract/kit/named.ts";
import { PageOf } from "@cabinet/contract/kit/pagination.ts";
import { expect, it } from "vitest";
import { NamedSchemas } from "./named-schemas.ts";

const Point = named("Point", Strict({ x: Id, y: { ...Id, default: 1 } }));
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

it("named shape: a reference; description and null stay at the place", () => {
  const schemas = new NamedSchemas([]);
  expect(schemas.answer(described(Point, "起点"))).toEqual({
    ...ref("Point"),
    description: "起点",
  });
  expect(schemas.answer(Nullable(Point))).toEqual({ anyOf: [ref("Point"), { type: "null" }] });
  expect(schemas.answer(PageOf(Point))).toEqual(ref("PointPage"));
  expect(Object.keys(schemas.components())).toEqual(["Point", "PointPage"]);
});

it("request that may leave out a field: a name of its own where answers have the shape", () => {
  const body = Strict({ at: Point });
  const both = new NamedSchemas([PageOf(Point)]);
  expect(both.request(body).properties?.at).toEqual(ref("PointInput"));
  both.answer(Point);
  expect(both.components()).toMatchObject({
    Point: { required: ["x", "y"] },
    PointInput: { required: ["x"] },
  });
  expect(new NamedSchemas([]).request(body).properties?.at).toEqual(ref("Point"));
});

it("two shapes of one name: refused", () => {
  const schemas = new NamedSchemas([]);
  schemas.answer(Point);
  const other = named("Point", Strict({ z: Id }));
  expect(() => schemas.answer(other)).toThrow("two shapes of the contract are named Point");
});

it("enum: closed in requests, open in answers", () => {
  const schemas = new NamedSchemas([]);
  const Size = OneOf(["S", "M"]);
  expect(schemas.request(Strict({ size: Size })).properties?.size).toMatchObject({
    enum: ["S", "M"],
  });
  const { size } = schemas.answer(Strict({ size: Nullable(Size) })).properties ?? {};
  expect(size).toEqual({ type: ["string", "null"], "x-extensible-enum": ["S", "M"] });
});
