// Databases for tests: names, addresses, clones of the template.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export const TEMPLATE = "storage_template";

/** The same server and role, another database. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/(:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  /** As the owner of the tables, not as the roles that requests run as. */
  url: string;
}

/** A database of its own for one test file; it goes with the whole PostgreSQL at the end of the run. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const home = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await withClient(home, (client) => client.query(`create database ${name} template ${TEMPLATE}`));
  return { url: databaseUrl(home, name) };
}
