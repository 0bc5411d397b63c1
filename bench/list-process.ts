// Child process that serves the cabinet list three times: as bare driver queries on request of the
// parent, by Node's HTTP server alone, and with the platform modules but without sign-in and isolation.
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { sharedSchemas } from "@cabinet/contract/contracts.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import pg from "pg";
import { pino } from "pino";
import { findCabinets } from "../apps/server/src/features/fleet/cabinet/cabinet-list.sql.ts";
import { createGatekeeper } from "../apps/server/src/features/identity/auth/index.ts";
import { createAppGatekeeper } from "../apps/server/src/features/orders/app/index.ts";
import type { Session } from "../apps/server/src/platform/context.ts";
import {
  type Db,
  handleOf,
  nameKeysInCamelCase,
  openDatabase,
} from "../apps/server/src/platform/db/db.ts";
import type { Sql } from "../apps/server/src/platform/db/sql.ts";
import { openFileStore } from "../apps/server/src/platform/files/files.ts";
import { buildHttp } from "../apps/server/src/platform/http/http.ts";
import { mount } from "../apps/server/src/platform/http/mount.ts";

/** Same size as the server's own pool. */
const POOL_SIZE = 12;

export interface BareRun {
  connections: number;
  seconds: number;
}

const [url = "", port = "", floorPort = "", operator = ""] = process.argv.slice(2);
const session: Session = {
  ...JSON.parse(operator),
  tokenHash: Buffer.alloc(0),
  username: "bench",
  displayName: "bench",
  mustChangePassword: false,
  permissions: new Set(),
};
// The row-level policies of this role are `true`, which the planner removes.
const pool = new pg.Pool({
  connectionString: url,
  max: POOL_SIZE,
  pipeline: true,
  options: "-c role=cabinet_platform",
});
pool.on("connect", nameKeysInCamelCase);

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>) {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

/** Records the statements that the list feature runs for its first page. */
async function pageStatements(): Promise<pg.QueryConfig[]> {
  const statements: pg.QueryConfig[] = [];
  const note = ({ text, values }: Sql) => {
    statements.push({ name: `bare ${statements.length}`, text, values });
  };
  const recorder: Omit<Db, "vault"> = {
    many: async (query) => {
      note(query);
      return [];
    },
    maybe: async (query) => {
      note(query);
      return null;
    },
    one: async <Row>(query: Sql) => {
      note(query);
      return { total: 0 } as Row;
    },
    narrow: async () => {},
    run: async (query) => {
      note(query);
      return 0;
    },
  };
  await findCabinets(recorder as Db, session, { page: 1, pageSize: 10 });
  return statements;
}

async function runBare({ connections, seconds }: BareRun): Promise<number> {
  const statements = await pageStatements();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let pages = 0;
  async function queryRepeatedly(): Promise<void> {
    while (performance.now() < endsAt) {
      await withClient((client) => Promise.all(statements.map((it) => client.query(it))));
      pages++;
    }
  }
  await Promise.all(Array.from({ length: connections }, queryRepeatedly));
  return (pages * 1_000) / (performance.now() - startedAt);
}

/** The least that a server of Node can do for a list: what it reaches is the ceiling of all others here. */
async function serveFloor(): Promise<void> {
  const statements = await pageStatements();
  const server = createServer(async (_request, response) => {
    const results = await withClient((client) =>
      Promise.all(statements.map((it) => client.query(it))),
    );
    const body = JSON.stringify({ code: 0, data: results.map(({ rows }) => rows), errMsg: "" });
    response.setHeader("content-type", "application/json; charset=utf-8").end(body);
  });
  await new Promise<void>((resolve) => server.listen(Number(floorPort), "127.0.0.1", resolve));
}

const database = openDatabase(url, { max: 1 });
const dataDir = await mkdtemp(path.join(os.tmpdir(), "bench-files-"));
const plainList = { ...cabinetContract.list, access: "public", base: "" } as const;
const app = await buildHttp({
  log: pino({ level: "warn" }),
  database,
  gatekeeper: createGatekeeper(database),
  appGatekeeper: createAppGatekeeper(database),
  files: await openFileStore({ dataDir, s3: null }),
  routes: mount(
    { list: plainList },
    {
      list: (_ctx, { query }) =>
        withClient((client) => findCabinets(handleOf(client, database), session, query)),
    },
  ),
  sharedSchemas,
});
await serveFloor();
await app.listen({ host: "127.0.0.1", port: Number(port) });

process.on("message", async (run: BareRun) => process.send?.(await runBare(run)));
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
