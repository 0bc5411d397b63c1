// The OpenAPI document, generated from the same contracts as the server itself.
import {
  type Contract,
  type EndpointSpec,
  Envelope,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";

interface Shared {
  $id: string;
}

/** OpenAPI 3.1, whose schemas are JSON Schema like those of the contract. */
export function openApiDocument(
  contracts: Record<string, Contract>,
  titles: Record<string, string>,
  shared: readonly object[],
) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [noun, contract] of Object.entries(contracts)) {
    for (const [key, spec] of Object.entries(contract)) {
      const path = urlPath(spec);
      paths[path] ??= {};
      paths[path][spec.method.toLowerCase()] = operation(noun, key, spec);
    }
  }
  const schemas = Object.fromEntries(
    shared.map((schema) => {
      const { $id, ...rest } = schema as Shared;
      return [$id, rest];
    }),
  );
  const document = {
    openapi: "3.1.0",
    info: { title: "智能存取系统", version: "v1" },
    components: {
      schemas,
      securitySchemes: {
        session: { type: "apiKey", in: "header", name: "auth-token" },
        signature: {
          ...{ type: "apiKey", in: "header", name: "Authorization" },
          description: "CAB1-HMAC-SHA256：见 /doc/sdk",
        },
      },
    },
    tags: Object.entries(titles).map(([name, description]) => ({ name, description })),
    paths,
  };
  // The contract names shared schemas as Fastify does: `Name#`.
  return JSON.parse(
    JSON.stringify(document).replace(/"\$ref":"(\w+)#"/g, '"$ref":"#/components/schemas/$1"'),
  );
}

function operation(noun: string, key: string, spec: EndpointSpec) {
  return {
    operationId: `${noun}.${key}`,
    tags: [noun],
    summary: spec.summary,
    "x-access": spec.access,
    ...(spec.scope && { "x-scope": spec.scope }),
    ...(spec.access !== "public" && {
      security: [spec.access === "partner" ? { signature: [] } : { session: [] }],
    }),
    parameters: [...parameters("path", spec), ...parameters("query", spec), ...onceHeader(spec)],
    ...(spec.body && {
      requestBody: { required: true, content: { [mediaOf(spec)]: { schema: bodyOf(spec) } } },
    }),
    responses: {
      200: {
        description: "code 0 成功，code 1 失败（见 errMsg）",
        content:
          spec.replyForm === "file"
            ? { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
            : { "application/json": { schema: Envelope(spec.reply) } },
      },
    },
  };
}

const medias = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

const mediaOf = (spec: EndpointSpec) => medias[spec.bodyForm ?? "json"];

/** An upload has its file beside its fields. */
function bodyOf(spec: EndpointSpec) {
  if (spec.bodyForm !== "multipart") return spec.body;
  const properties = { ...spec.body?.properties, file: { type: "string", format: "binary" } };
  return { ...spec.body, properties, required: [...(spec.body?.required ?? []), "file"] };
}

function onceHeader({ once, access }: EndpointSpec) {
  const schema = { type: "string", minLength: 1, maxLength: 128 };
  const repeated = "同一次操作重复提交时使用相同的值：只生效一次，返回第一次的结果";
  const description =
    once === "always" ? `${repeated}。不带时，1 分钟内内容相同的请求视为重复提交` : repeated;
  return once
    ? [
        {
          name: "Idempotency-Key",
          in: "header",
          required: access === "partner",
          description,
          schema,
        },
      ]
    : [];
}

function parameters(place: "path" | "query", spec: EndpointSpec) {
  const schema = place === "path" ? spec.params : spec.query;
  const required = new Set((schema?.required as string[] | undefined) ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path" || required.has(name),
    schema: field,
  }));
}
