// Copies of one demo database and data folder: creating a demo takes longer than most tests.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";
import { databaseUrl, withClient } from "../../tests/support/postgres.ts";
import { startServer } from "./server.ts";

const TEMPLATE = "demo_template";

export interface DemoCopy {
  dataDir: string;
  databaseUrl: string;
  /** Call it only after the server on this copy has stopped. */
  remove(): Promise<void>;
}

/** Creates the demo that the files of a run copy, unless another process is or was first. */
export function ensureTemplate(adminUrl: string, folder: string): Promise<void> {
  return withClient(adminUrl, async (client) => {
    await client.query("select pg_advisory_lock(1)");
    if (existsSync(path.join(folder, "made"))) return;
    await client.query(`drop database if exists ${TEMPLATE}`);
    await client.query(`create database ${TEMPLATE}`);
    await createTemplate(databaseUrl(adminUrl, TEMPLATE), folder);
  });
}

export async function copyDemo(): Promise<DemoCopy> {
  const adminUrl = inject("postgresUrl");
  const folder = inject("demoFolder");
  await ensureTemplate(adminUrl, folder);
  const name = `demo_${randomBytes(6).toString("hex")}`;
  await withClient(adminUrl, (client) =>
    client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`),
  );
  // In the folder of the run, which is removed at its end: a worker's shared copy lasts until then.
  const dataDir = await mkdtemp(path.join(folder, "copy-"));
  await cp(path.join(folder, "made"), dataDir, { recursive: true });
  return {
    dataDir,
    databaseUrl: databaseUrl(adminUrl, name),
    async remove() {
      await rm(dataDir, { recursive: true, force: true });
      await withClient(adminUrl, async (client) => {
        // Not DROP ... WITH (FORCE): it also terminates autovacuum, which this role may not do.
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = $1 and usename = current_user`,
          [name],
        );
        await client.query(`drop database ${name}`);
      });
    },
  };
}

/** Runs no gateway and no worker: cabinets connect and queued jobs run only in the copies. */
async function createTemplate(url: string, folder: string): Promise<void> {
  const dataDir = path.join(folder, "making");
  await rm(dataDir, { recursive: true, force: true });
  const args = ["--demo", "--services=api"];
  const server = await startServer({ args, dataDir, env: { DATABASE_URL: url } });
  await server.stop();
  // The PostgreSQL of a run has no autovacuum: the copies get the statistics of the template.
  await withClient(url, (client) => client.query("vacuum analyze"));
  await rename(dataDir, path.join(folder, "made"));
}
