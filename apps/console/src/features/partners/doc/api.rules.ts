// Turns the server's API document into groups by audience and noun, and schemas into table rows.
import type { Caller } from "@cabinet/contract/kit/endpoint.ts";
import { type ApiWords, apiWords } from "./api-words.rules.ts";
import { type SampleRequest, sampleRequestOf } from "./call-samples.rules.ts";

/** Subset of JSON Schema that the reference reads. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  /** Values of an answer today. */
  "x-extensible-enum"?: unknown[];
  const?: unknown;
  $ref?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  "x-access": string;
  "x-caller": Caller;
  "x-scope"?: string;
  parameters: {
    name: string;
    in: "path" | "query" | "header";
    required: boolean;
    schema: Schema;
    description?: string;
    example?: unknown;
  }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, Response>;
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
}

export interface ApiDocument {
  /** Nouns with their titles. */
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

export interface Field {
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  note: string;
}

export interface ApiCall {
  id: string;
  noun: string;
  method: string;
  path: string;
  summary: string;
  /** Required authentication and permission, as display text. */
  access: string;
  parameters: Field[];
  bodyType: string | null;
  body: Field[];
  reply: Field[];
  isFile: boolean;
  /** Request of the samples; null for calls that are not signed. */
  sample: SampleRequest | null;
  /** Refusals that the call may answer with, by HTTP status. */
  refusals: { status: number; codes: string[] }[];
}

export interface ApiGroup {
  noun: string;
  title: string;
  calls: ApiCall[];
}

export interface ApiAudience {
  caller: Caller;
  title: string;
  groups: ApiGroup[];
}

export function accessText(access: string, scope?: string, words = apiWords.zh): string {
  if (!(access in words.access)) return words.withPermission(words.access["signed-in"], access);
  const text = words.access[access as keyof ApiWords["access"]];
  return access === "partner" && scope ? words.withPermission(text, scope) : text;
}

/** All calls grouped by audience and noun, in the order of the contract. */
export function readDocument(
  { tags, paths, components }: ApiDocument,
  words = apiWords.zh,
): ApiAudience[] {
  const titles = new Map(tags.map(({ name, description }) => [name, description]));
  const byAudience = new Map<Caller, Map<string, ApiGroup>>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const call = callOf(path, method, operation, components, words);
      const audience = operation["x-caller"];
      const nouns = byAudience.get(audience) ?? new Map<string, ApiGroup>();
      byAudience.set(audience, nouns);
      const group = nouns.get(call.noun) ?? {
        noun: call.noun,
        title: titles.get(call.noun) ?? call.noun,
        calls: [],
      };
      nouns.set(call.noun, group);
      group.calls.push(call);
    }
  }
  return Object.entries(words.audiences).flatMap(([name, title]) => {
    const caller = name as Caller;
    const nouns = byAudience.get(caller);
    return nouns ? [{ caller, title, groups: [...nouns.values()] }] : [];
  });
}

function callOf(
  path: string,
  method: string,
  operation: Operation,
  { schemas: shared, responses }: ApiDocument["components"],
  words: ApiWords,
): ApiCall {
  const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [null, null];
  const { "application/octet-stream": file, "application/json": reply } =
    operation.responses[200]?.content ?? {};
  const success = reply?.schema.oneOf?.[0] ?? reply?.schema;
  const data = success && resolve(success, shared).properties?.data;
  return {
    id: operation.operationId,
    noun: operation.tags[0] ?? "",
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    access: accessText(operation["x-access"], operation["x-scope"], words),
    parameters: operation.parameters.map(({ name, in: place, required, schema, description }) => ({
      name,
      depth: 0,
      type: typeOf(schema, shared, words),
      isRequired: required,
      note: [words.places[place], description, noteOf(schema, words)]
        .filter(Boolean)
        .join(words.separator),
    })),
    bodyType,
    body: body ? fieldsOf(body.schema, shared, words) : [],
    reply: data ? fieldsOf(data, shared, words) : [],
    isFile: file !== undefined,
    sample: operation["x-caller"] === "partner" ? sampleRequestOf(method, path, operation) : null,
    refusals: Object.entries(operation.responses).flatMap(([status, response]) => {
      const codes = codesOf(responses[response.$ref?.split("/").at(-1) ?? ""] ?? response);
      return codes.length > 0 ? [{ status: Number(status), codes }] : [];
    }),
  };
}

/** Error codes in the schema of an answer, alone or beside that of success. */
function codesOf({ content }: Response): string[] {
  const schema = content?.["application/json"]?.schema;
  const refusal = schema?.oneOf?.[1] ?? schema;
  return (refusal?.allOf ?? []).flatMap(
    ({ properties }) => (valuesOf(properties?.errCode) as string[] | undefined) ?? [],
  );
}

const MAX_DEPTH = 4;

/** Rows of an object's properties, nested ones below the parent; a list yields its items' rows. */
export function fieldsOf(
  schema: Schema,
  shared: Record<string, Schema>,
  words = apiWords.zh,
  depth = 0,
  name = "",
): Field[] {
  const resolved = resolve(schema, shared);
  const inner = innerOf(resolved, shared);
  const isList = resolved.items !== undefined;
  const properties = Object.entries(inner.properties ?? {});
  if (properties.length === 0) {
    if (name || isNothing(resolved)) return [];
    const type = typeOf(resolved, shared, words);
    const note = noteOf(resolved, words);
    return [{ name: words.whole, depth, type, isRequired: true, note }];
  }
  const required = new Set(inner.required ?? []);
  const type = typeOf(resolved, shared, words);
  const head: Field[] =
    isList && !name ? [{ name: words.eachItem, depth, type, isRequired: true, note: "" }] : [];
  const at = depth + head.length;
  return [
    ...head,
    ...properties.flatMap(([key, value]): Field[] => [
      {
        name: key,
        depth: at,
        type: typeOf(value, shared, words),
        isRequired: required.has(key) && value.default === undefined,
        note: noteOf(resolve(value, shared), words),
      },
      ...(at < MAX_DEPTH ? fieldsOf(value, shared, words, at + 1, key) : []),
    ]),
  ];
}

const valuesOf = (schema?: Schema) => schema?.enum ?? schema?.["x-extensible-enum"];

const isNothing = ({ type }: Schema) => type === "null";

/** The shape that the schema refers to, with the description of this place. */
function resolve(schema: Schema, shared: Record<string, Schema>): Schema {
  const { $ref, ...place } = schema;
  const shape = shared[$ref?.split("/").at(-1) ?? ""];
  return shape ? { ...shape, ...place } : schema;
}

/** Unwraps lists and nullables: a list yields its item schema, a nullable its non-null branch. */
function innerOf(schema: Schema, shared: Record<string, Schema>): Schema {
  const resolved = resolve(schema, shared);
  if (resolved.items) return innerOf(resolved.items, shared);
  const some = resolved.anyOf?.find((each) => !isNothing(each) && !isChoice(resolved));
  return some ? innerOf(some, shared) : resolved;
}

/** An enumeration written as `anyOf` of constants. */
const isChoice = ({ anyOf }: Schema) => anyOf?.every((each) => each.const !== undefined) === true;

function typeOf(schema: Schema, shared: Record<string, Schema>, words: ApiWords): string {
  const names = words.types;
  const resolved = resolve(schema, shared);
  if (resolved.items) return words.listOf(typeOf(resolved.items, shared, words));
  if (valuesOf(resolved) || resolved.const !== undefined || isChoice(resolved))
    return names.choice ?? "";
  if (resolved.anyOf) {
    const some = resolved.anyOf.filter((each) => !isNothing(each));
    const either = [...new Set(some.map((each) => typeOf(each, shared, words)))].join(words.or);
    return some.length < resolved.anyOf.length ? words.nullable(either) : either;
  }
  if (resolved.format === "binary") return names.file ?? "";
  if (resolved.format === "date-time") return names.time ?? "";
  const types = [resolved.type ?? "object"].flat();
  const named = types.filter((type) => type !== "null").map((type) => names[type] ?? type);
  const either = named.join(words.or);
  return types.includes("null") && named.length > 0 ? words.nullable(either) : either;
}

function noteOf(schema: Schema, words: ApiWords): string {
  const choices = choicesOf(schema);
  const parts = [
    schema.title,
    schema.description,
    choices.length > 0 && choices.map((each) => String(each)).join(" · "),
    rangeText("", words, schema.minimum, schema.maximum),
    rangeText(words.length, words, schema.minLength, schema.maxLength),
    rangeText(words.items, words, schema.minItems, schema.maxItems),
    schema.default !== undefined && words.byDefault(JSON.stringify(schema.default)),
  ];
  return parts.filter(Boolean).join(words.separator);
}

function choicesOf(schema: Schema): unknown[] {
  const values = valuesOf(schema);
  if (values) return values;
  if (schema.const !== undefined) return [schema.const];
  const some = schema.anyOf?.filter((each) => !isNothing(each)) ?? [];
  return some.flatMap((each) => (each.const !== undefined ? [each.const] : (valuesOf(each) ?? [])));
}

function rangeText(what: string, words: ApiWords, from?: number, to?: number): string {
  if (from === undefined && to === undefined) return "";
  if (to === undefined || to === Number.MAX_SAFE_INTEGER) return `${what}≥ ${from}`;
  return from === undefined ? `${what}≤ ${to}` : `${what}${words.range(from, to)}`;
}

/** Calls whose summary, path or method contain every typed word. */
export function searchCalls(audiences: readonly ApiAudience[], typed: string): ApiCall[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const calls = audiences.flatMap(({ groups }) =>
    groups.flatMap(({ title, calls }) => calls.map((call) => ({ title, call }))),
  );
  return calls.flatMap(({ title, call }) => {
    const text = `${title} ${call.summary} ${call.method} ${call.path}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [call] : [];
  });
}
