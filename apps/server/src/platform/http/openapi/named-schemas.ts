// Shapes of the contract in the API document: each named one once, as a component that all places refer to.
import { schemaNameOf } from "@cabinet/contract/kit/named.ts";
import type { Schema } from "./sample.ts";

/**
 * A request may leave out fields that have a default; an answer has them. The values of an answer's enum are the ones of
 * today: clients whose enums are closed would fail on the day that one is added (docs/sdk, 09).
 */
type Form = "request" | "answer";

/** Name of a shape in requests where its answers look different. */
const inputName = (name: string) => `${name}Input`;

export class NamedSchemas {
  readonly #components = new Map<string, Schema>();
  readonly #answered: ReadonlySet<string>;

  /** `answers`: replies of all contracts, so that a name does not depend on which calls a document has. */
  constructor(answers: readonly object[]) {
    const names = new Set<string>();
    for (const answer of answers) addNames(answer as Schema, names);
    this.#answered = names;
  }

  request(schema: object): Schema {
    return this.#referred(schema as Schema, "request");
  }

  answer(schema: object): Schema {
    return this.#referred(schema as Schema, "answer");
  }

  components(): Record<string, Schema> {
    return Object.fromEntries(
      [...this.#components].sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  }

  #referred(schema: Schema, form: Form): Schema {
    const converted = convert(schema, form, (inner) => this.#referred(inner, form));
    const name = schema.properties && schemaNameOf(schema);
    if (!name) return converted;
    // A description or null belongs to the place, not to the shape.
    const { description, title, type, ...shape } = converted;
    const $ref = `#/components/schemas/${this.#add(this.#nameOf(name, schema, form), shape)}`;
    const place = { ...(title && { title }), ...(description && { description }) };
    return Array.isArray(type)
      ? { anyOf: [{ $ref }, { type: "null" }], ...place }
      : { $ref, ...place };
  }

  #nameOf(name: string, schema: Schema, form: Form): string {
    const isSame = () => textOf(schema, "request") === textOf(schema, "answer");
    return form === "answer" || !this.#answered.has(name) || isSame() ? name : inputName(name);
  }

  #add(name: string, shape: Schema): string {
    const schema = { type: "object", ...shape };
    const known = this.#components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two shapes of the contract are named ${name}`);
    }
    this.#components.set(name, schema);
    return name;
  }
}

/** Names of an answer's shapes, at every depth. */
function addNames(schema: Schema, names: Set<string>): void {
  const name = schema.properties && schemaNameOf(schema);
  if (name) names.add(name);
  convert(schema, "answer", (inner) => {
    addNames(inner, names);
    return inner;
  });
}

/** Values that more may be added to; null is in the type. */
export const openEnum = (values: readonly unknown[]) => ({
  "x-extensible-enum": values.filter((value) => value !== null),
});

/** The whole schema without references. */
function textOf(schema: Schema, form: Form): string {
  const whole = (each: Schema): Schema => convert(each, form, whole);
  return JSON.stringify(whole(schema));
}

/** The schema in this form; `inner` converts the schemas in it. Its `examples` are hints beside the fields of forms, no values. */
function convert(schema: Schema, form: Form, inner: (schema: Schema) => Schema): Schema {
  const { properties, required, items, anyOf, enum: values, examples: _, ...rest } = schema;
  const mayBeAbsent = (name: string) =>
    form === "request" && properties?.[name]?.default !== undefined;
  const needed = required?.filter((name) => !mayBeAbsent(name)) ?? [];
  return {
    ...rest,
    ...(values && (form === "answer" ? openEnum(values) : { enum: values })),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, inner(field)]),
      ),
    }),
    ...(needed.length > 0 && { required: needed }),
    ...(items && { items: Array.isArray(items) ? items.map(inner) : inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  } as Schema;
}
