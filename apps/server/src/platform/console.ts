// Serves the console's files: one origin with the API, precompressed, immutable, under a strict policy.
import path from "node:path";
import { MAP_FRAME_PATH } from "@cabinet/contract/map/map.rules.ts";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "./errors.ts";
import { sendError } from "./http-error.ts";

const root = path.join(import.meta.dirname, "../../../console/dist");
const YEAR_SECONDS = 31_536_000;

const policy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:", "blob:"],
  mediaSrc: ["'self'", "blob:"],
  workerSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** What the map's own script needs; it holds in its frame alone (docs/decisions/0012). */
const mapPolicy = {
  ...policy,
  scriptSrc: ["'self'", "'unsafe-eval'", "blob:", "https://*.amap.com"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", "data:", "blob:", "https://*.amap.com", "https://*.autonavi.com"],
  connectSrc: ["'self'", "data:", "blob:", "https://*.amap.com", "https://*.autonavi.com"],
  workerSrc: ["'self'", "blob:"],
  formAction: ["'none'"],
  frameAncestors: ["'self'"],
};

/** Who looks whether a page is there need not ask for HTML by name; a file's name is a page for a browser alone. */
function isPage({ method, url, headers: { accept = "*/*" } }: FastifyRequest): boolean {
  const [address = ""] = url.split("?");
  if (!/^(GET|HEAD)$/.test(method) || /^\/(api|device|assets|open)\//.test(address)) return false;
  return accept.includes("text/html") || (accept.includes("*/*") && !/\.[^/]*$/.test(address));
}

/** Serves the built files, and index.html for every page of the console, with the headers of documents. */
export async function serveConsole(
  app: FastifyInstance,
  { hasMap }: { hasMap: () => Promise<boolean> },
): Promise<void> {
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    // Plain HTTP on loopback or behind a proxy must keep working; the proxy adds HSTS.
    strictTransportSecurity: false,
    referrerPolicy: { policy: "same-origin" },
  });
  // A policy concerns documents alone; on every other answer it is a kilobyte for nothing.
  app.addHook("onSend", async (_request, reply) => {
    const isDocument = String(reply.getHeader("content-type")).startsWith("text/html");
    if (isDocument && !reply.hasHeader("content-security-policy")) await reply.helmet();
  });
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      const isHashed = path.relative(root, file).startsWith(`assets${path.sep}`);
      reply.header(
        "cache-control",
        isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
      );
    },
  });
  app.get(MAP_FRAME_PATH, {
    preHandler: async (_request, reply) => {
      // Without a key anywhere this is an address like any other.
      if (!(await hasMap())) return reply.callNotFound();
      await reply.helmet({
        contentSecurityPolicy: { useDefaults: false, directives: mapPolicy },
        // The service lets a key be used on named sites only, and knows the site by this.
        referrerPolicy: { policy: "strict-origin-when-cross-origin" },
      });
    },
    handler: (_request, reply) => reply.sendFile("map.html"),
  });
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return reply.sendFile("index.html");
    return sendError(new Refusal("ROUTE_NOT_FOUND"), request, reply);
  });
}
