// Serves the API document, whole and for each kind of caller, to everybody; `?lang=en` has its texts in English.
import { CALLERS, type Caller } from "@cabinet/contract/kit/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { inEnglish } from "./english.ts";
import { type DocumentSource, openApiDocument } from "./openapi.ts";

/** The console and its calls are in Chinese only. */
const hasEnglish = (caller?: Caller) => caller !== undefined && caller !== "console";

/** Generated with the first request: no start has to wait for it. */
export function addOpenApiRoutes(app: FastifyInstance, source: DocumentSource): void {
  const known = new Map<string, string>();
  const textOf = (isEnglish: boolean, caller?: Caller) => {
    const key = `${caller} ${isEnglish}`;
    const text = known.get(key) ?? JSON.stringify(documentOf(isEnglish, caller));
    known.set(key, text);
    return text;
  };
  const documentOf = (isEnglish: boolean, caller?: Caller) => {
    const document = openApiDocument(source, caller);
    return isEnglish ? inEnglish(document) : document;
  };
  const serve = (path: string, caller?: Caller) =>
    app.get<{ Querystring: { lang?: unknown } }>(path, ({ query }, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .send(textOf(query.lang === "en" && hasEnglish(caller), caller)),
    );
  serve("/api/openapi.json");
  for (const caller of CALLERS) serve(`/api/openapi/${caller}.json`, caller);
}
