// Walks the fields of a call's schemas and places a value at one of them.
import type { CallInput } from "./test-server.ts";

export interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  const?: unknown;
}
export type Path = (string | number)[];

export const parts = ["params", "query", "body"] as const;
export const isOf = (schema: Schema, type: string) => [schema.type].flat().includes(type);

/** Yields every schema below this one with its path; for a list, its first item. */
export function* fieldsOf(schema: Schema | undefined, way: Path): Generator<[Path, Schema]> {
  if (!schema) return;
  yield [way, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* fieldsOf(field, [...way, name]);
  }
  yield* fieldsOf(schema.items, [...way, 0]);
  for (const one of schema.anyOf ?? []) yield* fieldsOf(one, way);
}

/** Copies the input with this value at this path; undefined if an optional parent is absent. */
export function placed(input: CallInput, way: Path, value: unknown): CallInput | undefined {
  const copy = structuredClone(input) as Record<string | number, unknown>;
  let place = copy;
  for (const [at, step] of way.entries()) {
    if (at === way.length - 1) place[step] = value;
    else {
      // An absent part or list is created; other absent parents are not.
      place[step] ??= typeof way[at + 1] === "number" ? [] : at === 0 ? {} : undefined;
      if (typeof place[step] !== "object" || place[step] === null) return undefined;
      place = place[step] as typeof place;
    }
  }
  return copy as CallInput;
}
