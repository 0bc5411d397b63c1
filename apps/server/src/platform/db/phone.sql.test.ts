// Search by a part of a phone number: found by the index, and only the tenant's own people.
import { PLATFORM_TENANT_ID } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cloneDatabase, withClient } from "../../../../../tests/support/postgres.ts";
import type { Session } from "../context.ts";
import { type Db, openDatabase } from "./db.ts";
import { endUserPhoneSql } from "./phone.sql.ts";
import { sql } from "./sql.ts";

const clone = await cloneDatabase();
const database = openDatabase(clone.url, { max: 1 });
afterAll(() => database.close());

const OWN = 901;
const OTHER = 902;

beforeAll(async () => {
  await database.transaction("platform", async (db) => {
    for (const tenantId of [OWN, OTHER]) {
      await db.run(sql`insert into tenant (id, name) values (${tenantId}, ${`租户 ${tenantId}`})`);
      await db.run(sql`
        insert into end_user (tenant_id, phone, name)
        select tenant.id, phone, '用户' from tenant cross join (
          select unnest(array['13800134567', '13912345678'])
          union all select (15000000000 + 10 * n)::text from generate_series(1, 5000) n) person (phone)
        where tenant.id = ${tenantId}`);
    }
  });
  // Also empties the index's list of new entries, which would have to be read as a whole.
  await withClient(clone.url, (client) => client.query("vacuum (analyze) end_user"));
});

const sessionOf = (tenantId: number) =>
  ({ tenantId, userType: tenantId === PLATFORM_TENANT_ID ? 0 : 1 }) as Session;

/** Searches of the trigram index by this connection. */
async function countSearches(db: Db): Promise<number> {
  const { searches } = await db.one<{ searches: number }>(sql`
    select pg_stat_get_xact_numscans('end_user_phone_part'::regclass)::int as searches`);
  return searches;
}

/** Tenants of the people that fit, and how often the statement searched the trigram index. */
function find(scope: "platform" | { tenantId: number }, digits: string) {
  const session = sessionOf(scope === "platform" ? PLATFORM_TENANT_ID : scope.tenantId);
  return database.read(scope, async (db) => {
    const before = await countSearches(db);
    const found = await db.many<{ tenantId: number }>(sql`
      select tenant_id from end_user
      where tenant_id in (${OWN}, ${OTHER}) and ${endUserPhoneSql(session, digits)} order by 1`);
    const searches = (await countSearches(db)) - before;
    return { tenants: found.map(({ tenantId }) => tenantId), searches };
  });
}

it("a part of a phone: found by the index, in its own tenant only", async () => {
  expect(await find({ tenantId: OWN }, "34567")).toEqual({ tenants: [OWN, OWN], searches: 1 });
  expect(await find({ tenantId: OWN }, "80013")).toEqual({ tenants: [OWN], searches: 1 });
  expect(await find({ tenantId: OWN }, "77777")).toEqual({ tenants: [], searches: 1 });
});

it("a part of a phone: platform staff find it in every tenant", async () => {
  expect(await find("platform", "80013")).toEqual({ tenants: [OWN, OTHER], searches: 1 });
});

it("four digits: the last four, found without the index of parts", async () => {
  expect(await find({ tenantId: OWN }, "4567")).toEqual({ tenants: [OWN], searches: 0 });
  expect(await find({ tenantId: OWN }, "8001")).toEqual({ tenants: [], searches: 0 });
  expect(await find("platform", "4567")).toEqual({ tenants: [OWN, OTHER], searches: 0 });
});

it("a whole phone: found without the index of parts", async () => {
  const found = await find({ tenantId: OWN }, "13800134567");
  expect(found).toEqual({ tenants: [OWN], searches: 0 });
});
