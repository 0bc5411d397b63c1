// Builds the lean page and serves it like the console, precompressed by HTTP/2; proxies API calls.
import { readdir, readFile } from "node:fs/promises";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import path from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { precompress } from "../apps/console/build/plugins.ts";

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

export interface LeanSite {
  origin: string;
  close(): void;
}

/** Builds into `folder`; proxies calls under /api to the server at `api`, which speaks plain HTTP. */
export async function openLeanSite(
  folder: string,
  { api, cert, key }: { api: string; cert: string; key: string },
): Promise<LeanSite> {
  await build({
    root: path.join(import.meta.dirname, "lean"),
    logLevel: "warn",
    plugins: [react(), precompress()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2023",
      chunkSizeWarningLimit: 2_000,
      modulePreload: { polyfill: false },
    },
    worker: { format: "es" },
  });
  const files = await readFiles(folder);
  const agent = new http.Agent({ keepAlive: true });
  const server = http2.createSecureServer({ cert, key }, (request, response) => {
    const url = request.url ?? "/";
    if (url.startsWith("/api/")) return proxyRequest(request, response, new URL(url, api), agent);
    const file = files.get(url === "/" ? "/index.html" : url);
    response.writeHead(file ? 200 : 404, file?.headers);
    response.end(file?.content ?? "");
  });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const session of sessions) session.destroy();
      agent.destroy();
    },
  };
}

async function readFiles(folder: string) {
  const names = await readdir(folder, { recursive: true });
  const files = new Map<string, { headers: http.OutgoingHttpHeaders; content: Buffer }>();
  for (const name of names) {
    const type = mediaTypes[path.extname(name)];
    if (!type) continue;
    const isCompressed = names.includes(`${name}.br`);
    files.set(`/${name}`, {
      headers: {
        "content-type": type,
        ...(isCompressed && { "content-encoding": "br" }),
        ...(name.startsWith("assets/") && {
          "cache-control": "public, max-age=31536000, immutable",
        }),
      },
      content: await readFile(path.join(folder, isCompressed ? `${name}.br` : name)),
    });
  }
  return files;
}

function proxyRequest(
  request: http2.Http2ServerRequest,
  response: http2.Http2ServerResponse,
  url: URL,
  agent: http.Agent,
): void {
  const { method } = request;
  const headers = withoutNames(request.headers, (name) => name.startsWith(":"));
  const upstreamRequest = http.request(url, { method, headers, agent }, (upstreamResponse) => {
    const { statusCode = 502, headers: answered } = upstreamResponse;
    response.writeHead(
      statusCode,
      withoutNames(answered, (name) => CONNECTION_HEADERS.has(name)),
    );
    upstreamResponse.pipe(response);
  });
  request.pipe(upstreamRequest);
}

/** Headers of an HTTP/1.1 connection, which HTTP/2 forbids. */
const CONNECTION_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding"]);

function withoutNames(
  headers: http.IncomingHttpHeaders,
  isLeftOut: (name: string) => boolean,
): http.OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isLeftOut(name)));
}
