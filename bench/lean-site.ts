// Builds the lean page and serves it precompressed like the console; proxies API calls.
import { readdir, readFile } from "node:fs/promises";
import http from "node:http";
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

/** Builds into `folder`; proxies calls under /api to the server at `api`. */
export async function openLeanSite(folder: string, api: string): Promise<LeanSite> {
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
  const server = http.createServer((request, response) => {
    const url = request.url ?? "/";
    if (url.startsWith("/api/")) return proxyRequest(request, response, new URL(url, api), agent);
    const file = files.get(url === "/" ? "/index.html" : url);
    if (file) response.writeHead(200, file.headers).end(file.content);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
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
      headers: { "content-type": type, ...(isCompressed && { "content-encoding": "br" }) },
      content: await readFile(path.join(folder, isCompressed ? `${name}.br` : name)),
    });
  }
  return files;
}

function proxyRequest(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  url: URL,
  agent: http.Agent,
): void {
  const { method, headers } = request;
  const upstreamRequest = http.request(url, { method, headers, agent }, (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
    upstreamResponse.pipe(response);
  });
  request.pipe(upstreamRequest);
}
