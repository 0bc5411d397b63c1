// Compiles a serializer of JSON from a schema of the contract.
import fastJson from "fast-json-stringify";

export type Serialize = (data: unknown) => string;

/** `shared` are the schemas with an `$id` that others refer to. */
export function compileSerializer(schema: object, shared: readonly object[]): Serialize {
  const byId = Object.fromEntries(
    (shared as readonly (fastJson.Schema & { $id: string })[]).map((each) => [each.$id, each]),
  );
  return fastJson(schema as fastJson.Schema, { schema: byId });
}
