// Vitest global setup: a PostgreSQL and a folder for the demo template, filled by the first user.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";

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
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
