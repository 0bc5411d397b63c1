// Plans of the calls that read orders, kept on each connection.
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { beforeAll, expect, it } from "vitest";
import { makeCabinet } from "../../../../../../../tests/support/cabinets.ts";
import { insertEndUser, insertOrder } from "../../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import { sql } from "../../../../platform/db/sql.ts";

const testServer = useTestServer();
let person: Person;
let cabinetId: number;

beforeAll(async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  person = people[1];
  ({ id: cabinetId } = await makeCabinet(testServer, { tenantId }));
  await testServer.database.transaction({ tenantId }, async (db) =>
    insertOrder(db, {
      tenantId,
      cabinetId,
      recipientId: await insertEndUser(db, tenantId, "收件人"),
    }),
  );
});

/** Plans for single values on all connections, of statements that read orders. */
async function countCustomPlans(): Promise<number> {
  const counting = sql`
    select coalesce(sum(custom_plans), 0)::int as plans, pg_sleep(0.05) from pg_prepared_statements
    where statement like '%from storage_order ord%'`;
  const connections = Array.from({ length: 12 }, () =>
    testServer.database.unscoped<{ plans: number }>(counting),
  );
  const found = (await Promise.all(connections)).flat();
  return found.reduce((sum, { plans }) => sum + plans, 0);
}

it.for<{ name: string; spec: EndpointSpec; query?: object }>([
  { name: "home page", spec: statisticsContract.home },
  { name: "order list", spec: orderContract.list, query: { side: "SINGLE" } },
  {
    name: "order list of a state",
    spec: orderContract.list,
    query: { side: "SINGLE", state: "STORED" },
  },
])("$name: keeps one plan on each connection", async ({ spec, query }) => {
  const before = await countCustomPlans();
  for (let repeat = 0; repeat < 3; repeat++) {
    expect(await testServer.call(spec, person, { query })).toMatchObject({ code: 0 });
  }
  expect(await countCustomPlans()).toBe(before);
});

it("order list: a filter by a value is planned by this value", async () => {
  const before = await countCustomPlans();
  const query = { side: "SINGLE", cabinetId };
  await testServer.call(orderContract.list, person, { query });
  expect(await countCustomPlans()).toBeGreaterThan(before);
});
