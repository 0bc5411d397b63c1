import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { bindRole, ensureDefaultRoles } from "../apps/server/src/features/identity/access/index.ts";
import { insertOperator } from "../apps/server/src/features/identity/auth/index.ts";
import { ensureTenant } from "../apps/server/src/features/identity/tenancy/index.ts";
import { makeToken } from "../apps/server/src/platform/access-token.ts";
import type { Session } from "../apps/server/src/platform/context.ts";
import { type Database, type Db, openDatabase } from "../apps/server/src/platform/db/db.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { startEmbeddedPostgres } from "../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { openVault } from "../apps/server/src/platform/secrets.ts";
import { type Server, startServer } from "../e2e/support/server.ts";
import { exemptFromFactor } from "../tests/support/factor.ts";

const TENANT_ID = 900;
const CABINETS = 300;
const COMPARTMENTS = 36;

export interface BenchServer {
  databaseUrl: string;
  database: Database;
  server: Server;
  /** An operator of the tenant, signed in. */
  operator: Pick<Session, "tenantId" | "operatorId" | "userType">;
  /** Headers that the operator's browser sends with each call. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

/** Includes the demo tenants and simulated cabinets. The caller creates and deletes `folder`. */
export async function openBenchServer(folder: string): Promise<BenchServer> {
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, "database"),
    log: pino({ level: "silent" }),
  });
  const server = await startServer({
    args: ["--demo"],
    env: { DATABASE_URL: postgres.url },
    dataDir: path.join(folder, "server"),
  });
  const database = openDatabase(postgres.url, { vault: await openVault(server.dataDir), max: 2 });
  const { operator, headers } = await database.transaction("platform", insertBenchTenant);
  await vacuum(postgres.url);
  return {
    databaseUrl: postgres.url,
    database,
    server,
    operator,
    headers,
    async close() {
      await database.close();
      await server.stop();
      await postgres.stop();
    },
  };
}

/** Inserts one tenant with cabinets in stores and a signed-in operator. */
export async function insertBenchTenant(
  db: Db,
): Promise<Pick<BenchServer, "operator" | "headers">> {
  await ensureTenant(db, { id: TENANT_ID, name: "压测租户" });
  await insertCabinets(db);
  const { operatorId, token } = await signInOperator(db);
  return {
    operator: { tenantId: TENANT_ID, operatorId, userType: 1 },
    headers: { "auth-token": token, tenantid: String(TENANT_ID), "auth-id": "cupboard" },
  };
}

async function insertCabinets(db: Db): Promise<void> {
  const model = await db.one<{ id: number }>(sql`
    insert into cabinet_model (name, side, layout) values ('压测柜型', 'SINGLE', '[]')
    returning id`);
  await db.run(sql`
    insert into store (tenant_id, name, code)
    select ${TENANT_ID}, '压测门店 ' || n, 'B' || n from generate_series(1, 20) n`);
  await db.run(sql`
    insert into cabinet (tenant_id, sn, name, model_id, store_id, lifecycle, last_seen_at,
      offline_at, announced_connectivity, is_greeted)
    select ${TENANT_ID}, 'BENCH' || lpad(n::text, 6, '0'), '压测柜 ' || n, ${model.id}, store.id,
      'ACTIVE', now(), now() + interval '1 day', 'ONLINE', true
    from generate_series(1, ${CABINETS}) n
    join store on store.tenant_id = ${TENANT_ID} and store.code = 'B' || (n % 20 + 1)`);
  await db.run(sql`
    insert into compartment (tenant_id, cabinet_id, no, size, board_address, layout_column,
      layout_row, admin_state, occupancy, occupied_since, door_front, item)
    select cabinet.tenant_id, cabinet.id, no, 'M', '01-' || no, (no - 1) / 12 + 1,
      (no - 1) % 12 + 1,
      case when (cabinet.id + no) % 40 = 0 then 'FAULT' else 'ENABLED' end,
      case when (cabinet.id + no) % 3 = 0 then 'OCCUPIED' else 'FREE' end,
      case when (cabinet.id + no) % 3 = 0 then now() - interval '1 hour' end,
      'CLOSED', case when (cabinet.id + no) % 3 = 0 then 'PRESENT' else 'EMPTY' end
    from cabinet cross join generate_series(1, ${COMPARTMENTS}) no
    where cabinet.tenant_id = ${TENANT_ID}`);
}

async function signInOperator(db: Db): Promise<{ operatorId: number; token: string }> {
  await exemptFromFactor(db, TENANT_ID);
  const roles = await ensureDefaultRoles(db, TENANT_ID);
  const operatorId = await insertOperator(db, {
    tenantId: TENANT_ID,
    username: "bench",
    displayName: "压测",
    passwordHash: "none",
    userType: 1,
    mustChangePassword: false,
  });
  await bindRole(db, { tenantId: TENANT_ID, operatorId }, roles[1]);
  const { token, tokenHash } = makeToken(db.vault, "session");
  await db.run(sql`
    insert into session (token_hash, tenant_id, operator_id, expires_at, has_mac)
    values (${tokenHash}, ${TENANT_ID}, ${operatorId}, now() + interval '8 hours', true)`);
  return { operatorId, token };
}

export async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("vacuum (analyze)");
  await client.end();
}
