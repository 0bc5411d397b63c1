// Compares answers with the API document: status, media type and schema.
import { contracts, nounTitles, sharedSchemas } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../apps/server/src/platform/http/openapi/openapi.ts";

const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
// Open for clients of later releases; this one sends these values and null only.
ajv.addKeyword({
  keyword: "x-extensible-enum",
  macro: (values: unknown[]) => ({ enum: [...values, null] }),
});
/** Name of the document among the schemas. */
const DOCUMENT = "document";

interface Response {
  $ref?: string;
  content?: Record<string, { schema: object }>;
}

export interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: object; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, Response>;
  security: object[];
}

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
  servers: object[];
}

/** Made once for each worker. */
let made: ApiDocument | undefined;
export function apiDocument(): ApiDocument {
  made ??= openApiDocument({ contracts, titles: nounTitles, shared: sharedSchemas }) as ApiDocument;
  return made;
}

export function operationOf(spec: EndpointSpec): Operation | undefined {
  return apiDocument().paths[urlPath(spec)]?.[spec.method.toLowerCase()];
}

const compiled = new Map<string, ValidateFunction>();

/** Compiles a schema of the document once. Its references lead into the components, which are added once for all. */
export function compileOfDocument(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT}#/`);
  const { components } = apiDocument();
  ajv.schemas[DOCUMENT] ?? ajv.addSchema({ components }, DOCUMENT);
  const check = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, check);
  return check;
}

/** The component that a schema refers to, or the schema. */
export function resolved(schema: object | undefined): object | undefined {
  const { $ref } = (schema ?? {}) as { $ref?: string };
  return $ref ? apiDocument().components.schemas[$ref.split("/").at(-1) ?? ""] : schema;
}

export function errorsOf({ errors }: ValidateFunction): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
}

export function responseOf(
  { responses }: Operation,
  status: number | string,
): Response | undefined {
  const response = responses[status];
  const name = response?.$ref?.split("/").at(-1);
  return name ? apiDocument().components.responses[name] : response;
}

/** Compiled with the first answer of each call. */
const successes = new Map<string, ValidateFunction>();
let refused: ValidateFunction | undefined;

/** How an answer departs from the document; null when it does not. */
export function departure(spec: EndpointSpec, status: number, payload: unknown): string | null {
  const operation = operationOf(spec);
  return operation
    ? departureFrom(operation, status, payload)
    : `${urlPath(spec)} is not in the document`;
}

export function departureFrom(
  operation: Operation,
  status: number,
  payload: unknown,
): string | null {
  const { content = {} } = responseOf(operation, status) ?? {};
  const place = `${operation.operationId} ${status}`;
  if (typeof payload !== "string") {
    return content["application/octet-stream"] ? null : `${place}: no file declared`;
  }
  const answer: { code?: number; errCode: string } = JSON.parse(payload);
  // The caller has closed the connection: nobody receives this answer.
  if (answer.errCode === "CALLER_GONE") return null;
  const schema = content["application/json"]?.schema;
  if (!schema) return `${place} ${answer.errCode ?? ""}: status not declared`;
  const { oneOf: [success, refusal] = [schema, schema] } = schema as { oneOf?: object[] };
  if (answer.code !== 0) {
    refused ??= compileOfDocument({ $ref: "#/components/schemas/Refused" });
    if (!refused(answer)) return `${place}: ${errorsOf(refused)}`;
    return codesOf(refusal).includes(answer.errCode) ? null : `${place}: ${answer.errCode}`;
  }
  const check = successes.get(place) ?? compileOfDocument(success ?? schema);
  successes.set(place, check);
  return check(answer) ? null : `${place}: ${errorsOf(check)}`;
}

/** Error codes in the schema of a refusal. */
function codesOf(schema: object | undefined): string[] {
  const { allOf = [] } = (schema ?? {}) as {
    allOf?: { properties?: { errCode: { "x-extensible-enum": string[] } } }[];
  };
  return allOf.flatMap(({ properties }) => properties?.errCode["x-extensible-enum"] ?? []);
}
