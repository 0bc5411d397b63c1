// The statement behind an export of orders: how many rows PostgreSQL handles for each role.
import { EXPORT_MAX_ROWS } from "@cabinet/contract/kit/export.rules.ts";
import { beforeAll, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../../tests/support/cabinets.ts";
import { withClient } from "../../../../../../../tests/support/postgres.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import { type Session, scopeOf } from "../../../../platform/context.ts";
import type { PageSource } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import { findOrders } from "./order-list.sql.ts";

const ORDERS = 1_500;
const USERS = 300;

const testServer = useTestServer();
let platform: Person;
let operator: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  for (let count = 0; count < 3; count++) {
    const tenant = await testServer.makeTenant();
    operator = tenant.people[1];
    await insertOrders(tenant.id);
  }
  await analyzeLargeTables();
});

async function insertOrders(tenantId: number): Promise<void> {
  const storeId = await makeStore(testServer, tenantId);
  const cabinetIds: number[] = [];
  for (let count = 0; count < 10; count++) {
    cabinetIds.push((await makeCabinet(testServer, { tenantId, storeId })).id);
  }
  await testServer.database.transaction("platform", async (db) => {
    await db.run(sql`
      insert into end_user (tenant_id, phone, name)
      select ${tenantId}, '139' || lpad((${tenantId} * 1000 + n)::text, 8, '0'), '用户 ' || n
      from generate_series(1, ${USERS}) n`);
    await db.run(sql`
      insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size, state,
        recipient_id, pricing)
      select ${tenantId}, 'SINGLE', (${cabinetIds}::bigint[])[n % 10 + 1], ${storeId}, 1, 'S',
        'CANCELLED', made.ids[n % ${USERS} + 1], '{}'
      from generate_series(1, ${ORDERS}) n,
        (select array_agg(id) as ids from end_user where tenant_id = ${tenantId}) made`);
  });
}

/**
 * ANALYZE is explicit: autovacuum skips partitioned parents and, by default, tables under 50 rows.
 */
async function analyzeLargeTables(): Promise<void> {
  await withClient(testServer.url, async (client) => {
    const { rows } = await client.query<{ partition: string }>(`
      select inhrelid::regclass::text as partition from pg_inherits
      where inhparent = 'storage_order'::regclass`);
    await client.query(`analyze end_user, ${rows.map(({ partition }) => partition).join(", ")}`);
  });
}

interface PlanNode {
  "Actual Loops": number;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
}

function rowsHandled(node: PlanNode): number {
  const rows =
    node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Join Filter"] ?? 0);
  const below = (node.Plans ?? []).map(rowsHandled);
  return below.reduce((sum, count) => sum + count, node["Actual Loops"] * rows);
}

/** Runs the cursor of the export to its end under EXPLAIN ANALYZE. */
async function rowsHandledFor({ userType, tenantId, operatorId }: Person, asked?: number) {
  const session = { userType, tenantId, operatorId, isStoreBound: false } as Session;
  let handled = 0;
  await testServer.database.snapshot(scopeOf(session), async (db) => {
    const pages: PageSource = {
      async next({ rows }) {
        const [line] = await db.many<{ "QUERY PLAN": { Plan: PlanNode }[] }>(sql`
          explain (analyze, timing off, format json)
          declare list_rows no scroll cursor for ${rows}`);
        const plan = line?.["QUERY PLAN"][0]?.Plan as PlanNode;
        expect(plan["Actual Rows"]).toBe(asked || userType !== 0 ? ORDERS : 3 * ORDERS);
        handled = rowsHandled(plan);
        return { list: [], total: 0 };
      },
    };
    const query = { side: "SINGLE" as const, page: 1, pageSize: EXPORT_MAX_ROWS };
    await findOrders({ ...db, pages }, session, { ...query, ...(asked && { tenantId: asked }) });
  });
  return handled;
}

it("export of orders: platform staff cost as many rows as the operator of the tenant", async () => {
  const own = await rowsHandledFor(operator);
  expect(await rowsHandledFor(platform, operator.tenantId)).toBeLessThan(2 * own);
});

it("export of orders: all tenants cost as many rows for each order as one tenant", async () => {
  const own = await rowsHandledFor(operator);
  expect(await rowsHandledFor(platform)).toBeLessThan(2 * 3 * own);
});
