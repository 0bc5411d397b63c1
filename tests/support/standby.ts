// A primary and its streaming standby on this machine, each an embedded PostgreSQL of its own.
import { appendFileSync, cpSync, readdirSync, writeFileSync } from "node:fs";
import { chown, stat } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { withClient } from "./postgres.ts";
import { prepareDatabase } from "./prepare-database.ts";

const log = pino({ level: "silent" });

/** Both data folders are new; the primary is migrated and seeded. */
export async function startPair(
  dataDir: string,
  copyDir: string,
): Promise<{ primary: EmbeddedPostgres; standby: EmbeddedPostgres }> {
  const empty = await startEmbeddedPostgres({ dataDir, log });
  await prepareDatabase(empty.url);
  await empty.stop();
  cpSync(dataDir, copyDir, { recursive: true, filter: (name) => !name.endsWith("/socket") });
  const [model, copy] = [path.join(dataDir, "postgres"), path.join(copyDir, "postgres")];
  await giveToOwnerOf(model, copy);
  const primary = await startEmbeddedPostgres({ dataDir, log });
  const from = new URL(primary.url);
  const address = `host=${from.searchParams.get("host")} port=${from.port} user=postgres application_name=standby`;
  writeFileSync(path.join(copy, "standby.signal"), "");
  appendFileSync(path.join(copy, "postgresql.auto.conf"), `primary_conninfo = '${address}'\n`);
  return { primary, standby: await startEmbeddedPostgres({ dataDir: copyDir, log }) };
}

export async function withSuperuser(
  url: string,
  work: (run: (statement: string) => Promise<Record<string, unknown>[]>) => Promise<void>,
): Promise<void> {
  await withClient(url.replace("//cabinet@", "//postgres@"), async (client) => {
    await work(async (statement) => (await client.query(statement)).rows);
  });
}

/** PostgreSQL's folder belongs to the account that it runs as. */
async function giveToOwnerOf(model: string, copy: string): Promise<void> {
  const { uid, gid } = await stat(model);
  for (const name of [".", ...readdirSync(copy, { recursive: true, encoding: "utf8" })]) {
    await chown(path.join(copy, name), uid, gid);
  }
}
