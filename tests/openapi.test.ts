// The API document: valid OpenAPI 3.1 of every call, whose examples fit its schemas.

import { brotliDecompressSync } from "node:zlib";
import { contracts } from "@cabinet/contract/contracts.ts";
import {
  CALLERS,
  callerOf,
  type EndpointSpec,
  isOfConsole,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { SENT_EVENTS } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { expect, it } from "vitest";
import english from "../apps/server/src/platform/http/openapi/english.json" with { type: "json" };
import { paragraphsOf } from "../apps/server/src/platform/http/openapi/english.ts";
import {
  apiDocument,
  compileOfDocument,
  errorsOf,
  type Operation,
  operationOf,
  resolved,
  responseOf,
} from "./support/document-check.ts";
import { useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();
const document = apiDocument();
const calls = Object.values(contracts).flatMap((contract) =>
  Object.values(contract as Record<string, EndpointSpec>),
);
const operations = [
  ...Object.values(document.paths).flatMap((methods) => Object.values(methods)),
  ...Object.values(document.webhooks).map(({ post }) => post),
];

interface Described {
  title?: string;
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
}

const read = async (url: string) => (await testServer.app.inject({ url })).json();

it("served document: the generated one, and one for each kind of caller", async () => {
  expect(await read("/api/openapi.json")).toEqual(document);
  for (const caller of CALLERS) {
    const split = await read(`/api/openapi/${caller}.json`);
    const expected = calls.filter((spec) => callerOf(spec) === caller);
    for (const spec of expected) {
      expect(split.paths[urlPath(spec)]).toHaveProperty(spec.method.toLowerCase());
    }
    expect(Object.keys(split.components.securitySchemes)).toEqual([caller]);
    expect("webhooks" in split).toBe(caller === "partner");
    // A client compares the document that it was generated from with this release's.
    expect(split.info.version).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

it("served document: compressed, with an ETag, limited by address", async () => {
  const url = "/api/openapi/partner.json";
  const ask = (headers: Record<string, string>) => testServer.app.inject({ url, headers });
  const plain = await ask({});
  const packed = await ask({ "accept-encoding": "gzip, br" });
  expect(packed.headers).toMatchObject({ "content-encoding": "br", "cache-control": "no-cache" });
  expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect((await ask({ "accept-encoding": "br;q=0, gzip" })).headers).not.toHaveProperty(
    "content-encoding",
  );
  const kept = await ask({ "if-none-match": String(plain.headers.etag) });
  expect([kept.statusCode, kept.payload]).toEqual([304, ""]);
  const flood = { "x-forwarded-for": "198.51.100.77" };
  for (let n = 0; n < 60; n++) expect((await ask(flood)).statusCode).toBe(200);
  expect((await ask(flood)).statusCode).toBe(429);
});

/** Chinese paragraphs of a document; examples are data and stay as the server sends them. */
function chineseTexts(value: unknown): string[] {
  if (typeof value === "string") {
    return paragraphsOf(value).filter((text) => /\p{Script=Han}/u.test(text));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    ["example", "examples"].includes(name) ? [] : chineseTexts(inner),
  );
}

it("?lang=en: every text of integrators' documents is translated, and no translation is left over", async () => {
  const used = new Set<string>();
  for (const caller of CALLERS.filter((each) => each !== "console")) {
    const chinese = await read(`/api/openapi/${caller}.json`);
    const translated = await read(`/api/openapi/${caller}.json?lang=en`);
    expect(chineseTexts(translated), caller).toEqual([]);
    expect(Object.keys(translated.paths)).toEqual(Object.keys(chinese.paths));
    for (const text of chineseTexts(chinese)) used.add(text);
  }
  expect(Object.keys(english).filter((text) => !used.has(text))).toEqual([]);
  expect(await read("/api/openapi.json?lang=en")).toEqual(document);
});

it("references: all resolve; operation ids: unique", () => {
  const text = JSON.stringify(document);
  for (const [, ref = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = ref.split("/").reduce<unknown>((at, key) => (at as never)?.[key], document);
    expect(target, ref).toBeDefined();
  }
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Places of each object with at least three fields that has no name, by its shape. */
function unnamedShapes(value: unknown, place: string, found = new Map<string, string[]>()) {
  if (typeof value !== "object" || value === null) return found;
  const {
    description: _,
    title: __,
    type: ___,
    ...shape
  } = value as Described & { type?: unknown };
  const isNamed = /^components\/schemas\/\w+$/.test(place);
  if (!isNamed && Object.keys(shape.properties ?? {}).length >= 3) {
    const key = JSON.stringify(shape);
    found.set(key, [...(found.get(key) ?? []), place]);
  }
  for (const [name, inner] of Object.entries(value)) {
    if (!["example", "examples"].includes(name)) unnamedShapes(inner, `${place}/${name}`, found);
  }
  return found;
}

it("schemas: no shape of three fields stands twice without a name", () => {
  const { paths, webhooks, components } = document;
  const found = new Map<string, string[]>();
  for (const [place, part] of Object.entries({
    paths,
    webhooks,
    "components/schemas": components.schemas,
  })) {
    for (const [name, inner] of Object.entries(part))
      unnamedShapes(inner, `${place}/${name}`, found);
  }
  expect([...found.values()].filter((places) => places.length > 1)).toEqual([]);
});

it("schemas: the open API's answers, bodies and events have the names that integrators' programs use", async () => {
  const { components, paths, webhooks } = await read("/api/openapi/partner.json");
  expect(Object.keys(components.schemas)).toMatchSnapshot();
  const inline = unnamedShapes({ paths, webhooks }, "");
  expect([...inline.values()].flat()).toEqual([]);
});

it("security: the scheme of each call's caller", () => {
  for (const spec of calls) {
    const scheme = isOfConsole(spec) ? "console" : callerOf(spec);
    const expected = spec.access === "public" ? [] : [{ [scheme]: [] }];
    expect(operationOf(spec)?.security, spec.path).toEqual(expected);
  }
  const headers = Object.values(operationOf(contracts.auth.login)?.parameters ?? {});
  expect(headers.map(({ name }) => name)).toEqual(["captcha-verification"]);
});

it("fields with a default: not required in requests", () => {
  const { requestBody, parameters } = operationOf(contracts["open-api"].createOrder) as Operation;
  expect(requestBody?.content["application/json"]?.schema).toEqual({
    $ref: "#/components/schemas/NewOrder",
  });
  expect(document.components.schemas.NewOrder).toMatchObject({
    required: ["thirdPartyNo", "cabinetSn", "size", "recipientPhone"],
  });
  expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    "Idempotency-Key",
  ]);
  const page = operationOf(contracts.store.list)?.parameters.filter(({ required }) => required);
  expect(page).toEqual([]);
});

it("statuses: each call declares its refusals with their codes", () => {
  const order = operationOf(contracts["open-api"].createOrder) as Operation;
  expect(Object.keys(order.responses)).toEqual(
    "200 400 401 403 404 408 409 413 415 422 429 431 500 503".split(" "),
  );
  expect(JSON.stringify(responseOf(order, 422))).toContain("NO_FREE_COMPARTMENT");
  for (const operation of operations.filter(({ operationId }) => !/^webhook/.test(operationId))) {
    for (const status of [429, 500, 503]) {
      expect(responseOf(operation, status), operation.operationId).toBeDefined();
    }
  }
});

it("open API and webhooks: every parameter and field has a description", () => {
  const bare: string[] = [];
  function check(place: string, schema: Described | undefined) {
    for (const [name, field] of Object.entries(schema?.properties ?? {})) {
      if (!field.description && !field.title) bare.push(`${place}.${name}`);
      check(`${place}.${name}`, field);
    }
    if (schema?.items) check(`${place}[]`, schema.items);
  }
  for (const spec of Object.values(contracts["open-api"]) as EndpointSpec[]) {
    const { operationId, parameters } = operationOf(spec) as Operation;
    for (const { name, description, schema } of parameters as (Described & {
      name: string;
      schema: Described;
    })[]) {
      if (!description && !schema.title && !schema.description) bare.push(`${operationId} ${name}`);
    }
    check(`${operationId} body`, spec.body);
    check(operationId, spec.reply);
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const schema = post.requestBody?.content["application/json"]?.schema;
    const { properties } = resolved(schema) as Described;
    check(type, resolved(properties?.data) as Described);
  }
  expect(bare).toEqual([]);
});

it("webhooks: every event with its fields", () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...SENT_EVENTS].sort());
  const paid = JSON.stringify(document.webhooks["order.paid"]);
  for (const field of ["orderId", "thirdPartyNo", "amountFen", "owedFen"]) {
    expect(paid).toContain(`"${field}"`);
  }
});

it("examples: every parameter, body and answer has one that fits its schema", () => {
  const wrong: string[] = [];
  const seen = new Set<string>();
  function check(place: string, schema: object, example: unknown) {
    const key = JSON.stringify([schema, example]);
    if (seen.has(key)) return;
    seen.add(key);
    if (example === undefined) wrong.push(`${place}: none`);
    const validate = compileOfDocument(schema);
    if (!validate(example))
      wrong.push(`${place}: ${errorsOf(validate)} ${JSON.stringify(example)}`);
  }
  for (const operation of operations) {
    const { operationId, parameters, requestBody } = operation;
    for (const { name, schema, example } of parameters) {
      check(`${operationId} ${name}`, schema, example);
    }
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
      check(`${operationId} body`, schema, example);
    }
    for (const status of Object.keys(operation.responses)) {
      const json = responseOf(operation, status)?.content?.["application/json"] as
        | { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
        | undefined;
      if (!json) continue;
      const examples = json.examples ?? { only: { value: json.example } };
      for (const { value } of Object.values(examples)) {
        check(`${operationId} ${status}`, json.schema, value);
      }
    }
  }
  expect(wrong).toEqual([]);
});
