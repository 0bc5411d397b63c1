// Serves the console's files: same origin as the API, precompressed, immutable, with a strict CSP.
import path from "node:path";
import { MAP_FRAME_PATH } from "@cabinet/contract/organization/map/map.rules.ts";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../errors.ts";
import { sendError } from "./http-error.ts";

const root = path.join(import.meta.dirname, "../../../../console/dist");
const YEAR_SECONDS = 31_536_000;

const policy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:", "blob:"],
  mediaSrc: ["'self'", "blob:"],
  workerSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** Abilities of the browser that the console uses: copying, 数据大屏, and the user's place for the map. */
const PERMISSIONS = [
  "clipboard-write=(self), fullscreen=(self), geolocation=(self)",
  "camera=(), microphone=(), payment=(), usb=(), serial=(), bluetooth=(), midi=(), display-capture=()",
].join(", ");

/**
 * CSP for the map service's script; applies only to the map's frame (docs/decisions/0012). Sandboxed, also when opened by
 * itself: the script has an opaque origin, and with it neither the console's storage nor its window.
 */
const mapPolicy = {
  ...policy,
  sandbox: ["allow-scripts"],
  scriptSrc: ["'self'", "'unsafe-eval'", "blob:", "https://*.amap.com"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", "data:", "blob:", "https://*.amap.com", "https://*.autonavi.com"],
  connectSrc: ["'self'", "data:", "blob:", "https://*.amap.com", "https://*.autonavi.com"],
  workerSrc: ["'self'", "blob:"],
  formAction: ["'none'"],
  frameAncestors: ["'self'"],
};

/** Paths that are never pages of the console. */
const OTHERS = /^\/(api|device|assets|open|sdk|vectors|\.well-known)(\/|$)/;
/** Every document is one page; another address below /doc is a mistake that a program must notice. */
const UNKNOWN_DOCUMENT = /^\/doc(\/|$)(?!(sdk|sre|api|manual)\/?$)/;

/** A client that only probes a page need not accept HTML; a path with an extension is a page only for a browser. */
function isPage({
  method,
  url,
  headers: { accept = "*/*" },
}: Pick<FastifyRequest, "method" | "url" | "headers">): boolean {
  const [address = ""] = url.split("?");
  if (!/^(GET|HEAD)$/.test(method) || OTHERS.test(address)) return false;
  if (UNKNOWN_DOCUMENT.test(address)) return false;
  return accept.includes("text/html") || (accept.includes("*/*") && !/\.[^/]*$/.test(address));
}

/** Serves the built files, and index.html for every page of the console, with the headers of documents. */
export async function serveConsole(
  app: FastifyInstance,
  { hasMap, hasTls = false }: { hasMap: (address: string) => Promise<boolean>; hasTls?: boolean },
): Promise<void> {
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    // Plain HTTP on loopback or behind a proxy must keep working; the proxy adds HSTS.
    strictTransportSecurity: hasTls && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    referrerPolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
    // The browser would start a second process for each first visit (docs/decisions/0112).
    crossOriginOpenerPolicy: false,
  });
  // Only documents need the whole CSP; on every other response it is a wasted kilobyte.
  app.addHook("onSend", async (_request, reply) => {
    const isDocument = String(reply.getHeader("content-type")).startsWith("text/html");
    if (!isDocument) return;
    if (!reply.hasHeader("content-security-policy")) await reply.helmet();
    reply.header("permissions-policy", PERMISSIONS);
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
      // The map's frame has an opaque origin and loads its module from here; everybody may read these files.
      if (isHashed) reply.header("access-control-allow-origin", "*");
    },
  });
  app.addHook("onRequest", async (request, reply) => {
    const [address = "", ...query] = request.url.split("?");
    if (!address.includes("//")) return;
    // One slash in front: two would lead to another host, and browsers take a backslash for one.
    const plain = address.replace(/[/\\]{2,}/g, "/");
    if (!isPage({ method: request.method, url: plain, headers: request.headers })) return;
    reply.redirect([plain, ...query].join("?"), 308);
    return reply;
  });
  app.get(MAP_FRAME_PATH, {
    preHandler: async (request, reply) => {
      // Without any map key this path does not exist.
      if (!(await hasMap(request.ip))) return reply.callNotFound();
      await reply.helmet({
        contentSecurityPolicy: { useDefaults: false, directives: mapPolicy },
        xFrameOptions: { action: "sameorigin" },
      });
    },
    handler: (_request, reply) => reply.sendFile("map.html"),
  });
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return reply.sendFile("index.html");
    return sendError(new Refusal("ROUTE_NOT_FOUND"), request, reply);
  });
}
