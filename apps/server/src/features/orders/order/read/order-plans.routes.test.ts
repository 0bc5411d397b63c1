// Plans of the calls that read orders: kept for each connection, and for one order of its month only.
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { beforeAll, expect, it } from "vitest";
import { makeCabinet } from "../../../../../../../tests/support/cabinets.ts";
import { insertEndUser, insertOrder } from "../../../../../../../tests/support/orders.ts";
import { recordingOf } from "../../../../../../../tests/support/recording.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import type { Ctx, Session } from "../../../../platform/context.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { raw, type Sql, sql } from "../../../../platform/db/sql.ts";
import { findOrder, findOrders } from "./order-list.sql.ts";
import { getTimeline } from "./order-read.service.ts";

const testServer = useTestServer();
let person: Person;
let orderId: number;
let cabinetId: number;
let sn: string;

beforeAll(async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  person = people[1];
  ({ id: cabinetId, sn } = await makeCabinet(testServer, { tenantId }));
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

it.for<{ name: string; keyword?: boolean; isStoreBound: boolean }>([
  { name: "a keyword", keyword: true, isStoreBound: false },
  { name: "the account's stores", isStoreBound: true },
])(
  "order list: $name is planned by the cabinets that it leaves",
  async ({ keyword, isStoreBound }) => {
    const session = { ...person, isStoreBound } as unknown as Session;
    const query = {
      side: "SINGLE" as const,
      page: 1,
      pageSize: 10,
      ...(keyword && { keyword: sn }),
    };
    await testServer.database.read({ tenantId: person.tenantId }, async (db) => {
      const { recording, statements } = recordingOf(db);
      const { list } = await findOrders(recording, session, query);
      const { mode } = await db.one<{ mode: string }>(
        sql`select current_setting('plan_cache_mode') as mode`,
      );
      expect(mode).toBe("force_custom_plan");
      // Nobody has given the account a store.
      const ids = isStoreBound ? [] : [cabinetId];
      expect(list.map((order) => order.cabinetId)).toEqual(ids);
      const reads = statements.filter(({ text }) => text.includes("from storage_order ord"));
      expect(reads).toHaveLength(2);
      for (const { values } of reads) expect(values).toContainEqual(ids);
    });
  },
);

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
      const { recording, statements } = recordingOf(db);
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
