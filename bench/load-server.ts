import { writeFile } from "node:fs/promises";
import path from "node:path";
import { SIMULATED_CABINETS_FILE, type SimulatedCabinet } from "@cabinet/link";
import { pino } from "pino";
import { bindRole, ensureDefaultRoles } from "../apps/server/src/features/identity/access/index.ts";
import { insertOperator } from "../apps/server/src/features/identity/auth/index.ts";
import { ensureTenant } from "../apps/server/src/features/identity/tenancy/index.ts";
import { issueCabinetSecret } from "../apps/server/src/features/link/device/index.ts";
import { makeToken } from "../apps/server/src/platform/access-token.ts";
import { type Database, type Db, openDatabase } from "../apps/server/src/platform/db/db.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { startEmbeddedPostgres } from "../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import { openVault } from "../apps/server/src/platform/secrets.ts";
import { freePort } from "../e2e/support/free-port.ts";
import { type Server, startServer } from "../e2e/support/server.ts";
import { exemptFromFactor } from "../tests/support/factor.ts";

const FIRST_TENANT = 700;
const TENANTS = 10;
const STORES = 25;
const DOORS = 12;
const KID = "load";

export interface LoadServer {
  database: Database;
  databaseUrl: string;
  dataDir: string;
  origin: string;
  mqttPort: number;
  credentials: string;
  cabinets: readonly SimulatedCabinet[];
  /** Headers of a signed-in operator of the first tenant. */
  headers: Record<string, string>;
  /** Uses the same ports on every start. */
  startServer(more?: { args?: string[]; env?: Record<string, string> }): Promise<Server>;
  close(): Promise<void>;
}

export interface OutsideBroker {
  /** URL for cabinets. */
  mqttUrl: string;
  /** URL for the gateway. */
  gatewayUrl: string;
}

/** The caller creates and deletes `folder`. */
export async function openLoadServer(
  folder: string,
  options: { cabinets: number; outside?: OutsideBroker },
): Promise<LoadServer> {
  const { outside } = options;
  const dataDir = path.join(folder, "server");
  const [port, mqttPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const mqtt = outside?.mqttUrl ?? `mqtt://127.0.0.1:${mqttPort}`;
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, "database"),
    log: pino({ level: "silent" }),
  });
  const servers = new Set<Server>();
  const start: LoadServer["startServer"] = async ({ args = [], env = {} } = {}) => {
    const fixed = { DATABASE_URL: postgres.url, PORT: String(port), MQTT_PORT: String(mqttPort) };
    const server = await startServer({
      args,
      dataDir,
      env: { ...fixed, ...(outside && { MQTT_URL: outside.gatewayUrl }), ...env },
    });
    servers.add(server);
    return server;
  };
  // The first start creates the tables and the master key that seals the secrets.
  await (await start()).stop();
  const database = openDatabase(postgres.url, { vault: await openVault(dataDir), max: 2 });
  const { cabinets, token } = await database.transaction("platform", async (db) => {
    const cabinets = await insertFleet(db, options.cabinets);
    return { cabinets, token: await signInOperator(db) };
  });
  const credentials = path.join(dataDir, SIMULATED_CABINETS_FILE);
  await writeFile(credentials, JSON.stringify({ server: origin, mqtt, cabinets }), { mode: 0o600 });
  return {
    database,
    databaseUrl: postgres.url,
    dataDir,
    origin,
    mqttPort,
    credentials,
    cabinets,
    headers: { "auth-token": token, tenantid: String(FIRST_TENANT), "auth-id": "cupboard" },
    startServer: start,
    async close() {
      await Promise.all([...servers].map((server) => server.stop()));
      await database.close();
      await postgres.stop();
    },
  };
}

/** Inserts `count` cabinets with secrets in stores of ten tenants. */
async function insertFleet(db: Db, count: number): Promise<SimulatedCabinet[]> {
  const tenantIds = Array.from({ length: TENANTS }, (_, index) => FIRST_TENANT + index);
  for (const id of tenantIds) await ensureTenant(db, { id, name: `压测租户 ${id}` });
  const model = await db.one<{ id: number }>(sql`
    insert into cabinet_model (name, side, layout) values ('压测柜型', 'SINGLE', '[]')
    returning id`);
  await db.run(sql`
    insert into store (tenant_id, name, code)
    select t, '压测门店 ' || n, 'L' || n
    from unnest(${tenantIds}::int[]) t, generate_series(1, ${STORES}) n`);
  const rows = await db.many<{ tenantId: number; cabinetId: number; sn: string }>(sql`
    insert into cabinet (tenant_id, sn, name, model_id, store_id, lifecycle)
    select store.tenant_id, 'LOAD' || lpad(n::text, 6, '0'), '压测柜 ' || n, ${model.id}, store.id,
      'ACTIVE'
    from generate_series(1, ${count}) n
    join store on store.tenant_id = ${FIRST_TENANT} + n % ${TENANTS}
      and store.code = 'L' || (n / ${TENANTS} % ${STORES} + 1)
    returning tenant_id, id as cabinet_id, sn`);
  await db.run(sql`
    insert into compartment (tenant_id, cabinet_id, no, size, board_address, layout_column,
      layout_row)
    select cabinet.tenant_id, cabinet.id, no, 'M', '01-' || no, 1, no
    from cabinet cross join generate_series(1, ${DOORS}) no`);
  const compartments = Array.from({ length: DOORS }, (_, index) => ({
    no: index + 1,
    sides: ["FRONT"] as ["FRONT"],
  }));
  return Promise.all(
    rows.map(async ({ sn, ...key }) => {
      const secret = await issueCabinetSecret(db, { ...key, sn, kid: KID });
      return { cabinetId: sn, kid: KID, secret, side: "SINGLE", compartments } as const;
    }),
  ) as Promise<SimulatedCabinet[]>;
}

async function signInOperator(db: Db): Promise<string> {
  await exemptFromFactor(db, FIRST_TENANT);
  const roles = await ensureDefaultRoles(db, FIRST_TENANT);
  const operatorId = await insertOperator(db, {
    tenantId: FIRST_TENANT,
    username: "load",
    displayName: "压测",
    passwordHash: "none",
    userType: 1,
    mustChangePassword: false,
  });
  await bindRole(db, { tenantId: FIRST_TENANT, operatorId }, roles[1]);
  const { token, tokenHash } = makeToken(db.vault, "session");
  await db.run(sql`
    insert into session (token_hash, tenant_id, operator_id, expires_at, has_mac)
    values (${tokenHash}, ${FIRST_TENANT}, ${operatorId}, now() + interval '8 hours', true)`);
  return token;
}
