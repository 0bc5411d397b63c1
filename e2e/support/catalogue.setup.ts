// Vitest global setup: builds the catalogue of the console's parts once and serves it.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { build, preview } from "vite";
import type { TestProject } from "vitest/node";
import { freePort } from "./free-port.ts";

declare module "vitest" {
  interface ProvidedContext {
    catalogueOrigin: string;
  }
}

const configFile = path.join(import.meta.dirname, "../../apps/console/catalogue/vite.config.ts");

/** React's warnings fail a test. Under `test`, which Vitest sets, antd gives all elements one id. */
const define = { "process.env.NODE_ENV": JSON.stringify("development") };

export default async function setup(project: TestProject) {
  const outDir = await mkdtemp(path.join(os.tmpdir(), "storage-catalogue-"));
  const options = { configFile, logLevel: "warn" } as const;
  await build({
    ...options,
    define,
    build: { outDir, emptyOutDir: true, minify: false, chunkSizeWarningLimit: 10_000 },
  });
  const port = await freePort();
  const server = await preview({
    ...options,
    build: { outDir },
    preview: { port, host: "127.0.0.1" },
  });
  project.provide("catalogueOrigin", `http://127.0.0.1:${port}`);
  return async () => {
    await server.close();
    await rm(outDir, { recursive: true });
  };
}
