// Chooses inputs of a call by the schemas of the API document: valid, at a boundary, of a wrong type, incomplete,
// with unknown fields.
import type { Operation } from "./document-check.ts";
import { fieldsOf, isOf, type Path, parts, placed, type Schema } from "./schema-fields.ts";
import type { CallInput } from "./test-server.ts";

export const FUZZ_KINDS = ["valid", "boundary", "wrong", "missing", "extra"] as const;
export type FuzzKind = (typeof FUZZ_KINDS)[number];

type Choose = <Item>(items: readonly Item[]) => Item;
type Field = [Path, Schema & TextLimits];

interface TextLimits {
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

/** Values that break programs: other types, absurd numbers, texts that SQL, JSON or a URL treats specially. */
const junk: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  "",
  " ",
  "x",
  "null",
  "1e400",
  "\u0000",
  "é😀\u202e",
  "'; drop table tenant; --",
  "%",
  "a".repeat(5_000),
  [],
  [null],
  [[[]]],
  {},
  { toString: 1 },
];

/** Fields of the operation's parameters and body. */
export function fuzzFields({ parameters, requestBody }: Operation): Field[] {
  const [content] = Object.values(requestBody?.content ?? {});
  const given = (place: string) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return {
      type: "object",
      properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    };
  };
  const schemas = { params: given("path"), query: given("query"), body: content?.schema };
  return parts.flatMap((part) =>
    [...fieldsOf(schemas[part] as Schema | undefined, [part])].filter(([way]) => way.length > 1),
  );
}

/** A variant of a good input; the same one where the call has no field to change. */
export function fuzzInput(
  kind: FuzzKind,
  good: CallInput,
  fields: readonly Field[],
  choose: Choose,
): CallInput {
  if (kind === "extra") return withUnknownField(good, choose);
  if (kind === "valid" || fields.length === 0) return good;
  const changes = choose([1, 1, 1, 2, 3]);
  let input = good;
  for (let change = 0; change < changes; change++) {
    const [way, schema] = choose(fields);
    input = placed(input, way, chosenValue(kind, schema, choose)) ?? input;
  }
  return input;
}

function chosenValue(kind: FuzzKind, schema: Field[1], choose: Choose): unknown {
  if (kind === "missing") return undefined;
  return choose(kind === "wrong" ? junk : boundaries(schema));
}

/** Values at the limits of a schema, and just beyond them. */
function boundaries(schema: Field[1]): unknown[] {
  if (schema.enum) return [...schema.enum, `${schema.enum[0]} `];
  if (schema.const !== undefined) return [schema.const];
  if (isOf(schema, "integer") || isOf(schema, "number")) {
    const { minimum = -(2 ** 53), maximum = 2 ** 53 } = schema;
    return [minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5];
  }
  if (isOf(schema, "boolean")) return [true, false, "true", 1];
  if (isOf(schema, "array"))
    return [[], Array(Math.min((schema.maxItems ?? 200) + 1, 500)).fill(1)];
  if (schema.format === "date") return ["0001-01-01", "2999-12-31", "2026-02-29", "2026-1-1"];
  if (schema.format === "date-time") {
    return [
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
      "2026-11-22T23:59:60Z",
      "2026-11-22",
    ];
  }
  if (!isOf(schema, "string")) return [null, {}];
  const { minLength = 0, maxLength = 100 } = schema;
  const lengths = [0, minLength, minLength - 1, maxLength, maxLength + 1];
  return lengths.map((length) => "柜".repeat(Math.max(0, length)));
}

function withUnknownField(good: CallInput, choose: Choose): CallInput {
  const name = choose(["nonsense", "__proto__", "tenantId", "id", "constructor"]);
  const part = choose(parts);
  if (part === "params") return good;
  const extra = Object.fromEntries([[name, choose(junk)]]);
  return { ...good, [part]: { ...good[part], ...extra } };
}
