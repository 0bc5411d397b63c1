// Names of the contract's shapes: the API document has each named shape once, as a component of this name.
import type { TSchema } from "typebox";

/** A symbol: validators and serialisers do not see it, and copies of the schema keep it. */
const NAME = Symbol("name of the schema");

/**
 * Gives the shape its name in the API document: English, unique among all contracts, and kept for ever, because the programs
 * that others generate have a type of this name.
 */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return Object.assign(schema, { [NAME]: name });
}

export function schemaNameOf(schema: object): string | undefined {
  const { [NAME]: name, items } = schema as { [NAME]?: string; items?: object };
  const ofItem = items && schemaNameOf(items);
  return name ?? (ofItem && `${ofItem}List`);
}
