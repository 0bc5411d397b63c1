// Serves the API document, whole and for each kind of caller, to everybody who reaches the listener; `?lang=en` has its
// texts in English.
import { CALLERS, type Caller } from "@cabinet/contract/kit/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { inEnglish } from "./english.ts";
import { type DocumentSource, openApiDocument } from "./openapi.ts";

/** The console, whose document is in the whole one, is for Chinese operators and the product's own engineers. */
const isOutsider = (caller?: Caller) => caller !== undefined && caller !== "console";
const OUTSIDERS = CALLERS.filter(isOutsider);

/**
 * Generated with the first request: no start has to wait for it. `isWhole` false: only the documents of callers from
 * outside, who have no other way to them.
 */
export function addOpenApiRoutes(
  app: FastifyInstance,
  source: DocumentSource,
  isWhole = true,
): void {
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
        .send(textOf(query.lang === "en" && isOutsider(caller), caller)),
    );
  if (isWhole) serve("/api/openapi.json");
  for (const caller of isWhole ? CALLERS : OUTSIDERS) serve(`/api/openapi/${caller}.json`, caller);
}
