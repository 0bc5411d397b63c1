// Serves the API document, whole and for each kind of caller, to everybody.
import { CALLERS, type Caller } from "@cabinet/contract/kit/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { type DocumentSource, openApiDocument } from "./openapi.ts";

/** Generated with the first request: no start has to wait for it. */
export function addOpenApiRoutes(app: FastifyInstance, source: DocumentSource): void {
  const known = new Map<Caller | undefined, string>();
  const textOf = (caller?: Caller) => {
    const text = known.get(caller) ?? JSON.stringify(openApiDocument(source, caller));
    known.set(caller, text);
    return text;
  };
  const serve = (path: string, caller?: Caller) =>
    app.get(path, (_request, reply) =>
      reply.type("application/json; charset=utf-8").send(textOf(caller)),
    );
  serve("/api/openapi.json");
  for (const caller of CALLERS) serve(`/api/openapi/${caller}.json`, caller);
}
