// Plans of the figures by day, when PostgreSQL keeps one for all values.
import { afterAll, beforeAll, expect, it } from "vitest";
import { cloneDatabase, withClient } from "../../../../../../tests/support/postgres.ts";
import { recordingOf } from "../../../../../../tests/support/recording.ts";
import type { Session } from "../../../platform/context.ts";
import { openDatabase } from "../../../platform/db/db.ts";
import { raw, type Sql, sql } from "../../../platform/db/sql.ts";
import { findTendency } from "./income.sql.ts";

const TENANTS = 300;
const DAYS = 30;
const CABINETS = 3;
const clone = await cloneDatabase();
const database = openDatabase(clone.url, { max: 1 });
afterAll(() => database.close());

beforeAll(async () => {
  await database.transaction("platform", (db) =>
    db.run(sql`
      insert into order_day (tenant_id, day, side, cabinet_id, stored)
      select tenant_id, date '2026-01-01' + day, 'SINGLE', cabinet_id, 1
      from generate_series(1, ${TENANTS}) tenant_id, generate_series(0, ${DAYS - 1}) day,
        generate_series(1, ${CABINETS}) cabinet_id`),
  );
  await withClient(clone.url, (client) => client.query("analyze order_day"));
});

it("tendency: adds up the figures of each day before it joins the days", async () => {
  const session = { tenantId: 2, userType: 1 } as Session;
  const span = { from: "2026-01-01", to: "2026-01-30" };
  const lines = await database.read({ tenantId: 2 }, async (db) => {
    const { recording, statements } = recordingOf(db);
    const days = await findTendency(recording, session, { side: "SINGLE" }, span);
    expect(days.map(({ stored }) => stored)).toEqual(Array(DAYS).fill(CABINETS));
    const [{ text, values }] = statements as [Sql];
    await db.run(raw("set local plan_cache_mode = force_generic_plan"));
    await db.run(raw(`prepare tendency as ${text}`));
    const literals = values.map((value) => `'${value}'`).join();
    return db.many<object>(
      raw(`explain (analyze, costs off, timing off) execute tendency (${literals})`),
    );
  });
  const plan = lines.flatMap((line) => Object.values(line)).join("\n");
  const compared = /Rows Removed by Join Filter: (\d+)/.exec(plan)?.[1] ?? 0;
  expect(Number(compared)).toBeLessThan(DAYS * DAYS);
});
