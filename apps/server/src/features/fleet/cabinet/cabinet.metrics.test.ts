// Metrics of the fleet with 300 tenants: each has its own labels, and an outage of the smallest is seen.
import { beforeAll, expect, test } from "vitest";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { cabinets, tenantLabels, tenantOutage } from "../../../platform/metrics.ts";
import { ensureTenant } from "../../identity/tenancy/index.ts";
import { measureCabinets } from "./cabinet.metrics.ts";

const testServer = useTestServer();
const [FIRST, TENANTS, SMALLEST, LATE] = [1_001, 300, 1_301, 9_000];

interface Fleet {
  online?: number;
  offline?: number;
  never?: number;
}

const fleets = new Map<number, Fleet>();
for (let place = 0; place < TENANTS; place++) fleets.set(FIRST + place, { online: 9, offline: 2 });
fleets.set(SMALLEST, { offline: 5 });
// Too few, only a fifth away, never there, and beyond the labels.
fleets.set(1_302, { offline: 4 });
fleets.set(1_303, { online: 8, offline: 2 });
fleets.set(1_304, { online: 5, never: 20 });
fleets.set(LATE, { online: 1, offline: 9 });

beforeAll(async () => {
  await testServer.database.transaction("platform", async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into cabinet_model (name, side, layout, capabilities) values ('指标', 'SINGLE', '[]', '{}')
      returning id`);
    for (const [tenantId, { online = 0, offline = 0, never = 0 }] of fleets) {
      await ensureTenant(db, { id: tenantId, name: `租户 ${tenantId}` });
      await db.run(sql`
        insert into cabinet (tenant_id, sn, name, model_id, lifecycle, last_seen_at, offline_at,
          announced_connectivity, is_greeted)
        select ${tenantId}, 'TEST' || lpad(${String(tenantId)}, 5, '0') || lpad(n::text, 3, '0'), 'cabinet', ${id}, 'ACTIVE',
          case when n <= ${online + offline} then now() end,
          case when n <= ${online} then now() + interval '1 hour'
            when n <= ${online + offline} then now() - interval '1 hour' end,
          case when n <= ${online} then 'ONLINE' when n <= ${online + offline} then 'OFFLINE' else 'NEVER' end,
          n <= ${online}
        from generate_series(1, ${online + offline + never}::int) n`);
    }
  });
  tenantLabels.most = 2_000;
  await measureCabinets(testServer.database);
});

test("cabinets: every tenant up to the limit has labels of its own, by its number", async () => {
  const { values } = await cabinets.get();
  const online = new Map(
    values
      .filter(({ labels }) => labels.state === "ONLINE")
      .map(({ labels, value }) => [labels.tenant, value]),
  );
  for (const [tenantId, { online: expected = 0 }] of fleets) {
    expect(online.get(tenantId === LATE ? "other" : String(tenantId)), String(tenantId)).toBe(
      expected,
    );
  }
});

test("outage: every tenant is judged, also the smallest and those without labels", async () => {
  const { values } = await tenantOutage.get();
  expect(values.map(({ labels, value }) => [labels.tenant, value])).toEqual([
    [String(LATE), 0.1],
    [String(SMALLEST), 0],
  ]);
});
