// Starts one PostgreSQL per test run, with a migrated template that each test file clones.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { databaseUrl, TEMPLATE, withClient } from "./postgres.ts";
import { prepareDatabase } from "./prepare-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const log = pino({ level: "silent" });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "storage-test-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false });
  await withClient(postgres.url, (client) => client.query(`create database ${TEMPLATE}`));
  await prepareDatabase(databaseUrl(postgres.url, TEMPLATE));
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
