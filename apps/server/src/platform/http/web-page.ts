// Serves the web page of riders and recipients below /m/: precompressed files, one document for all addresses.
import { existsSync } from "node:fs";
import path from "node:path";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import { WEB_PAGE_BASE } from "@cabinet/contract/orders/app/app-page.rules.ts";
import { SN_PATTERN } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../errors.ts";
import { sendError } from "./http-error.ts";

const built = path.join(import.meta.dirname, "../../../../pickup/dist");
const PREFIX = WEB_PAGE_BASE.slice(0, -1);
const YEAR_SECONDS = 31_536_000;

const NOT_BUILT = "网页版还没有构建：请在服务器上运行 npm run setup，再重新启动";

/** Its own scripts, styles, pictures and calls; photos to be sent are shown from memory. */
const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:", "blob:"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Every address but those of files, which have an extension. */
function isDocument({ method, url }: FastifyRequest): boolean {
  const [address = ""] = url.split("?");
  return (
    /^(GET|HEAD)$/.test(method) && (/\/index\.html$/.test(address) || !/\.[^/]*$/.test(address))
  );
}

/**
 * Link header of a scanned cabinet's document: the browser makes the page's first calls beside its script, one round
 * trip earlier. The URLs must equal those that the page requests, or it requests them again.
 */
function preloadsOf(url: string): string | null {
  const [, sn = ""] = /\/c\/(\w+)\/?(?:\?|$)/.exec(url) ?? [];
  const number = sn.toUpperCase();
  if (!new RegExp(SN_PATTERN).test(number)) return null;
  const { page } = appPageContract;
  const { cabinet } = appOrderContract;
  const urls = [`${urlPath(page)}?sn=${number}`, urlPath(cabinet).replace("{sn}", number)];
  return urls.map((each) => `<${each}>; rel=preload; as=fetch; crossorigin`).join(", ");
}

/** Registered after the console, whose headers of documents it narrows. `root`: the built files. */
export async function serveWebPage(app: FastifyInstance, root = built): Promise<void> {
  app.get(PREFIX, (_request, reply) => reply.redirect(WEB_PAGE_BASE));
  await app.register(
    async (scope) => {
      scope.addHook("preHandler", async (request, reply) => {
        if (!isDocument(request)) return;
        await reply.helmet({
          contentSecurityPolicy: { useDefaults: false, directives: policy },
          // WeChat's payment page checks which site sends a browser to it; the path stays private.
          referrerPolicy: { policy: "strict-origin" },
        });
        const preloads = preloadsOf(request.url);
        if (preloads) reply.header("link", preloads);
      });
      if (!existsSync(path.join(root, "index.html"))) {
        // A route of its own: the console's files answer everything else.
        scope.get("/*", (_request, reply) => reply.code(503).type("text/plain").send(NOT_BUILT));
        return;
      }
      await scope.register(fastifyStatic, {
        root,
        decorateReply: false,
        preCompressed: true,
        cacheControl: false,
        setHeaders(reply, file) {
          const isHashed = path.relative(root, file).startsWith(`assets${path.sep}`);
          const forAYear = `public, max-age=${YEAR_SECONDS}, immutable`;
          reply.header("cache-control", isHashed ? forAYear : "no-cache");
        },
      });
      scope.setNotFoundHandler((request, reply) => {
        if (isDocument(request)) return reply.sendFile("index.html", root);
        return sendError(new Refusal("ROUTE_NOT_FOUND"), request, reply);
      });
    },
    { prefix: PREFIX },
  );
}
