// Vitest global setup: a PostgreSQL and the demo template, created while other tests run.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { ensureTemplate } from "./demo.ts";

declare module "vitest" {
  interface ProvidedContext {
    demoFolder: string;
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "storage-demo-"));
  const log = pino({ level: "silent" });
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log, durable: false });
  project.provide("postgresUrl", postgres.url);
  project.provide("demoFolder", folder);
  const template = ensureTemplate(postgres.url, folder).catch((error) => console.error(error));
  return async () => {
    await template;
    await postgres.stop();
    // The servers of the workers may still be writing while they stop.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
}
