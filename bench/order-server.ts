import { readFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { makeToken } from "../apps/server/src/platform/access-token.ts";
import { type Db, openDatabase } from "../apps/server/src/platform/db/db.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { startEmbeddedPostgres } from "../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { openVault } from "../apps/server/src/platform/secrets.ts";
import { type Server, startServer } from "../e2e/support/server.ts";
import { exemptFromFactor } from "../tests/support/factor.ts";
import { type BenchServer, insertBenchTenant } from "./bench-server.ts";
import { type OrderRows, openOrderRows } from "./order-rows.ts";

export interface OrderServer extends BenchServer {
  /** API processes at this database; the first also has gateway and worker. */
  servers: Server[];
  /** Process of PostgreSQL whose children serve the connections. */
  postmasterPid: number;
  rows: OrderRows;
  /** Headers of signed-in platform staff, who see every tenant. */
  platformHeaders: Record<string, string>;
}

/** The caller creates and deletes `folder`; `neighbours` are other tenants, with half of the orders. */
export async function openOrderServer(
  folder: string,
  { apiProcesses = 1, neighbours = 0 } = {},
): Promise<OrderServer> {
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, "database"),
    log: pino({ level: "silent" }),
  });
  const options = { env: { DATABASE_URL: postgres.url }, dataDir: path.join(folder, "server") };
  // The first start creates the tables and the master key.
  const server = await startServer(options);
  const servers = [server];
  while (servers.length < apiProcesses) {
    servers.push(await startServer({ ...options, args: ["--services=api"] }));
  }
  const pidFile = path.join(folder, "database/postgres/postmaster.pid");
  const postmasterPid = Number.parseInt(await readFile(pidFile, "utf8"), 10);
  const database = openDatabase(postgres.url, { vault: await openVault(options.dataDir), max: 8 });
  const tenant = await database.transaction("platform", insertBenchTenant);
  const platformHeaders = await database.transaction("platform", signInStaff);
  const rows = await openOrderRows(postgres.url, tenant.operator.tenantId, neighbours);
  return {
    ...tenant,
    databaseUrl: postgres.url,
    database,
    server,
    servers,
    postmasterPid,
    rows,
    platformHeaders,
    async close() {
      await rows.close();
      await database.close();
      await Promise.all(servers.map((each) => each.stop()));
      await postgres.stop();
    },
  };
}

/** Signs in the first account without the forced password change. */
async function signInStaff(db: Db): Promise<Record<string, string>> {
  await exemptFromFactor(db, 1);
  const { token, tokenHash } = makeToken(db.vault, "session");
  await db.run(sql`
    with staff as (
      update operator set must_change_password = false where tenant_id = 1 and user_type = 0
      returning id
    )
    insert into session (token_hash, tenant_id, operator_id, expires_at, has_mac)
    select ${tokenHash}, 1, id, now() + interval '8 hours', true from staff`);
  return { "auth-token": token, tenantid: "1", "auth-id": "cupboard" };
}
