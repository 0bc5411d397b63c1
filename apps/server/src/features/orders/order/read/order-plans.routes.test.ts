// Plans of the calls that read orders: kept for each connection, and for one order of its month only.
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { beforeAll, expect, it } from "vitest";
import { makeCabinet } from "../../../../../../../tests/support/cabinets.ts";
import { insertEndUser, insertOrder } from "../../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import type { Ctx, Session } from "../../../../platform/context.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { raw, type Sql, sql } from "../../../../platform/db/sql.ts";
import { findOrder } from "./order-list.sql.ts";
import { getTimeline } from "./order-read.service.ts";

const testServer = useTestServer();
let person: Person;
let orderId: number;
let cabinetId: number;

beforeAll(async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  person = people[1];
  ({ id: cabinetId } = await makeCabinet(testServer, { tenantId }));
  orderId = await testServer.database.transaction({ tenantId }, async (db) =>
    insertOrder(db, {
      tenantId,
      cabinetId,
      recipientId: await insertEndUser(db, tenantId, "收件人"),
    }),
  );
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`select ensure_order_month((now() - interval '2 months')::date)`),
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

/** Plan for all values, with the values of this execution: months that it does not open are absent. */
async function explain(db: Db, { text, values }: Sql, name: string): Promise<string> {
  const literals = values.map((value) => `'${Array.isArray(value) ? `{${value}}` : value}'`);
  await db.run(raw(`prepare ${name} as ${text}`));
  const lines = await db.many<object>(raw(`explain execute ${name} (${literals})`));
  return lines.flatMap((line) => Object.values(line)).join("\n");
}

it.for<{ name: string; read: (ctx: Ctx) => Promise<unknown> }>([
  { name: "order detail", read: ({ db, session }) => findOrder(db, session, orderId) },
  { name: "order timeline", read: (ctx) => getTimeline(ctx, orderId) },
])("$name: opens no month before the order's", async ({ name, read }) => {
  const session = { ...person, isStoreBound: false } as unknown as Session;
  const plans = await testServer.database.read(
    { tenantId: person.tenantId },
    async (db) => {
      const statements: Sql[] = [];
      const recorded =
        <Result>(run: (query: Sql) => Promise<Result>) =>
        (query: Sql) => {
          statements.push(query);
          return run(query);
        };
      const recording = { ...db, many: recorded(db.many), maybe: recorded(db.maybe) } as Db;
      expect(await read({ db: recording, session } as Ctx)).toBeTruthy();
      const found: string[] = [];
      for (const [index, statement] of statements.entries()) {
        found.push(await explain(db, statement, `${name.replace(" ", "_")}_${index}`));
      }
      return found;
    },
    { keepsPlan: true },
  );
  const [month] = await testServer.database.unscoped<{ month: string }>(
    sql`select to_char(now() - interval '2 months', 'YYYY_MM') as month`,
  );
  for (const plan of plans) expect(plan).not.toContain(month?.month);
  expect(plans.join()).toContain("storage_order_");
});
