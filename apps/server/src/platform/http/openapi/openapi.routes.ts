// Serves the API document, whole and for each kind of caller, to everybody who reaches the listener; `?lang=en` has its
// texts in English.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { CALLERS, type Caller } from "@cabinet/contract/kit/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { inEnglish } from "./english.ts";
import { type DocumentSource, openApiDocument } from "./openapi.ts";

/** The console, whose document is in the whole one, is for Chinese operators and the product's own engineers. */
const isOutsider = (caller?: Caller) => caller !== undefined && caller !== "console";
const OUTSIDERS = CALLERS.filter(isOutsider);

/** Per address and minute: a page of documents needs a few, and a client keeps them by their ETag. */
const DOCUMENTS_PER_MINUTE = 60;
/** Nearly as small as 11 makes it, in a tenth of the time. */
const BROTLI_QUALITY = 9;

const compress = promisify(brotliCompress);

interface ServedDocument {
  plain: Buffer;
  brotli: Buffer;
  etag: string;
}

/** All answers share the bytes: readers that do not read hold no copies. */
async function servedDocument(text: string): Promise<ServedDocument> {
  const plain = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { plain, brotli: await compress(plain, { params }), etag };
}

/**
 * Generated with the first request: no start has to wait for it. `isWhole` false: only the documents of callers from
 * outside, who have no other way to them.
 */
export function addOpenApiRoutes(
  app: FastifyInstance,
  source: DocumentSource,
  isWhole = true,
): void {
  const known = new Map<string, Promise<ServedDocument>>();
  const served = (isEnglish: boolean, caller?: Caller) => {
    const key = `${caller} ${isEnglish}`;
    const document =
      known.get(key) ?? servedDocument(JSON.stringify(documentOf(isEnglish, caller)));
    known.set(key, document);
    return document;
  };
  const documentOf = (isEnglish: boolean, caller?: Caller) => {
    const document = openApiDocument(source, caller);
    return isEnglish ? inEnglish(document) : document;
  };
  const config = { rateLimit: { max: DOCUMENTS_PER_MINUTE, timeWindow: 60_000 } };
  const serve = (path: string, caller?: Caller) =>
    app.get<{ Querystring: { lang?: unknown } }>(path, { config }, async (request, reply) => {
      const { query, headers } = request;
      const document = await served(query.lang === "en" && isOutsider(caller), caller);
      const { plain, brotli, etag } = document;
      reply.headers({ "cache-control": "no-cache", vary: "accept-encoding", etag });
      if (headers["if-none-match"] === etag) return reply.code(304).send();
      reply.type("application/json; charset=utf-8");
      const takesBrotli = /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(
        String(headers["accept-encoding"]),
      );
      return takesBrotli ? reply.header("content-encoding", "br").send(brotli) : reply.send(plain);
    });
  if (isWhole) serve("/api/openapi.json");
  for (const caller of isWhole ? CALLERS : OUTSIDERS) serve(`/api/openapi/${caller}.json`, caller);
}
