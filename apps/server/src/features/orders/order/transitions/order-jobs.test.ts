// Orders that fall due together: those of one tenant, and those whose work always throws, hold up nobody's.
import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeCabinet } from "../../../../../../../tests/support/cabinets.ts";
import { insertEndUser, insertOrder } from "../../../../../../../tests/support/orders.ts";
import { withPoison } from "../../../../../../../tests/support/poison.ts";
import { useTestServer } from "../../../../../../../tests/support/test-server.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import { orderJobs } from "../index.ts";

/** More than a run took before: 500. */
const MANY = 520;
const testServer = useTestServer();
const tools = () => ({ database: testServer.database, log: pino({ level: "silent" }) });

const due: Record<string, { state: "STORED" | "PENDING"; prepare: Sql; becomes: string }> = {
  "order.becomeOverdue": {
    ...{ state: "STORED", becomes: "OVERDUE" },
    prepare: sql`overdue_at = now()`,
  },
  "order.giveUp": {
    ...{ state: "PENDING", becomes: "CANCELLED" },
    prepare: sql`overdue_at = null, deposit_until = now() - interval '20 minutes'`,
  },
  "order.followDoors": {
    ...{ state: "STORED", becomes: "EXCEPTION" },
    prepare: sql`forced_at = now()`,
  },
};

async function makeOrders(task: string, count: number): Promise<number> {
  const { state, prepare } = due[task] ?? expect.fail(task);
  const tenantId = (await testServer.makeTenant()).id;
  const isStored = state === "STORED";
  const { id: cabinetId } = await makeCabinet(testServer, {
    tenantId,
    cells: Array(count).fill({ occupancy: isStored ? "OCCUPIED" : "RESERVED" }),
  });
  await testServer.database.transaction("platform", async (db) => {
    const recipientId = await insertEndUser(db, tenantId, "张三");
    for (let no = 1; no <= count; no++) {
      await insertOrder(db, { tenantId, cabinetId, no, state, recipientId });
    }
    await db.run(sql`update live_order set ${prepare} where tenant_id = ${tenantId}`);
    await db.run(sql`update storage_order set overdue_at = now() where tenant_id = ${tenantId}`);
  });
  return tenantId;
}

async function countIn(tenantId: number, state: string): Promise<number> {
  const { n } = await testServer.database.read("platform", (db) =>
    db.one<{ n: number }>(sql`
      select count(*)::int as n from storage_order
      where tenant_id = ${tenantId} and state = ${state}`),
  );
  return n;
}

beforeAll(() => testServer.makeTenant(1));
afterEach(() =>
  testServer.database.transaction("platform", (db) => db.run(sql`delete from live_order`)),
);

describe.each(Object.keys(due))("%s", (task) => {
  it(`${MANY} older orders of one tenant that always throw delay no other tenant's`, async () => {
    const failing = await makeOrders(task, MANY);
    const other = await makeOrders(task, 1);
    const { becomes } = due[task] ?? expect.fail(task);
    const poison = { table: "storage_order", when: `old.tenant_id = ${failing}` };
    await withPoison(testServer.url, poison, async () => {
      await orderJobs.tasks[task]?.({}, tools());
    });
    expect(await countIn(other, becomes)).toBe(1);
    expect(await countIn(failing, becomes)).toBe(0);
  });
});
