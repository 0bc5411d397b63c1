// Order of claiming deliveries: slots for failing endpoints, tests first, deleted endpoints
// cancelled.
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import * as outbox from "./outbox.sql.ts";

const testServer = useTestServer();
let tenantId: number;

beforeEach(async () => {
  // Deletes the endpoints that other tests left.
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update callback_endpoint set deleted_at = now() where deleted_at is null`),
  );
  tenantId = (await testServer.makeTenant()).id;
});

/** Inserts endpoints in this state. */
function insertEndpoints(state: string, count: number, name = state): Promise<{ id: number }[]> {
  return testServer.database.transaction({ tenantId }, (db) =>
    db.many<{ id: number }>(sql`
      insert into callback_endpoint (tenant_id, name, url, types, state, created_by, edited_by)
      select ${tenantId}, ${name} || n, 'https://callback.example.com/', '{order.stored}', ${state},
        '', ''
      from generate_series(1, ${count}) n returning id`),
  );
}

/** Inserts this many due deliveries for each endpoint. */
async function insertDue(count: number, purpose = "EVENT"): Promise<void> {
  await testServer.database.transaction({ tenantId }, async (db) => {
    const events = await db.many<{ id: number }>(sql`
      insert into callback_event (tenant_id, type, key, data, seq)
      select ${tenantId}, 'order.stored', gen_random_uuid()::text, '{}', 0
      from generate_series(1, ${count}) returning id`);
    await db.run(sql`
      insert into callback_delivery (tenant_id, endpoint_id, event_id, purpose)
      select ${tenantId}, endpoint.id, v, ${purpose}
      from callback_endpoint endpoint, unnest(${events.map(({ id }) => id)}::bigint[]) v
      where endpoint.tenant_id = ${tenantId}`);
  });
}

const take = (room: outbox.Room) =>
  testServer.database.transaction("platform", (db) =>
    outbox.takeDue(db, { lease: randomUUID(), leaseSeconds: 60, room }),
  );

describe("takeDue", () => {
  it("limits failing endpoints to their slots, one delivery at a time each", async () => {
    await insertEndpoints("FAILING", 40);
    const [good] = await insertEndpoints("ENABLED", 1);
    await insertDue(6);
    const first = await take({ all: 100, failing: 10 });
    expect(first.filter(({ isFailing }) => isFailing)).toHaveLength(10);
    expect(first.filter(({ endpointId }) => endpointId === good?.id)).toHaveLength(4);
    // Failing endpoints have used up their slots; healthy ones must not wait behind them.
    await insertEndpoints("ENABLED", 1, "later");
    await insertDue(1);
    const second = await take({ all: 86, failing: 0 });
    expect(second.map(({ isFailing }) => isFailing)).toEqual([false]);
  });

  it("claims no more than the free slots, healthy endpoints first", async () => {
    await insertEndpoints("FAILING", 8);
    await insertEndpoints("ENABLED", 8);
    await insertDue(2);
    const taken = await take({ all: 8, failing: 8 });
    expect(taken.map(({ isFailing }) => isFailing)).toEqual(Array(8).fill(false));
  });

  it("claims tests before older events, and only tests for a paused endpoint", async () => {
    await insertEndpoints("ENABLED", 1);
    await insertEndpoints("DISABLED", 1);
    await insertDue(30);
    await insertDue(1, "TEST");
    const taken = await take({ all: 100, failing: 0 });
    const purposes = taken.map(({ purpose }) => purpose).sort();
    expect(purposes).toEqual(["EVENT", "EVENT", "EVENT", "TEST", "TEST"]);
  });
});

it("deleted endpoint: a delivery whose lease expired is cancelled", async () => {
  const [one] = await insertEndpoints("ENABLED", 1);
  await insertDue(2);
  await take({ all: 1, failing: 0 });
  await testServer.database.transaction("platform", async (db) => {
    await db.run(sql`update callback_endpoint set deleted_at = now() where id = ${one?.id}`);
    await db.run(sql`
      update callback_delivery set leased_until = now() - interval '1 second'
      where endpoint_id = ${one?.id} and state = 'SENDING'`);
  });
  await testServer.database.transaction("platform", outbox.takeBackOrphans);
  const states = await testServer.database.read("platform", (db) =>
    db.many(sql`
      select state, last_outcome as outcome from callback_delivery
      where endpoint_id = ${one?.id} order by id`),
  );
  expect(states).toEqual([
    { state: "CANCELLED", outcome: "UNKNOWN" },
    { state: "WAITING", outcome: null },
  ]);
});

it("measureQueue: counts waiting and dead deliveries and the age of the oldest", async () => {
  const before = await testServer.database.read("platform", outbox.measureQueue);
  await insertEndpoints("ENABLED", 1);
  await insertEndpoints("DISABLED", 1);
  await insertDue(3);
  await testServer.database.transaction({ tenantId }, (db) =>
    db.run(sql`
      update callback_delivery set next_at = now() - interval '1 hour'
      where tenant_id = ${tenantId}`),
  );
  const after = await testServer.database.read("platform", outbox.measureQueue);
  expect(after.waiting - before.waiting).toBe(6);
  expect(Math.round(after.oldestSeconds / 60)).toBe(60);
});
