// Simulated people on the real server, link and cabinet: they sign in, deposit, read their code and
// pick up.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { hashPassword } from "../../apps/server/src/features/identity/auth/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { runPeople } from "../../apps/simulator/src/people/people.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";

const PASSWORD = "people at the desk 2026";

const fleet = useDeviceFleet();

it("simulated people: deposit, read the code at the desk, pick up and pay", async () => {
  const { testServer, origin } = fleet;
  await fleet.startGateway();
  const { id: tenantId, people } = await testServer.makeTenant();
  const { username, operatorId } = people[1];
  const hash = await hashPassword(PASSWORD);
  const cabinet = await fleet.addCabinet({ tenantId });
  await testServer.database.transaction("platform", async (db) => {
    await db.run(sql`update operator set password_hash = ${hash} where id = ${operatorId}`);
    await db.run(sql`
      insert into pricing_rule (tenant_id, free_minutes, per_use_fen, step_minutes, step_fen,
        overdue_after_minutes, edited_by)
      values (${tenantId}, 0, 150, 60, 0, 1440, 'test')`);
  });
  await fleet.switchOn(cabinet, { autoCloseMs: 600 });
  const folder = await mkdtemp(path.join(os.tmpdir(), "people-"));
  const stopping = new AbortController();
  const lines: string[] = [];
  await until("the cabinet is there", async () => {
    const { isThere } = await fleet.findCabinet<{ isThere: boolean }>(
      cabinet,
      "is_greeted as is_there",
    );
    return isThere;
  });
  const life = runPeople({
    ...{ server: origin, count: 2, sns: [cabinet.sn], folder, seed: 7, paceMs: 100 },
    accounts: [{ username, password: PASSWORD, tenantId, userType: 1 }],
    log: (line) => lines.push(line),
    signal: stopping.signal,
  });
  try {
    const ended = await until(
      "an order that was picked up and paid",
      () =>
        testServer.database.read("platform", (db) =>
          db.maybe<{ paid: number; messages: number }>(sql`
            select ord.paid_principal_fen as paid,
              (select count(*)::int from sms_message sms
                where sms.tenant_id = ord.tenant_id and sms.order_id = ord.id) as messages
            from storage_order ord
            where ord.tenant_id = ${tenantId} and ord.state = 'COMPLETED'
              and ord.pay_status = 'PAID'`),
        ),
      50_000,
    );
    expect(ended.paid).toBe(150);
    expect(ended.messages).toBeGreaterThanOrEqual(1);
    await until("somebody has seen it", () => lines.some((line) => line.endsWith("格口取件")));
  } finally {
    stopping.abort();
    await life;
  }
  expect(lines.join("\n")).not.toMatch(/199\d{8}/);
  const kept = JSON.parse(await readFile(path.join(folder, "people.json"), "utf8"));
  expect(Object.keys(kept)).toHaveLength(2);
  await rm(folder, { recursive: true, force: true });
});
